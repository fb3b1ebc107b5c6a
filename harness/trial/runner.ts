import { availableParallelism } from 'node:os';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { valuesFor } from '../../src/core/factors/values.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import type { LiveAccess } from '../../src/core/model/live-access.ts';
import type { PlannedTrial } from '../../src/core/model/plan.ts';
import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { CpuShare } from '../../src/core/system/processes/cpu-share.ts';
import { valueWithoutSecrets } from '../../src/core/model/secrets.ts';
import { isUsersPage, type PreparedWorkload, type WorkloadKind } from '../../src/core/model/workload.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { clientAppliers } from '../clients/client-driver.ts';
import { driverOf } from '../clients/drivers.ts';
import type { Probe } from '../probes/probe.ts';
import { Measurement, type TrialOutcome } from './measurement.ts';
import { reasonOfFailure, statusOf, throwIfUnwritable } from './trial-failure.ts';
import type { ResolverVisit } from '../testbed/resolver.ts';
import type { Testbed, Testbeds } from '../testbed/testbed.ts';
import { testbedRequestOf, firstHopOf, type TestbedRequest } from '../testbed/testbed-request.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import { clientCpus, type Pinning } from '../testbed/pinning.ts';
import { startWorker, type WorkerPlace, type WorkerProcess } from './worker-process.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { WorkerPool, type PlacedOrder, type PreparedWorker } from './worker-pool.ts';

export interface Turn {
  readonly trial: PlannedTrial;
  /** The trial's deadline is no later than this, ms; absent: the workload's own. */
  readonly maxMs?: number;
}

