import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { H2h3Error, unwritableReason } from '../../src/core/model/errors.ts';
import { withoutSecrets } from '../../src/core/model/secrets.ts';
import { driverOf } from '../clients/drivers.ts';
import { ProbeSet } from '../probes/probe-set.ts';
import { probes as allProbes } from '../probes/registry.ts';
import type { CpuAffinity } from '../../src/core/system/processes/cpu-affinity.ts';
import { killDescendants } from '../../src/core/system/processes/kill-tree.ts';
import { StepClock } from './step-clock.ts';
import type { TrialOrder, WorkerCommand, WorkerMessage } from './worker-protocol.ts';
import { runTrial } from './run-trial.ts';
import { writeFailure } from '../clients/journey/write-failure.ts';

/** Profiles lie below it. */
let profilesDir: string | null = null;
/** What opens the page that is loaded, and what its script asked for. */
let secrets: readonly string[] = [];

/** Resolves when the runner's pipe has taken it: what still waits when a process exits is lost. */
function say(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve());
  });
}

function removeProfiles(): void {
  if (profilesDir === null) return;
  rmSync(profilesDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The run is gone, or wants this trial to end now. */
function abandon(): never {
  killDescendants();
  removeProfiles();
  process.exit(1);
}

/** What the runner’s lines after the order say. */
interface LaterLines {
  /** Resolves when the trial's turn has come. */
  readonly begun: Promise<void>;
  /** Resolves with the answer to `hold`. */
  readonly held: Promise<Extract<WorkerCommand, { type: 'held' }>>;
  /** Resolves when the page of a session has told the server that it is over. */
  readonly ended: Promise<void>;
  /** Resolves when what servers of another machine logged is here. */
  readonly fetched: Promise<void>;
}

/** Asks the runner, who may do what the worker must not. @throws H2h3Error `process-failed` with its refusal */
async function hold(rootPid: number, { held }: LaterLines): Promise<void> {
  void say({ type: 'hold', rootPid });
  const { refusal } = await held;
  if (refusal !== undefined)
    throw new H2h3Error('process-failed', `the client could not be held to its share of a CPU: ${refusal}`);
}

async function serve(order: TrialOrder, affinity: CpuAffinity, later: LaterLines): Promise<void> {
  secrets = order.access?.secrets ?? [];
  const clock = new StepClock();
  profilesDir = join(order.tempDir, `p${process.pid}`);
  const probes = new ProbeSet(allProbes.filter(({ id }) => order.probes.includes(id)));
  const measured = (): void => void say({ type: 'measured' });
  const { raw, recording, failure, ...trial } = await runTrial(order, {
    driver: driverOf(order.client.family),
    probes,
    begun: later.begun,
    ended: later.ended,
    clock,
    confine: () => affinity.confine(order.ownCpus),
    hold: order.factors.cpu !== undefined ? (rootPid) => hold(rootPid, later) : () => Promise.resolve(),
    profileDir: join(profilesDir, 'trial'),
    probesDir: join(profilesDir, 'probes'),
    measured: probes.measuresAgain ? () => undefined : measured,
  });
  affinity.end();
  secrets = trial.secrets;
  if (probes.measuresAgain) {
    await probes.measureAgain(recording);
    measured();
  }
  if (order.server?.logsElsewhere === true) {
    void say({ type: 'fetch' });
    await later.fetched;
  }
  const startMs = performance.now();
  const left = await probes.teardown(recording);
  const ofFailure = failure === null ? {} : writeFailure(order.trialDir, failure);
  clock.end('write the evidence');
  const whole = {
    ...raw,
    ...left.raw,
    counters: left.counters,
    warnings: [...raw.warnings, ...left.warnings],
  };
  await say({
    type: 'done',
    raw: whole,
    secrets,
    artifacts: { ...left.artifacts, ...ofFailure },
    postProcessMs: performance.now() - startMs,
    steps: clock.steps,
  });
  removeProfiles();
}

/** Waits for the order, for the trial's turn, and for the end of the run. */
export async function serveTrial(affinity: CpuAffinity, family: string): Promise<void> {
  process.on('SIGTERM', abandon);
  process.on('SIGINT', abandon);
  process.on('SIGHUP', abandon);
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Extract<WorkerCommand, { type: 'held' }>>();
  const ended = Promise.withResolvers<void>();
  const fetched = Promise.withResolvers<void>();
  const later = {
    begun: begun.promise,
    held: held.promise,
    ended: ended.promise,
    fetched: fetched.promise,
  };
  const loaded = driverOf(family).preload?.();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const command = JSON.parse(line) as WorkerCommand;
    if (command.type === 'begin') begun.resolve();
    else if (command.type === 'held') held.resolve(command);
    else if (command.type === 'ended') ended.resolve();
    else if (command.type === 'fetched') fetched.resolve();
    else
      serve(command.order, affinity, later).then(
        () => process.exit(0),
        (thrown) => void giveUp(thrown),
      );
  });
  lines.once('close', abandon);
  await loaded;
  void say({ type: 'ready' });
}

async function giveUp(thrown: unknown): Promise<never> {
  const reason = unwritableReason(thrown);
  if (reason !== undefined) await say({ type: 'unwritable', reason });
  const told = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`${withoutSecrets(told, secrets)}\n`);
  abandon();
}
