import { join } from 'node:path';
import { H2h3Error, messageOf, unwritableReason } from '../../src/core/model/errors.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type {
  ClientRecording,
  LaunchDemand,
  Probe,
  ProbeContext,
  ProbeSession,
  ProbeYield,
} from './probe.ts';

/** What all probes of a trial left, together. */
export interface ProbesYield {
  readonly raw: Pick<RawTrial, 'cpu' | 'frames' | 'activity' | 'unrecorded'>;
  readonly counters: Record<string, number>;
  readonly artifacts: Record<string, string>;
  readonly warnings: string[];
}

interface Running {
  readonly probe: Probe;
  readonly session: ProbeSession;
}

/** The probes of one trial through their life. None of them can fail the trial: what one could not do is a warning. */
export class ProbeSet {
  readonly #probes: readonly Probe[];
  #running: readonly Running[] = [];
  readonly #yield: ProbesYield = {
    raw: { cpu: null, frames: null },
    counters: {},
    artifacts: {},
    warnings: [],
  };

  constructor(probes: readonly Probe[]) {
    this.#probes = probes;
  }

  /** What the client must be started with for all of them. */
  get launch(): Required<LaunchDemand> {
    const wanted = this.#probes.map(({ launch }) => launch ?? {});
    return {
      frames: wanted.some(({ frames }) => frames === true),
      logs: [...new Set(wanted.flatMap(({ logs }) => logs ?? []))],
    };
  }

  /** True: something is measured again after the client has ended. */
  get measuresAgain(): boolean {
    return this.#probes.some(({ measuresAgain }) => measuresAgain === true);
  }

  /** True: making one of them ready may have disturbed the client. */
  get disturb(): boolean {
    return this.#probes.some(({ disturbs }) => disturbs === true);
  }

  /** Makes all of them ready; the client runs. Each has a folder of its own below `context.tempDir`. */
  async setup(context: ProbeContext): Promise<void> {
    const running: Running[] = [];
    for (const probe of this.#probes)
      await this.#guarded(probe, async () => {
        if (context.processes !== undefined && probe.onThisMachine === true)
          throw new H2h3Error('unsupported', 'it reads this machine, and the client runs on another');
        const tempDir = join(context.tempDir, probe.id);
        running.push({ probe, session: await probe.setup({ ...context, tempDir }) });
      });
    this.#running = running;
  }

  async start(): Promise<void> {
    for (const { probe, session } of this.#running) await this.#guarded(probe, () => session.start?.());
  }

  async stop(): Promise<void> {
    for (const { probe, session } of this.#running.toReversed())
      await this.#guarded(probe, () => session.stop?.());
  }

  /** What loads the page once more does so now, before anything else; the client has ended. */
  async measureAgain(recording: ClientRecording): Promise<void> {
    for (const running of this.#running.filter(({ probe }) => probe.measuresAgain === true))
      await this.#end(running, recording);
  }

  /** What all of them left. The client has ended. @throws Error when there is no room for it */
  async teardown(recording: ClientRecording): Promise<ProbesYield> {
    const left = this.#running.filter(({ probe }) => probe.measuresAgain !== true);
    await Promise.all(left.map((running) => this.#end(running, recording)));
    return this.#yield;
  }

  async #end({ probe, session }: Running, recording: ClientRecording): Promise<void> {
    await this.#guarded(probe, async () => this.#add(await session.teardown(recording)));
  }

  #add({ raw, counters, artifacts, warnings }: ProbeYield): void {
    Object.assign(this.#yield.raw, raw);
    Object.assign(this.#yield.counters, counters);
    Object.assign(this.#yield.artifacts, artifacts);
    this.#yield.warnings.push(...(warnings ?? []));
  }

  /** A disk without room is no matter of one probe alone, and is thrown. */
  async #guarded({ id }: Probe, step: () => Promise<void> | void): Promise<void> {
    try {
      await step();
    } catch (thrown) {
      if (unwritableReason(thrown) !== undefined) throw thrown;
      const help = thrown instanceof H2h3Error && thrown.next !== undefined ? `. ${thrown.next}` : '';
      const unable = `the probe ${id} recorded nothing: ${messageOf(thrown)}${help}`;
      this.#yield.warnings.push(unable);
      (this.#yield.raw.unrecorded ??= []).push(unable);
    }
  }
}
