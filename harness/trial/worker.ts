import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unwritableReason } from '../../src/model/errors.ts';
import { launchers } from '../clients/browsers/registry.ts';
import type { LighthouseOutcome } from '../probes/lighthouse.ts';
import { selectProbes, type Probes } from '../probes/selection.ts';
import type { CpuAffinity } from '../../src/system/processes/cpu-affinity.ts';
import { killDescendants } from '../../src/system/processes/kill-tree.ts';
import type { TrialOrder, WorkerMessage } from './worker-protocol.ts';
import { launchOptions } from './launch-options.ts';
import { runTrial, type MeasuredTrial } from './run-trial.ts';
import { entryUrl } from './workload-address.ts';
import { writeArtifacts } from './write-artifacts.ts';

/** Below the time that a run leaves a worker beyond the deadline of its workload. */
const auditLimitMs = 45_000;
const nothing: LighthouseOutcome = { counters: {}, warnings: [] };

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

async function serve(order: TrialOrder, affinity: CpuAffinity): Promise<void> {
  profilesDir = join(order.tempDir, `p${process.pid}`);
  const launch = launchers[order.client.family];
  const probes = selectProbes(order.workload.kind, order.probes);
  const measured = (): void => say({ type: 'measured' });
  const trial = await runTrial(order, {
    launch,
    probes,
    confine: () => affinity.confine(),
    profileDir: join(profilesDir, 'trial'),
    measured: probes.lighthouse ? () => undefined : measured,
  });
  const audit = probes.lighthouse ? await audited(order, probes, join(profilesDir, 'audit')) : nothing;
  if (probes.lighthouse) measured();
  const startMs = performance.now();
  const { raw, hasHar } = await writeArtifacts(withAudit(trial, audit), order.trialDir);
  say({ type: 'done', raw, hasHar, postProcessMs: performance.now() - startMs });
  removeProfiles();
}

/** An audit in a navigation of its own. Its module is large and loaded only when asked for. */
async function audited(order: TrialOrder, probes: Probes, profileDir: string): Promise<LighthouseOutcome> {
  const { auditWithLighthouse } = await import('../probes/lighthouse.ts');
  return auditWithLighthouse({
    browser: launchOptions(order, probes, profileDir),
    url: entryUrl(order.workload, order.server?.port ?? null),
    trialDir: order.trialDir,
    limitMs: auditLimitMs,
  });
}

function withAudit(trial: MeasuredTrial, { counters, warnings }: LighthouseOutcome): MeasuredTrial {
  const { raw } = trial;
  return {
    ...trial,
    raw: {
      ...raw,
      counters: { ...raw.counters, ...counters },
      warnings: [...raw.warnings, ...warnings],
    },
  };
}

/** Waits for the order, and for the end of the run. */
export function serveTrial(affinity: CpuAffinity): void {
  process.on('SIGTERM', abandon);
  process.on('SIGINT', abandon);
  process.on('SIGHUP', abandon);
  const lines = createInterface({ input: process.stdin });
  lines.once('line', (line) => {
    serve(JSON.parse(line) as TrialOrder, affinity).then(() => process.exit(0), giveUp);
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
