import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flagList } from '../../src/model/factor.ts';
import { H2h3Error, messageOf, unwritableReason } from '../../src/model/errors.ts';
import type { PlannedTrial } from '../../src/model/plan.ts';
import type { ArmProtocol } from '../../src/model/protocol.ts';
import type { ClientCpuShare, RawTrial, ServerLogEntry } from '../../src/model/raw-trial.ts';
import type { CpuShare } from '../../src/system/processes/cpu-share.ts';
import type { TrialStatus } from '../../src/model/record.ts';
import type { PreparedWorkload, WorkloadKind } from '../../src/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { driverOf } from '../clients/drivers.ts';
import type { Probe } from '../probes/probe.ts';
import { expectedLogEntries } from './expected-log-entries.ts';
import type { Testbed, Testbeds } from '../testbed/testbed.ts';
import { linkSettingsOf, senderSettingsOf, type TestbedRequest } from '../testbed/testbed-request.ts';
import { pinPrefix } from '../../src/system/processes/cpu-affinity.ts';
import type { Pinning } from '../testbed/pinning.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { WorkerPool } from './worker-pool.ts';
import type { WorkerMoments, WorkerProcess } from './worker-process.ts';

/** What came of a trial, before metrics are derived from it. */
export interface TrialLimits {
  /** The trial's deadline is no later than this, ms; absent: the workload's own. */
  readonly mostMs?: number;
}

export type TrialOutcome =
  | {
      readonly kind: 'measured';
      readonly raw: RawTrial;
      /** Files and folders below the trial's folder, by the name under which the journal lists them. */
      readonly artifacts: Readonly<Record<string, string>>;
      readonly postProcessMs: number;
    }
  | {
      readonly kind: 'not-measured';
      readonly status: TrialStatus;
      readonly reason: string;
      readonly startedAt: string;
      readonly durationMs: number;
    };

export interface RunnerOptions {
  readonly workloads: ReadonlyMap<string, PreparedWorkload>;
  /** Id of the workload that a trial loads. */
  readonly contentOf: (trial: PlannedTrial) => string;
  /** A client that cannot be had is an error: its trials become `unsupported` with that reason. */
  readonly clients: ReadonlyMap<string, ClientIdentity | H2h3Error>;
  readonly testbeds: Testbeds;
  /** Network that a trial really goes over: its condition's, or the one that stands in for it. */
  readonly networkOf: (trial: PlannedTrial) => string;
  readonly spkiHash: string;
  readonly pinning: Pinning;
  /** By the values of the factor `cpu`. */
  readonly cpuShares: ReadonlyMap<string, CpuShare>;
  readonly tempDir: string;
  readonly trialDir: (trialId: string) => string;
  readonly probesOf: (trial: PlannedTrial, kind: WorkloadKind) => readonly Probe[];
  readonly headed: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Time a worker may need beyond the workload's deadline: browser start, its end, HAR and frames. */
const workerGraceMs = 60_000;

/** Runs trials one after the other, each in a worker process of its own. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #workers: WorkerPool;
  /** The removal of what the last trial left: done beside its evaluation, over before the next trial begins. */
  #cleaning: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#workers = new WorkerPool(options.environment);
    options.signal.addEventListener('abort', () => void this.#workers.endAll(), { once: true });
  }

  /**
   * @throws H2h3Error `interrupted` when the signal was given, `storage` when there is no room for what the trial
   * leaves; it then has no outcome and runs again on resume.
   */
  async run(
    trial: PlannedTrial,
    next: PlannedTrial | undefined,
    limits: TrialLimits = {},
  ): Promise<TrialOutcome> {
    const startedAt = new Date().toISOString();
    const begun = performance.now();
    const notMeasured = (status: TrialStatus, reason: string): TrialOutcome => ({
      kind: 'not-measured',
      status,
      reason,
      startedAt,
      durationMs: performance.now() - begun,
    });
    try {
      const client = this.#options.clients.get(trial.client);
      if (client === undefined) throw new H2h3Error('internal', `no client ${trial.client}`);
      if (client instanceof H2h3Error) return notMeasured('unsupported', client.message);
      const workload = this.#workload(trial);
      const refusal = driverOf(client.family).refusal?.(client, workload, this.#protocol(trial));
      if (refusal !== undefined) return notMeasured('unsupported', refusal);
      const path = workload.roots.length > 0 ? await this.#options.testbeds.open(this.#request(trial)) : null;
      return await this.#measure(trial, next, client, withDeadline(workload, path, limits), path);
    } catch (thrown) {
      this.#throwIfInterrupted();
      throwIfUnwritable(thrown);
      return notMeasured(statusOf(thrown), describe(thrown));
    }
  }

  #throwIfInterrupted(): void {
    if (this.#options.signal.aborted) throw new H2h3Error('interrupted', 'the run was interrupted');
  }

  /** What an arm loads that sets an address of its own is that address. */
  #workload(trial: PlannedTrial): PreparedWorkload {
    const id = this.#options.contentOf(trial);
    const workload = this.#options.workloads.get(id);
    if (!workload) throw new H2h3Error('internal', `workload ${id} was not prepared`);
    return workload;
  }

