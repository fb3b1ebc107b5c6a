import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { benchRow, type BenchRow } from '../../../harness/bench/bench-row.ts';
import type { BenchHarnessOptions } from '../../../harness/bench/bench-harness.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { selectProbes } from '../../../harness/probes/selection.ts';
import { Testbeds } from '../../../harness/testbed/testbed.ts';
import { Runner } from '../../../harness/trial/runner.ts';
import { pageWorkloads } from '../../../sites/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import type { PreparedWorkload } from '../../model/workload.ts';
import { finishTrial } from '../run/finish-trial.ts';
import { prepareContextOf } from '../run/prepare-run.ts';

const group = 'trial to trial';
const pageId = 'page-agency';
const protocol = 'h2';
/** What one trial of this page after the other may take in a full browser, on two idle cores. */
const atMostMs = 1000;

type TrialTimeOptions = Pick<
  BenchHarnessOptions,
  | 'setup'
  | 'certificates'
  | 'serverProvider'
  | 'pinning'
  | 'port'
  | 'tempDir'
  | 'environment'
  | 'repetitions'
  | 'signal'
  | 'progress'
>;

/** One trial after the other: how long from one to the next, and where that went, ms by step. */
interface Measured {
  readonly totalMs: number;
  readonly steps: ReadonlyMap<string, number>;
}

/**
 * The wall time from one trial to the next as in a run: cold loads of one page over HTTP/2, with HAR, frames, Speed
 * Index and the record. The first two are not counted: nothing was made ready for them.
 */
export async function trialTime(
  options: TrialTimeOptions,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const page = pageWorkloads().find(({ id }) => id === pageId);
  if (page === undefined) throw new H2h3Error('internal', `no page is called ${pageId}`);
  const workload = await page.prepare(prepareContextOf(options.setup, options.port));
  const rows: BenchRow[] = [];
  for (const client of clients.filter(({ build }) => build !== 'command-line'))
    rows.push(...rowsOf(client, workload.quietMs, await measuredWith(options, client, workload)));
  return rows;
}

async function measuredWith(
  options: TrialTimeOptions,
  client: ClientIdentity,
  workload: PreparedWorkload,
): Promise<Measured[]> {
  const testbeds = testbedsOf(options, workload);
  const runDir = join(options.tempDir, `trial-time-${client.id}`);
  const trialDir = (trialId: string): string => join(runDir, trialId);
  const { certificates, pinning, tempDir, environment, signal } = options;
  const runner = new Runner({
    ...{ testbeds, trialDir, pinning, tempDir, environment, signal },
    workloads: new Map([[workload.id, workload]]),
    contentOf: () => workload.id,
    clients: new Map([[client.id, client]]),
    networkOf: () => loopback.id,
    spkiHash: certificates.spkiHash,
    cpuShares: new Map(),
    clearTrialDir: (trialId) => {
      rmSync(trialDir(trialId), { recursive: true, force: true });
      mkdirSync(trialDir(trialId), { recursive: true });
    },
    probesOf: (_, kind) => selectProbes(kind, []),
    headed: false,
  });
  try {
    return await oneAfterTheOther(options, runner, client, { workload, runDir, trialDir });
  } finally {
    await runner.close();
    await testbeds.stop();
  }
}

function testbedsOf(options: TrialTimeOptions, { roots }: PreparedWorkload): Testbeds {
  const { serverProvider, certificates, pinning, port, tempDir, environment } = options;
  return new Testbeds({
    ...{ certificates, pinning, port, tempDir, environment, roots },
    networks: new Map([[loopback.id, loopback]]),
    servers: new Map([[serverProvider.id, serverProvider]]),
    runId: 'trial-time',
    tcpCongestionControl: null,
    allowCongestionMismatch: true,
  });
}

async function oneAfterTheOther(
  { serverProvider, repetitions, progress, signal }: TrialTimeOptions,
  runner: Runner,
  client: ClientIdentity,
  place: {
    readonly workload: PreparedWorkload;
    readonly runDir: string;
    readonly trialDir: (id: string) => string;
  },
): Promise<Measured[]> {
  const trials = Array.from({ length: repetitions + 2 }, (_, index) =>
    plannedTrial(index, client, place.workload, serverProvider.id),
  );
  const measured: Measured[] = [];
  for (const [index, trial] of trials.entries()) {
    signal.throwIfAborted();
    progress(`${client.id}, trial ${index + 1} of ${trials.length}`);
    const begunMs = performance.now();
    const coming = trials.slice(index + 1, index + 3).map((one) => ({ trial: one }));
    const outcome = await runner.run({ trial }, coming);
    const ranMs = performance.now();
    const { runDir, workload } = place;
    const record = await finishTrial(trial, outcome, {
      ...{ runDir, workload, protocol, trialDir: place.trialDir(trial.trialId) },
    });
    if (outcome.kind !== 'measured' || record.status !== 'ok')
      throw new H2h3Error('process-failed', `a bench trial is ${record.status}: ${record.reason ?? ''}`);
    const endMs = performance.now();
    const steps = new Map(outcome.steps.map(({ name, durationMs }) => [name, durationMs]));
    steps.set('derive metrics and the record', endMs - ranMs);
    if (index >= 2) measured.push({ totalMs: endMs - begunMs, steps });
  }
  return measured;
}

function plannedTrial(
  index: number,
  { id }: ClientIdentity,
  workload: PreparedWorkload,
  server: string,
): PlannedTrial {
  return {
    trialId: `trial-${index}`,
    conditionId: 'bench',
    blockIndex: index,
    arm: protocol,
    workload: workload.id,
    client: id,
    network: loopback.id,
    server,
    factors: { protocol },
    blockSeed: index,
  };
}

function rowsOf(client: ClientIdentity, quietMs: number, measured: readonly Measured[]): BenchRow[] {
  const subject = `${client.id} ${client.version}`.trim();
  const full = client.family === 'chromium' && client.build === 'full';
  const total = benchRow({
    ...{ group, subject, unit: 'ms', quantity: `${pageId} over HTTP/2, from trial to trial` },
    values: measured.map(({ totalMs }) => totalMs),
    ...(full ? { atMost: atMostMs } : {}),
    note: `HAR, frames, Speed Index and ${quietMs} ms of quiet time included`,
  });
  const names = [...(measured[0]?.steps.keys() ?? [])];
  return [
    total,
    ...names.map((name) =>
      benchRow({
        ...{ group, subject, unit: 'ms', quantity: name },
        values: measured.map(({ steps }) => steps.get(name) ?? 0),
      }),
    ),
  ];
}
