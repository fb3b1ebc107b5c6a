/**
 * Serves one trial and ends: reads a `TrialOrder` from standard input, writes `WorkerMessage` lines on standard
 * output. When its standard input ends, or on SIGTERM, it kills its browser, removes the profile and ends.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launchers } from './browsers/registry.ts';
import { selectProbes } from './probes/selection.ts';
import { killDescendants } from './processes/kill-tree.ts';
import type { TrialOrder, WorkerMessage } from './trial-order.ts';
import { runTrial } from './trial/run-trial.ts';
import { writeArtifacts } from './trial/write-artifacts.ts';

let profileDir: string | null = null;

function say(message: WorkerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function removeProfile(): void {
  if (profileDir === null) return;
  rmSync(profileDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The run is gone, or wants this trial to end now. */
function abandon(): never {
  killDescendants(process.pid);
  removeProfile();
  process.exit(1);
}

async function serve(order: TrialOrder): Promise<void> {
  profileDir = join(order.tempDir, `profile-${process.pid}`);
  const measured = await runTrial(order, {
    launch: launchers[order.client.family],
    probes: selectProbes(order.workload.kind, order.probes),
    profileDir,
  });
  say({ type: 'measured' });
  const startMs = performance.now();
  const { raw, hasHar } = await writeArtifacts(measured, order.trialDir);
  removeProfile();
  say({ type: 'done', raw, hasHar, postProcessMs: performance.now() - startMs });
}

process.on('SIGTERM', abandon);
process.on('SIGINT', abandon);
process.on('SIGHUP', abandon);
const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  serve(JSON.parse(line) as TrialOrder).then(
    () => process.exit(0),
    (thrown: unknown) => {
      process.stderr.write(
        `${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
      );
      abandon();
    },
  );
});
lines.once('close', abandon);
say({ type: 'ready' });
