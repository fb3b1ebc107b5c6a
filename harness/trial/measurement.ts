import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ClientCpuShare, RawTrial } from '../../src/core/model/raw-trial.ts';
import { reasonOf, type Reason } from '../../src/core/model/reasons.ts';
import { wholeTrial } from '../../src/core/model/sides-of-trial.ts';
import { arrivedWords } from '../../src/core/model/sink-line.ts';
import type { TrialStatus } from '../../src/core/model/record.ts';
import type { CpuShare } from '../../src/core/system/processes/cpu-share.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { startCrossTraffic, type TrialCrossTraffic } from './crosstraffic.ts';
import {
  differences,
  discoveryOf,
  logsOf,
  serverCpuBetween,
  sessionEnded,
  startOf,
  takeCounts,
  toEvidence,
  type PathCounts,
  type TrialStart,
} from './path-evidence.ts';
import { resumedByLog } from './resumed-by-log.ts';
import { StepClock } from './step-clock.ts';
import type { DoneMessage, WorkerMoments } from './worker-process.ts';
import type { PreparedWorker } from './worker-pool.ts';
import type { TrialOrder, TrialStep } from './worker-protocol.ts';

/** What came of a trial, before metrics are derived from it. */
export type TrialOutcome =
  | {
      readonly kind: 'measured';
      readonly raw: RawTrial;
      /** Files and folders below the trial's folder, by the name under which the journal lists them. */
      readonly artifacts: Readonly<Record<string, string>>;
      readonly postProcessMs: number;
      /** Where the time went: the worker's steps, then the runner's. */
      readonly steps: readonly TrialStep[];
    }
  | {
      readonly kind: 'not-measured';
      readonly status: TrialStatus;
      readonly reason: Reason;
      readonly startedAt: string;
      readonly durationMs: number;
    };

/** Time a worker may need beyond the workload's deadline: browser start, its end, HAR and frames. */
const workerGraceMs = 60_000;

/** What is known of a trial outside its worker: of path, servers and CPUs, before, during and after it. */
export class Measurement {
  readonly prepared: PreparedWorker;
  readonly #testbed: Testbed | null;
  readonly #clock = new StepClock();
  readonly #over = new AbortController();
  #start: TrialStart | undefined;
  #crossTraffic: TrialCrossTraffic | undefined;
  #share: HeldShare | undefined;
  #orderedAtEpochMs = 0;
  #counts: Promise<PathCounts> | undefined;

  constructor(prepared: PreparedWorker, testbed: Testbed | null) {
    this.prepared = prepared;
    this.#testbed = testbed;
  }

  /** Starts what shares the path with the trial, and notes where logs and counters stand. @param share of a CPU that the client is held to */
  async begin(share: CpuShare | undefined): Promise<void> {
    this.#crossTraffic = await startCrossTraffic(this.#testbed);
    this.#start = await startOf(this.#testbed);
    this.#share = share && holding(share);
    this.#clock.end('clear up after the trial before');
  }

