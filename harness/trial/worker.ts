import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { H2h3Error, unwritableReason } from '../../src/model/errors.ts';
import { driverOf } from '../clients/drivers.ts';
import { ProbeSet } from '../probes/probe-set.ts';
import { probes as allProbes } from '../probes/registry.ts';
import type { CpuAffinity } from '../../src/system/processes/cpu-affinity.ts';
import { killDescendants } from '../../src/system/processes/kill-tree.ts';
import type { HoldAnswer, TrialOrder, WorkerMessage } from './worker-protocol.ts';
import { runTrial } from './run-trial.ts';

/** Profiles lie below it. */
let profilesDir: string | null = null;

function say(message: WorkerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function removeProfiles(): void {
  if (profilesDir === null) return;
  rmSync(profilesDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The run is gone, or wants this trial to end now. */
function abandon(): never {
  killDescendants(process.pid);
  removeProfiles();
  process.exit(1);
}

/** Asks the runner, who may do what the worker must not. @throws H2h3Error `process-failed` with its refusal */
async function hold(rootPid: number, lines: Interface): Promise<void> {
  const answered = once(lines, 'line');
  say({ type: 'hold', rootPid });
  const [line] = (await answered) as [string];
  const { refusal } = JSON.parse(line) as HoldAnswer;
  if (refusal !== undefined)
    throw new H2h3Error('process-failed', `the client could not be held to its share of a CPU: ${refusal}`);
}

async function serve(order: TrialOrder, affinity: CpuAffinity, lines: Interface): Promise<void> {
  profilesDir = join(order.tempDir, `p${process.pid}`);
  const probes = new ProbeSet(allProbes.filter(({ id }) => order.probes.includes(id)));
  await mkdir(order.trialDir, { recursive: true });
  const measured = (): void => say({ type: 'measured' });
  const { raw, recording } = await runTrial(order, {
    driver: driverOf(order.client.family),
    probes,
    confine: async (rootPid) => {
      const confined = await affinity.confine();
      if (order.sharesCpu) await hold(rootPid, lines);
      return confined;
    },
    profileDir: join(profilesDir, 'trial'),
    probesDir: join(profilesDir, 'probes'),
    measured: probes.measuresAgain ? () => undefined : measured,
  });
  if (probes.measuresAgain) {
    await probes.measureAgain(recording);
    measured();
  }
  const startMs = performance.now();
  const left = await probes.teardown(recording);
  say({
    type: 'done',
    raw: { ...raw, ...left.raw, counters: left.counters, warnings: [...raw.warnings, ...left.warnings] },
    artifacts: left.artifacts,
    postProcessMs: performance.now() - startMs,
  });
  removeProfiles();
}

/** Waits for the order, and for the end of the run. */
export function serveTrial(affinity: CpuAffinity): void {
  process.on('SIGTERM', abandon);
  process.on('SIGINT', abandon);
  process.on('SIGHUP', abandon);
  const lines = createInterface({ input: process.stdin });
  lines.once('line', (line) => {
    serve(JSON.parse(line) as TrialOrder, affinity, lines).then(() => process.exit(0), giveUp);
  });
  lines.once('close', abandon);
  say({ type: 'ready' });
}

function giveUp(thrown: unknown): never {
  const reason = unwritableReason(thrown);
  if (reason !== undefined) say({ type: 'unwritable', reason });
  process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
  abandon();
}
