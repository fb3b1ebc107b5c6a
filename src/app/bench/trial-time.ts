import { join } from 'node:path';
import { benchRow, type BenchRow } from '../../../harness/bench/bench-row.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import type { Runner } from '../../../harness/trial/runner.ts';
import { pageWorkloads } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { Instrumentation } from '../../core/model/instrumentation.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { finishTrial } from '../run/finish-trial.ts';
import { prepareContextOf } from '../run/prepare-run.ts';
import { plannedTrial, withRunner, type RunnerBenchOptions } from './bench-runner.ts';

const group = 'trial to trial';
const pageId = 'page-agency';
const protocol = 'h2';
/** What one trial of this page after the other may take in a full browser, on two idle cores. */
const atMostMs = 1000;

export interface TrialFolder {
  readonly workload: PreparedWorkload;
  readonly runDir: string;
}

/** How a trial was made. */
interface Way {
  readonly instrumentation: Instrumentation;
  /** Whether its client was made ready while the trial before was evaluated, as in a run. */
  readonly readied: boolean;
}

/** As most trials of a run are. */
const usual: Way = { instrumentation: 'uninstrumented', readied: true };
const cold: Way = { instrumentation: 'uninstrumented', readied: false };
const recorded: Way = { instrumentation: 'instrumented', readied: true };
const ways = [usual, cold, recorded];

/** One trial after the other: how long from one to the next, and where that went, ms by step. */
interface Measured {
  readonly way: Way;
  readonly totalMs: number;
  readonly steps: ReadonlyMap<string, number>;
}

/** So many trials of one way follow each other, then so many of the next; the first two, readied in another way, are not counted. */
const inARow = 4;
const notCounted = 2;
/** Step of a trial that is the page’s own time, and not the instrument’s. */
export const loadStep = 'load, and quiet time after it';

/**
 * The wall time from one trial to the next as in a run: cold loads of one page over HTTP/2, each with its HAR and record.
 * Next to it the same without a client that was made ready, and of recorded trials, which have frames and Speed Index.
 */
export async function trialTime(
  options: RunnerBenchOptions,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const workload = await benchPage(options);
  const rows: BenchRow[] = [];
  for (const client of clients.filter(({ build }) => build !== 'command-line'))
    rows.push(...rowsOf(client, workload.quietMs, await measuredWith(options, client, workload)));
  return rows;
}

async function measuredWith(
  options: RunnerBenchOptions,
  client: ClientIdentity,
  workload: PreparedWorkload,
): Promise<Measured[]> {
  const runDir = join(options.tempDir, `trial-time-${client.id}`);
  return withRunner(options, { client, workload, runDir }, (runner) =>
    oneAfterTheOther(options, runner, client, { workload, runDir }),
  );
}

async function oneAfterTheOther(
  { serverProvider, repetitions, progress, signal }: RunnerBenchOptions,
  runner: Runner,
  client: ClientIdentity,
  place: TrialFolder,
): Promise<Measured[]> {
  const rows = Array.from({ length: Math.ceil(repetitions / (inARow - notCounted)) }, () => ways).flat();
  const trials = rows.flatMap((way, row) =>
    Array.from({ length: inARow }, (_, at) => ({
      way,
      trial: plannedTrial(row * inARow + at, {
        client,
        workload: place.workload,
        server: serverProvider.id,
        factors: { protocol },
        instrumentation: way.instrumentation,
      }),
    })),
  );
  const measured: Measured[] = [];
  for (const [index, { way, trial }] of trials.entries()) {
    signal.throwIfAborted();
    progress(`${client.id}, trial ${index + 1} of ${trials.length}`);
    const coming = way.readied ? trials.slice(index + 1, index + 3) : [];
    const time = await oneTrial(runner, trial, coming, place);
    if (index % inARow >= notCounted) measured.push({ way, ...time });
  }
  return measured;
}

/** Runs one trial and keeps its record, as a run does. */
export async function oneTrial(
  runner: Runner,
  trial: PlannedTrial,
  coming: Parameters<Runner['run']>[1],
  { runDir, workload }: TrialFolder,
): Promise<Omit<Measured, 'way'>> {
  const begunMs = performance.now();
  const outcome = await runner.run({ trial }, coming);
  const ranMs = performance.now();
  const record = await finishTrial(trial, outcome, {
    runDir,
    workload,
    protocol,
    trialDir: join(runDir, trial.trialId),
  });
  if (outcome.kind !== 'measured' || record.status !== 'ok')
    throw new H2h3Error('process-failed', `a bench trial is ${record.status}: ${record.reason ?? ''}`);
  const endMs = performance.now();
  const steps = new Map(outcome.steps.map(({ name, durationMs }) => [name, durationMs]));
  steps.set('derive metrics and the record', endMs - ranMs);
  return { totalMs: endMs - begunMs, steps };
}

function rowsOf(client: ClientIdentity, quietMs: number, measured: readonly Measured[]): BenchRow[] {
  const subject = `${client.id} ${client.version}`.trim();
  const full = client.family === 'chromium' && client.build === 'full';
  const row = (
    quantity: string,
    way: Way,
    valueOf: (measured: Measured) => number,
    more: { readonly atMost?: number; readonly note?: string } = {},
  ): BenchRow => {
    const values = measured.filter((one) => one.way === way).map(valueOf);
    return benchRow({ group, subject, quantity, unit: 'ms', values, ...more });
  };
  const totalMs = (one: Measured): number => one.totalMs;
  const otherMs = (one: Measured): number => one.totalMs - (one.steps.get(loadStep) ?? 0);
  const names = [...new Set(measured.flatMap(({ steps }) => [...steps.keys()]))];
  return [
    row(`${pageId} over HTTP/2, from trial to trial`, usual, totalMs, {
      ...(full ? { atMost: atMostMs } : {}),
      note: `timed trials; HAR and ${quietMs} ms of quiet time included`,
    }),
    row('of it, without load and quiet time', usual, otherMs),
    row('the same where no client was made ready', cold, totalMs),
    row('of that, without load and quiet time', cold, otherMs),
    row('recorded trials', recorded, totalMs, { note: 'frames and Speed Index included' }),
    row('of that, without load and quiet time', recorded, otherMs),
    ...names.map((name) => row(name, usual, ({ steps }) => steps.get(name) ?? 0)),
  ];
}

/** The page that is loaded again and again. */
export async function benchPage({
  setup,
  port,
}: Pick<RunnerBenchOptions, 'setup' | 'port'>): Promise<PreparedWorkload> {
  const page = pageWorkloads().find(({ id }) => id === pageId);
  if (page === undefined) throw new H2h3Error('internal', `no page is called ${pageId}`);
  return page.prepare(prepareContextOf(setup, port));
}