  /** What the trial asks of its testbed. */
  #request(trial: PlannedTrial): TestbedRequest {
    const { congestion, proxy, protocol } = trial.factors;
    return {
      server: trial.server,
      network: this.#options.networkOf(trial),
      settings: linkSettingsOf(trial.factors),
      sender: senderSettingsOf(trial.factors),
      ...(congestion === undefined ? {} : { congestion }),
      ...(proxy === undefined ? {} : { proxy }),
      ...(protocol === undefined ? {} : { protocol }),
    };
  }

  #protocol({ arm, factors }: PlannedTrial): ArmProtocol {
    if (factors.protocol === undefined) throw new H2h3Error('internal', `no protocol for arm ${arm}`);
    return factors.protocol;
  }

  #workerPrefix(path: Testbed | null): readonly string[] {
    return [...(path?.network.clientPrefix ?? []), ...pinPrefix(this.#options.pinning.browserCpus)];
  }

  #order(
    trial: PlannedTrial,
    client: ClientIdentity,
    workload: PreparedWorkload,
    path: Testbed | null,
  ): TrialOrder {
    return {
      trialId: trial.trialId,
      protocol: this.#protocol(trial),
      client,
      workload,
      server: path === null ? null : { ...path.entry, pid: path.server.pid },
      flags: flagList(trial.factors),
      sharesCpu: trial.factors.cpu !== undefined,
      spkiHash: this.#options.spkiHash,
      trialDir: this.#options.trialDir(trial.trialId),
      tempDir: join(this.#options.tempDir, 'trial'),
      probes: this.#options.probesOf(trial, workload.kind).map(({ id }) => id),
      headed: this.#options.headed,
      startSignal: path?.network.startSignal(trial.blockSeed) ?? null,
    };
  }

  async #measure(
    trial: PlannedTrial,
    next: PlannedTrial | undefined,
    client: ClientIdentity,
    workload: PreparedWorkload,
    path: Testbed | null,
  ): Promise<TrialOutcome> {
    const order = this.#order(trial, client, workload, path);
    await this.#cleaning;
    await mkdir(order.tempDir, { recursive: true });
    const worker = await this.#workers.take(this.#workerPrefix(path));
    const mark = (await path?.front.mark()) ?? 0;
    const upstreamMark = (await path?.server.mark()) ?? 0;
    const before = (await path?.network.counters()) ?? {};
    const share = this.#cpuShare(trial);
    this.#throwIfInterrupted();
    const orderedAtEpochMs = Date.now();
    try {
      // The next worker loads its modules once nothing is measured any more, never before.
      const measured = (): void => this.#prepareNext(next);
      const visits = workload.view === 'repeat' ? 2 : 1;
      const limitMs = visits * (workload.deadlineMs + workerGraceMs);
      const done = await worker.run(order, limitMs, { measured, ...share?.moments });
      // What was asked for by a first visit is no part of the measured one.
      const sinceEpochMs = visits > 1 ? Date.parse(done.raw.startedAt) : orderedAtEpochMs;
      const after = (await path?.network.counters()) ?? {};
      const expected = expectedLogEntries(done.raw, workload);
      const logged = await path?.front.entriesSince(mark, expected);
      // A response of an earlier trial that was cut off is logged late; its request is older than this trial.
      const isOwn = ({ startEpochMs }: ServerLogEntry): boolean => startEpochMs >= sinceEpochMs;
      const serverLog = logged?.filter(isOwn) ?? null;
      const proxied = path !== null && path.proxies.length > 0;
      const upstream = proxied ? await path.server.entriesSince(upstreamMark, expected) : undefined;
      const counters = { ...done.raw.counters, ...differences(before, after) };
      const ledger =
        workload.replay === undefined ? undefined : await path?.server.ledgerSince?.(sinceEpochMs);
      if (path?.alive() === false) return serverDied(done.raw);
      return {
        kind: 'measured',
        raw: {
          ...done.raw,
          ...{ counters, serverLog },
          ...(ledger === undefined ? {} : { ledger }),
          ...(upstream === undefined ? {} : { upstreamLog: upstream.filter(isOwn) }),
          ...(path === null ? {} : { testbed: path.facts }),
          ...(share === undefined ? {} : { cpuShare: share.facts() }),
        },
        artifacts: done.artifacts,
        postProcessMs: done.postProcessMs,
      };
    } finally {
      this.#cleaning = this.#clean(worker, order.tempDir);
      this.#cleaning.catch(() => undefined); // told to whoever awaits it
    }
  }

  /** What is done and said of the share of a CPU that a trial's client has. */
  #cpuShare({
    factors: { cpu },
  }: PlannedTrial):
    { readonly moments: Pick<WorkerMoments, 'hold'>; readonly facts: () => ClientCpuShare } | undefined {
    if (cpu === undefined) return undefined;
    const share = this.#options.cpuShares.get(cpu);
    if (share === undefined) throw new H2h3Error('internal', `no control group for cpu=${cpu}`);
    const beforeMs = share.throttledMs();
    let processes = 0;
    return {
      moments: { hold: async (rootPid) => void (processes = await share.hold(rootPid)) },
      facts: () => ({ ...share.quota, processes, throttledMs: share.throttledMs() - beforeMs }),
    };
  }

  async #clean(worker: WorkerProcess, tempDir: string): Promise<void> {
    await this.#workers.release(worker);
    await rm(tempDir, { recursive: true, force: true, maxRetries: 3 });
  }

  #prepareNext(next: PlannedTrial | undefined): void {
    if (!next || this.#options.signal.aborted) return;
    const live = this.#workload(next).roots.length === 0;
    const path = live ? null : this.#options.testbeds.ready(this.#request(next));
    if (path !== undefined) this.#workers.prepare(this.#workerPrefix(path));
  }

  /** Ends every worker and its browser. */
  async close(): Promise<void> {
    await this.#workers.endAll();
    await this.#cleaning;
  }
}