export interface RunnerOptions {
  readonly workloads: ReadonlyMap<string, PreparedWorkload>;
  /** Id of the workload that a trial loads. */
  readonly contentOf: (trial: PlannedTrial) => string;
  /** Why the server of a trial cannot serve it, whatever the machine. Absent: each can. */
  readonly refusalOf?: (trial: PlannedTrial, kind: WorkloadKind) => string | undefined;
  /** A client that cannot be had is an error: its trials become `unsupported` with that reason. */
  readonly clients: ReadonlyMap<string, ClientIdentity | H2h3Error>;
  readonly testbeds: Testbeds;
  /** Network that a trial really goes over: its condition's, or the one that stands in for it. */
  readonly networkOf: (trial: PlannedTrial) => string;
  /** What clients are told of the server's certificates. */
  readonly trustOf: (trial: PlannedTrial) => Pick<TrialOrder, 'spkiHash' | 'authority'>;
  /** What opens the live address of a trial; making it may take as long as a log-in. Default: nothing. */
  readonly accessOf?: (trial: PlannedTrial) => Promise<LiveAccess | undefined>;
  readonly pinning: Pinning;
  /** Where clients run, if that is another machine. */
  readonly clientMachine?: {
    readonly startWorker: (place: WorkerPlace) => WorkerProcess;
    readonly cpuCount: number;
  };
  /** By percent of one CPU. */
  readonly cpuShares: ReadonlyMap<number, CpuShare>;
  readonly tempDir: string;
  readonly trialDir: (trialId: string) => string;
  /** Makes the trial's folder anew: the trial begins. */
  readonly clearTrialDir: (trialId: string) => void;
  readonly probesOf: (trial: PlannedTrial, kind: WorkloadKind) => readonly Probe[];
  readonly headed: boolean;
  /** Where servers of this run write their qlogs; absent: they write none. */
  readonly qlogDir?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs trials one after the other, each in a worker process of its own. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #workers: WorkerPool;
  #orders = 0;
  /** How many trials had their turn. */
  #turns = 0;
  /** How often a trial was measured: what is asked of the resolver is counted anew each time. */
  readonly #attempts = new Map<string, number>();
  /** The removal of what the last trial left: done during its evaluation, over before the next trial begins. */
  #cleaning: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { clientMachine, environment } = options;
    this.#workers = new WorkerPool(
      clientMachine?.startWorker ?? ((place) => startWorker(place, environment)),
    );
    options.signal.addEventListener('abort', () => void this.#workers.endAll(), { once: true });
  }

  /**
   * `coming`: the trials after it, in their order. Once this one is measured the client of the first of them is made ready and
   * the modules for the second are loaded; nothing of that is done while anything is measured.
   *
   * Secrets are left out of the outcome as a whole, when all that client, server and app say of the trial is together: what is
   * compared is alike then, and nothing that is written or shown comes from anywhere else.
   *
   * @throws H2h3Error `interrupted` when the signal was given, `storage` when there is no room for what the trial
   * leaves; it then has no outcome and runs again on resume.
   */
  async run(turn: Turn, coming: readonly Turn[] = []): Promise<TrialOutcome> {
    this.#turns++;
    const secrets: string[] = [];
    const startedAt = new Date().toISOString();
    const begunMs = performance.now();
    let outcome: TrialOutcome;
    try {
      const { client, testbed, access } = await this.#openTrial(turn.trial);
      secrets.push(...(access?.secrets ?? []));
      const prepared = await this.#workers.take(this.#placedOrder(turn, client, { testbed, access }));
      const measurement = new Measurement(prepared, testbed);
      try {
        await this.#readyToMeasure(measurement);
        const { limitMs, moments } = measurement.turn(() => this.#prepareNext(coming));
        const done = await prepared.worker.begin(limitMs, moments).finally(() => measurement.over());
        secrets.push(...done.secrets);
        outcome = await measurement.outcome(done);
      } finally {
        await measurement.stop();
        this.#attempts.set(turn.trial.trialId, this.#visitOf(turn.trial).attempt + 1);
        this.#cleaning = this.#clean(prepared);
        this.#cleaning.catch(() => undefined); // told to its awaiter
      }
    } catch (thrown) {
      this.#throwIfInterrupted();
      throwIfUnwritable(thrown);
      outcome = {
        kind: 'not-measured',
        status: statusOf(thrown),
        reason: reasonOfFailure(thrown),
        startedAt,
        durationMs: performance.now() - begunMs,
      };
    }
    return valueWithoutSecrets(outcome, secrets);
  }

  /** Gets everything up that a trial needs on its path. @throws H2h3Error where that cannot be had */
  async open(trial: PlannedTrial): Promise<void> {
    await this.#openTrial(trial);
  }

  /** What a trial is measured with. @throws H2h3Error `unsupported` where its client or server cannot do it */
  async #openTrial(trial: PlannedTrial): Promise<{
    readonly client: ClientIdentity;
    readonly testbed: Testbed | null;
    readonly access: LiveAccess | undefined;
  }> {
    const client = this.#options.clients.get(trial.client);
    if (client === undefined) throw new H2h3Error('internal', `no client ${trial.client}`);
    if (client instanceof H2h3Error) throw new H2h3Error('unsupported', client.message);
    const workload = this.#workload(trial);
    const refusal = this.#refusal(trial, client, workload);
    if (refusal !== undefined) throw new H2h3Error('unsupported', refusal);
    const testbed = hasPath(trial, workload) ? await this.#options.testbeds.open(this.#request(trial)) : null;
    return { client, testbed, access: await this.#access(trial) };
  }

  /** Nothing of the trial before is left, and all that is compared with after the trial is known. */
  async #readyToMeasure(measurement: Measurement): Promise<void> {
    const { order, worker } = measurement.prepared;
    await this.#cleaning;
    this.#options.clearTrialDir(order.trialId);
    await Promise.all([worker.ready, this.#workers.loaded()]);
    await measurement.begin(this.#cpuShareOf(order));
    this.#throwIfInterrupted();
  }

  #cpuShareOf({ factors }: TrialOrder): CpuShare | undefined {
    if (factors.cpu === undefined) return undefined;
    const share = this.#options.cpuShares.get(factors.cpu.percent);
    if (share === undefined)
      throw new H2h3Error('internal', `no control group for ${factors.cpu.percent}% of a CPU`);
    return share;
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

  /** Why client or server cannot do this, whatever the machine. */
  #refusal(trial: PlannedTrial, client: ClientIdentity, workload: PreparedWorkload): string | undefined {
    const driver = driverOf(client.family);
    const byClient = driver.refusal?.(client, workload, this.#protocol(trial), firstHopOf(trial));
    return byClient ?? this.#options.refusalOf?.(trial, workload.kind);
  }

  /** What the trial asks of its testbed. */
  #request(trial: PlannedTrial): TestbedRequest {
    const request = testbedRequestOf({ ...trial, network: this.#options.networkOf(trial) });
    return { ...request, ...this.#loggedConnections(trial) };
  }

  /** Writing qlogs costs a server CPU time over QUIC alone, so servers of timed trials write none. */
  #loggedConnections({ instrumentation }: PlannedTrial): Pick<TestbedRequest, 'qlogDir'> {
    const { qlogDir } = this.#options;
    return instrumentation === 'uninstrumented' || qlogDir === undefined ? {} : { qlogDir };
  }

  /** The same for a trial each time that it is asked for. */
  #access(trial: PlannedTrial): Promise<LiveAccess | undefined> {
    return this.#options.accessOf?.(trial) ?? Promise.resolve(undefined);
  }

  #protocol({ arm, factors }: PlannedTrial): ArmProtocol {
    if (factors.protocol === undefined) throw new H2h3Error('internal', `no protocol for arm ${arm}`);
    return factors.protocol;
  }

  #placedOrder(
    { trial, maxMs }: Turn,
    client: ClientIdentity,
    { testbed, access }: { readonly testbed: Testbed | null; readonly access: LiveAccess | undefined },
  ): PlacedOrder {
    const { pinning, trustOf, headed, probesOf, clientMachine } = this.#options;
    const factors = valuesFor(clientAppliers, trial.factors);
    const cpus = clientCpus(pinning, factors.cpus, clientMachine?.cpuCount ?? availableParallelism());
    const sharedBy =
      1 + (factors.competingflows?.count ?? 0) + (trial.factors['crosstraffic'] === undefined ? 0 : 1);
    const workload = withDeadline(this.#workload(trial), testbed, { maxMs, sharedBy });
    const order: TrialOrder = {
      trialId: trial.trialId,
      instrumentation: trial.instrumentation,
      protocol: this.#protocol(trial),
      client,
      workload,
      ...trustOf(trial),
      headed,
      server:
        testbed === null || workload.live !== undefined
          ? null
          : {
              ...testbed.entry,
              ...(testbed.server.pid === 0 ? {} : { pid: testbed.server.pid }),
              ...(testbed.resolver === undefined
                ? {}
                : { resolver: testbed.resolver.urlFor(this.#visitOf(trial)) }),
              ...this.#loggedConnections(trial),
              ...(testbed.server.fetchLogs === undefined ? {} : { logsElsewhere: true }),
            },
      ...(access === undefined || !isUsersPage(workload) ? {} : { access }),
      factors,
      ownCpus: pinning.serverCpus,
      ...(factors.cpus === undefined || cpus === null ? {} : { clientCpus: cpus }),
      trialDir: this.#options.trialDir(trial.trialId),
      // Two trials overlap: the next one's client starts while this one's evidence is written.
      tempDir: join(this.#options.tempDir, `trial-${this.#orders++}`),
      probes: probesOf(trial, workload.kind).map(({ id }) => id),
      startSignal: testbed?.network.startSignal(trial.blockSeed) ?? null,
      blockSeed: trial.blockSeed,
    };
    const { clientPrefix = [], elsewhere } = testbed?.network ?? {};
    const prefix = [...clientPrefix, ...pinPrefix(cpus)];
    const there = elsewhere === undefined ? {} : { network: elsewhere.network };
    return { order, place: { prefix, family: client.family, ...there } };
  }

  /** The same for a trial until it was measured. */
  #visitOf({ blockSeed, trialId }: PlannedTrial): ResolverVisit {
    return { blockSeed, trialId, attempt: this.#attempts.get(trialId) ?? 0 };
  }

  async #clean({ order, worker }: Pick<PreparedWorker, 'order' | 'worker'>): Promise<void> {
    await this.#workers.release(worker);
    await rm(order.tempDir, { recursive: true, force: true, maxRetries: 3 });
  }

  async #prepareNext([next, afterNext]: readonly Turn[]): Promise<void> {
    if (next === undefined || this.#options.signal.aborted) return;
    const turns = this.#turns;
    const access = await this.#access(next.trial);
    // By now its turn may have come, and its client is being started there.
    if (this.#turns !== turns || this.#options.signal.aborted) return;
    const placed = this.#placedBeforehand(next, access);
    if (placed === null) return;
    this.#workers.prepare(placed);
    const place = afterNext && this.#placedBeforehand(afterNext, undefined)?.place;
    if (place !== undefined) this.#workers.load(place);
  }

  /** What the worker of a later trial will be told and where; null where that is not known before its turn. */
  #placedBeforehand(turn: Turn, access: LiveAccess | undefined): PlacedOrder | null {
    const { trial } = turn;
    const client = this.#options.clients.get(trial.client);
    if (client === undefined || client instanceof H2h3Error) return null;
    const workload = this.#workload(trial);
    if (this.#refusal(trial, client, workload) !== undefined) return null;
    const testbed = hasPath(trial, workload) ? this.#options.testbeds.ready(this.#request(trial)) : null;
    return testbed === undefined ? null : this.#placedOrder(turn, client, { testbed, access });
  }

  /** Ends every worker and its browser. */
  async close(): Promise<void> {
    await this.#workers.endAll();
    await this.#cleaning;
  }
}

/** Whether a trial goes over a path of ours: to a server of ours, or shaped to a live address. */
function hasPath({ network }: PlannedTrial, { roots, live }: PreparedWorkload): boolean {
  return roots.length > 0 || (live !== undefined && network !== liveNetwork);
}

/** A session of video lasts as long as it lasts; what loads to its end is given the time that the path needs. */
function withDeadline(
  workload: PreparedWorkload,
  testbed: Testbed | null,
  {
    maxMs = Number.POSITIVE_INFINITY,
    sharedBy,
  }: { readonly maxMs?: number | undefined; readonly sharedBy: number },
): PreparedWorkload {
  const wireBytes = sharedBy * (workload.facts.wireBytes ?? 0);
  const transferTimeoutMs =
    workload.kind === 'video' ? 0 : (testbed?.network.transferTimeoutMs?.(wireBytes) ?? 0);
  return { ...workload, deadlineMs: Math.min(maxMs, Math.max(workload.deadlineMs, transferTimeoutMs)) };
}
