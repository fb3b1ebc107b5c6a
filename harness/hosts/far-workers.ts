import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { filesBelow } from '../../src/core/system/files-below.ts';
import { digestFact } from '../../src/core/system/program-digest.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { lookForClient, resolveClient } from '../clients/resolve-client.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { startWorker, type WorkerProcess } from '../trial/worker-process.ts';
import type { TrialOrder } from '../trial/worker-protocol.ts';
import { readPart } from './far-files.ts';
import type { FarNetworks } from './far-networks.ts';
import type { Answered, Asked } from './far-protocol.ts';
import { requireRoom } from './far-room.ts';
import { toldFault } from './told-fault.ts';

export interface FarWorkersOptions {
  readonly setup: SetupContext;
  /** What trials leave is below it. */
  readonly workDir: string;
  /** Profiles are below it; its path is short, for sockets to have room. */
  readonly tempDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: Pick<FarNetworks, 'prefixOf' | 'startSignal'>;
}

/** A process that runs one trial. */
interface Held {
  readonly process: WorkerProcess;
  /** Undefined: its client goes over the machine's own network. */
  readonly network: number | undefined;
  readonly measured: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<void>;
  readonly trialDir: string;
  readonly tempDir: string;
}

type FoundClient = Answered<'clients'>['clients'][number];

/** The trials that the other end has run here, each by a process of its own as in a run of this machine. */
export class FarWorkers {
  readonly #options: FarWorkersOptions;
  readonly #held = new Map<number, Held>();
  #started = 0;

  constructor(options: FarWorkersOptions) {
    this.#options = options;
  }

  /** What each client is, or why it cannot be had. */
  async clients({ names, fetches }: Asked<'clients'>): Promise<Answered<'clients'>> {
    const { setup } = this.#options;
    const clients: FoundClient[] = [];
    for (const name of names)
      clients.push({
        name,
        ...(await foundOrFault(async () => {
          if (!fetches) return (await lookForClient(name, setup)) ?? null;
          const found = await resolveClient(name, setup);
          return { ...found, ...(await digestFact(found.executablePath, setup.cache.directory)) };
        })),
      });
    return { clients };
  }

  start({ prefix, family, network }: Asked<'worker'>): Answered<'worker'> {
    const { workDir, tempDir, environment, networks } = this.#options;
    const worker = this.#started++;
    const words = [...(network === undefined ? [] : networks.prefixOf(network)), ...prefix];
    this.#held.set(worker, {
      process: startWorker({ prefix: words, family }, environment),
      network,
      measured: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      trialDir: join(workDir, `trial-${worker}`),
      tempDir: join(tempDir, `t${worker}`),
    });
    return { worker };
  }

  async loaded({ worker }: Asked<'loaded'>): Promise<Answered<'loaded'>> {
    await this.#of(worker).process.ready;
    return {};
  }

  /** Its folders, and what begins its path, are of this machine. */
  order({ worker, order }: Asked<'order'>): Answered<'order'> {
    const { process, network, trialDir, tempDir } = this.#of(worker);
    const { networks } = this.#options;
    this.#requireRoom();
    const given = order as unknown as TrialOrder;
    const startSignal = network === undefined ? null : networks.startSignal(network, given.blockSeed);
    process.prepare({ ...given, trialDir, tempDir, startSignal });
    return {};
  }

  async begin({ worker, limitMs }: Asked<'begin'>): Promise<Answered<'begin'>> {
    const { process, measured, ended } = this.#of(worker);
    const moments = { measured: () => measured.resolve(), ended: ended.promise };
    const { raw, artifacts, postProcessMs, steps } = await process.begin(limitMs, moments);
    // A client says of a full disk what it likes.
    this.#requireRoom();
    return { raw, artifacts: { ...artifacts }, postProcessMs, steps: [...steps] };
  }

  async untilMeasured({ worker }: Asked<'untilMeasured'>): Promise<Answered<'untilMeasured'>> {
    await this.#of(worker).measured.promise;
    return {};
  }

  ended({ worker }: Asked<'ended'>): Answered<'ended'> {
    this.#of(worker).ended.resolve();
    return {};
  }

  files({ worker }: Asked<'files'>): Answered<'files'> {
    const { trialDir } = this.#of(worker);
    return {
      files: filesBelow(trialDir).map((path) => ({ path, bytes: statSync(join(trialDir, path)).size })),
    };
  }

  filePart({ worker, path, offsetBytes }: Asked<'filePart'>): Answered<'filePart'> {
    const { trialDir } = this.#of(worker);
    return { base64: readPart(join(trialDir, path), offsetBytes).toString('base64') };
  }

  async release({ worker }: Asked<'release'>): Promise<Answered<'release'>> {
    const held = this.#held.get(worker);
    this.#held.delete(worker);
    if (held === undefined) return {};
    await held.process.end();
    // Whoever still waits for it has gone.
    held.measured.resolve();
    for (const folder of [held.trialDir, held.tempDir])
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    return {};
  }

  /** @throws H2h3Error `storage` */
  #requireRoom(): void {
    const { workDir, tempDir } = this.#options;
    for (const folder of [workDir, tempDir]) requireRoom(folder);
  }

  #of(worker: number): Held {
    const held = this.#held.get(worker);
    if (held === undefined) throw new H2h3Error('process-failed', `no trial worker ${worker} runs`);
    return held;
  }
}

async function foundOrFault(look: () => Promise<ClientIdentity | null>): Promise<Omit<FoundClient, 'name'>> {
  try {
    return { found: await look() };
  } catch (thrown) {
    return { found: null, fault: toldFault(thrown) };
  }
}