/** A session of video lasts as long as it lasts; what loads to its end is given the time that the path needs. */
function withDeadline(
  workload: PreparedWorkload,
  path: Testbed | null,
  { mostMs = Number.POSITIVE_INFINITY }: TrialLimits,
): PreparedWorkload {
  const transferTimeoutMs =
    workload.kind === 'video' ? 0 : (path?.network.transferTimeoutMs?.(workload.facts.wireBytes ?? 0) ?? 0);
  return { ...workload, deadlineMs: Math.min(mostMs, Math.max(workload.deadlineMs, transferTimeoutMs)) };
}

function serverDied(raw: Omit<RawTrial, 'serverLog'>): TrialOutcome {
  const { startedAt, durationMs } = raw;
  return {
    kind: 'not-measured',
    status: 'failed',
    reason: 'the server died during the trial',
    startedAt,
    durationMs,
  };
}

function differences(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}

function statusOf(thrown: unknown): TrialStatus {
  return thrown instanceof H2h3Error && thrown.code === 'unsupported' ? 'unsupported' : 'failed';
}

function throwIfUnwritable(thrown: unknown): void {
  if (thrown instanceof H2h3Error && thrown.code === 'storage') throw thrown;
  const reason = unwritableReason(thrown);
  if (reason !== undefined)
    throw new H2h3Error('storage', `the trial cannot be kept: ${reason}`, {
      cause: thrown,
      next: 'Make room (also for temporary files), then go on with `h2h3 run --resume DIR`.',
    });
}

const reasonLines = 3;

/** A reason stands in tables: the last lines of what a program said are enough. */
function describe(thrown: unknown): string {
  const said = thrown instanceof H2h3Error ? (thrown.context.stderrTail ?? '') : '';
  const tail = said.trim().split('\n').slice(-reasonLines).join(' / ');
  return tail === '' ? messageOf(thrown) : `${messageOf(thrown)}; last lines: ${tail}`;
}