  /**
   * The trial's turn: how long it may take, and what is done in its midst.
   * @param measured called when it is over and the path was read; what fails in it is told elsewhere
   */
  turn(measured: () => Promise<void>): { readonly limitMs: number; readonly moments: WorkerMoments } {
    const { order, worker } = this.prepared;
    this.#orderedAtEpochMs = worker.nowEpochMs?.() ?? Date.now();
    const ended = awaitsEnd(order, this.#testbed)
      ? sessionEnded(this.#testbed, this.#startOf().mark, this.#over.signal)
      : undefined;
    // A log that cannot be asked any more is told of by the outcome.
    ended?.catch(() => undefined);
    return {
      limitMs: visitsOf(order) * (order.workload.deadlineMs + workerGraceMs),
      moments: {
        measured: () => {
          const { path, counts } = takeCounts(this.#testbed);
          this.#counts = counts;
          // What fails in it is told by the outcome.
          counts.catch(() => undefined);
          path.then(measured).catch(() => undefined);
        },
        ...(this.#share === undefined ? {} : { hold: this.#share.hold }),
        ...fetchOf(this.#testbed),
        ...(ended === undefined ? {} : { ended }),
      },
    };
  }

  /** The worker has no more to say. */
  over(): void {
    this.#over.abort();
  }

  /** What came of it, with all that path, servers and CPUs say. */
  async outcome(done: DoneMessage): Promise<TrialOutcome> {
    const { order } = this.prepared;
    const testbed = this.#testbed;
    const start = this.#startOf();
    this.#clock.end('the worker, from its turn on');
    // What was asked for by a first visit is no part of the measured one.
    const sinceEpochMs = visitsOf(order) > 1 ? Date.parse(done.raw.startedAt) : this.#orderedAtEpochMs;
    const counts = await (this.#counts ?? takeCounts(testbed).counts);
    const logs =
      testbed === null || order.workload.live !== undefined
        ? { serverLog: null }
        : await logsOf(testbed, done.raw, order.workload, { ...start, sinceEpochMs, flows: counts.flows });
    this.#clock.end("read the server's log");
    const died = testbed?.died();
    if (died !== undefined) return partDied(died, done.raw, arrivedBy(order.workload, logs));
    return {
      kind: 'measured',
      raw: wholeTrial(done.raw, {
        ...logs,
        session: resumedByLog(done.raw.session, logs.serverLog, order.factors.resume),
        counters: { ...done.raw.counters, ...differences(start.counters, counts.counters) },
        ...toEvidence(counts),
        ...serverCpuBetween(start, counts),
        ...this.#crossTraffic?.facts,
        ...(testbed === null ? {} : { testbed: testbed.facts }),
        ...(await discoveryOf(testbed, order.factors, sinceEpochMs)),
        ...(this.#share === undefined ? {} : { cpuShare: this.#share.facts() }),
      }),
      artifacts: done.artifacts,
      postProcessMs: done.postProcessMs,
      steps: [...done.steps, ...this.#clock.steps],
    };
  }

  /** Ends what shared the path with it. */
  async stop(): Promise<void> {
    await this.#crossTraffic?.stop();
  }

  #startOf(): TrialStart {
    if (this.#start === undefined) throw new H2h3Error('internal', 'a trial was measured before it began');
    return this.#start;
  }
}

/** What brings the logs of servers and proxies that write them on another machine. */
function fetchOf(testbed: Testbed | null): Pick<WorkerMoments, 'fetch'> {
  const fetches = [...(testbed?.proxies ?? []), testbed?.server].flatMap((each) => each?.fetchLogs ?? []);
  if (fetches.length === 0) return {};
  return { fetch: async () => void (await Promise.all(fetches.map((fetch) => fetch()))) };
}

const visitsOf = ({ workload }: TrialOrder): number => (workload.view === 'repeat' ? 2 : 1);

/** A share of a CPU that a trial's client is held to, and what came of it. */
interface HeldShare {
  readonly hold: (rootPid: number) => Promise<void>;
  readonly facts: () => ClientCpuShare;
}

function holding(share: CpuShare): HeldShare {
  const beforeMs = share.throttledMs();
  let processes = 0;
  return {
    hold: async (rootPid) => void (processes = await share.hold(rootPid)),
    facts: () => ({ ...share.quota, processes, throttledMs: share.throttledMs() - beforeMs }),
  };
}

/** Whether the end of a trial is known from the server's log. */
function awaitsEnd(
  { instrumentation, workload, client }: TrialOrder,
  testbed: Testbed | null,
): testbed is Testbed {
  return (
    instrumentation === 'uninstrumented' &&
    workload.driver === 'session' &&
    client.build !== 'command-line' &&
    testbed !== null
  );
}

/** What of an upload had arrived; empty of anything else. */
function arrivedBy({ upload }: TrialOrder['workload'], { arrived }: Pick<RawTrial, 'arrived'>): string {
  return upload === undefined || arrived === undefined ? '' : `; ${arrivedWords(arrived, upload)}`;
}

function partDied(
  part: string,
  raw: Pick<RawTrial, 'startedAt' | 'durationMs'>,
  arrived: string,
): TrialOutcome {
  const { startedAt, durationMs } = raw;
  return {
    kind: 'not-measured',
    status: 'failed',
    reason: reasonOf('part-died', `${part} died during the trial${arrived}`),
    startedAt,
    durationMs,
  };
}
