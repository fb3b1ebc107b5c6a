import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PathStart } from '../../src/core/model/path-start.ts';
import type { RunningNetwork } from '../network/network.ts';
import { networkProviders } from '../network/registry.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { Answered, Asked } from './far-protocol.ts';
import { abilitiesBefore, networkBefore } from './network-before.ts';
import { toldFault } from './told-fault.ts';

export interface FarNetworksOptions {
  readonly setup: SetupContext;
  readonly runId: string;
  /** What networks write is below it. */
  readonly workDir: string;
  readonly environment: Readonly<Record<string, string>>;
}

const gigabyte = 1e9;

/** The emulated networks that the other end has started here, before the link to it. */
export class FarNetworks {
  readonly #options: FarNetworksOptions;
  readonly #running = new Map<number, RunningNetwork>();
  #started = 0;

  constructor(options: FarNetworksOptions) {
    this.#options = options;
  }

  /** A reason each for those that cannot be had. */
  async lacking({
    names,
    custom,
    settings,
    builds,
  }: Asked<'lackingNetworks'>): Promise<Answered<'lackingNetworks'>> {
    const { setup } = this.#options;
    const lacking: Answered<'lackingNetworks'>['lacking'] = [];
    // One after the other: they share what is built for them.
    for (const provider of networkProviders(setup, custom)) {
      if (!names.includes(provider.id)) continue;
      try {
        await abilitiesBefore(provider, setup).require?.({ settings, builds });
      } catch (thrown) {
        lacking.push({ name: provider.id, ...toldFault(thrown) });
      }
    }
    return { lacking };
  }

  async start({ name, custom, behind, settings, ...options }: Asked<'startNetwork'>) {
    const { setup, runId, environment } = this.#options;
    const network = this.#started++;
    const workDir = join(this.#options.workDir, `network-${network}`);
    await mkdir(workDir, { recursive: true });
    const provider = networkProviders(setup, custom).find(({ id }) => id === name);
    if (provider === undefined) throw new H2h3Error('usage', `there is no network called ${name}`);
    const { machine, address, port, token, figures } = behind;
    const running = await networkBefore(provider, setup, {
      address,
      machine,
      figures: () => Promise.resolve(figures),
      answered: (work) => work({ address, port, token }),
    }).start({
      ...options,
      runId,
      workDir,
      environment,
      cpus: null,
      // The near end made it from factors; every network refuses what it cannot have.
      ...(settings === undefined ? {} : { settings }),
    });
    this.#running.set(network, running);
    return { network, ...toldOf(running) } satisfies Answered<'startNetwork'>;
  }

  async counts({ network }: Asked<'networkCounts'>): Promise<Answered<'networkCounts'>> {
    const running = this.#of(network);
    const [counters, flows, starts, queue, course] = await Promise.all([
      running.counters(),
      running.flows?.() ?? null,
      running.connectionStarts?.(),
      running.queue?.(),
      running.course?.(),
    ]);
    return {
      counters,
      flows: flows === null ? null : [...flows],
      ...(starts === undefined ? {} : { starts: [...starts] }),
      ...(queue === undefined ? {} : { queue }),
      ...(course === undefined ? {} : { course }),
    };
  }

  async stop({ network }: Asked<'stopNetwork'>): Promise<Answered<'stopNetwork'>> {
    const running = this.#running.get(network);
    this.#running.delete(network);
    await running?.stop();
    return {};
  }

  /** Words that run a command at the client's end of it. */
  prefixOf(network: number): readonly string[] {
    return this.#of(network).clientPrefix;
  }

  startSignal(network: number, blockSeed: number): PathStart | null {
    return this.#of(network).startSignal(blockSeed);
  }

  #of(network: number): RunningNetwork {
    const running = this.#running.get(network);
    if (running === undefined) throw new H2h3Error('process-failed', `no network ${network} runs`);
    return running;
  }
}

function toldOf(running: RunningNetwork): Omit<Answered<'startNetwork'>, 'network'> {
  const { description, connectionStarts, queue, course } = running;
  return {
    description,
    tells: {
      starts: connectionStarts !== undefined,
      queue: queue !== undefined,
      course: course !== undefined,
    },
    transferMs: [running.transferTimeoutMs?.(0) ?? 0, running.transferTimeoutMs?.(gigabyte) ?? 0],
  };
}
