import { rmSync } from 'node:fs';
import type { AppContext, Progress } from '../app-context.ts';
import { intervalsOf, measureEffect } from '../../analyse/comparison/effect.ts';
import type { CompletePair } from '../../analyse/comparison/paired-values.ts';
import { locationTests } from '../../analyse/statistics/location-test.ts';
import type { Environment, HostAa } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { recordTrial } from './measure-blocks.ts';
import type { RunResources } from './open-resources.ts';
import type { PendingRun } from './pending-run.ts';

/** Begins the ids of trials by which a host shows that it finds no difference where there is none. */
export const aaPrefix = 'aa-';
const maxBlocks = 6;
/** The fewest of which the t test gives an interval. */
const minBlocks = 4;
/** What the trials of it may take together, as far as the fewest blocks allow, ms. */
const maxMs = 60_000;
/** A host that is fit is refused once in a thousand times at the most. */
const refusalLevel = 0.001;

/** A comparison of one arm with itself. */
export interface AaPlan {
  readonly trials: readonly PlannedTrial[];
  readonly metric: string;
  readonly margin: number;
}

/** The baseline arm against itself, block by block: in each condition of the plan, those with the shortest trials first. */
export function aaPlans(plan: Plan, expectedTrialMs: (trial: PlannedTrial) => number): AaPlan[] {
  const baseline = plan.trials.filter(
    ({ arm, instrumentation }) => instrumentation === 'uninstrumented' && arm === plan.arms[0]?.label,
  );
  // A part of a plan has some blocks of it only, so each condition is looked for where it is.
  const byCondition = Map.groupBy(baseline, ({ workload, client, network, server }) =>
    JSON.stringify([workload, client, network, server]),
  );
  return [...byCondition.values()]
    .flatMap(([first]) => first ?? [])
    .toSorted((a, b) => expectedTrialMs(a) - expectedTrialMs(b))
    .map((like) => {
      const affordable = Math.floor(maxMs / (2 * Math.max(1, expectedTrialMs(like))));
      const blocks = Math.min(maxBlocks, Math.max(minBlocks, affordable));
      const trials = Array.from({ length: 2 * blocks }, (_, index): PlannedTrial => ({
        ...like,
        trialId: `${aaPrefix}${index}`,
        blockIndex: Math.floor(index / 2),
      }));
      const kind = plan.workloads.find(({ id }) => id === like.workload)?.kind;
      const metric = (kind && plan.primary[kind]) ?? '';
      return { trials, metric, margin: plan.margins[metric] ?? metricDefinition(metric)?.margin ?? 0.05 };
    });
}

/**
 * The A/A of a host that is about to take part in a run, in the first condition that this host can measure at all; null
 * where it can measure none, which the run itself then says of each trial.
 *
 * @param run measures one trial and keeps nothing of it; `coming` are those after it
 * @throws H2h3Error `bad-input` for a host that finds a difference beyond the margin, or whose trials fail
 */
export async function compareWithItself(
  plan: Plan,
  expectedTrialMs: (trial: PlannedTrial) => number,
  progress: Progress,
  run: (trial: PlannedTrial, coming: readonly PlannedTrial[]) => Promise<TrialRecord>,
): Promise<HostAa | null> {
  for (const asked of aaPlans(plan, expectedTrialMs)) {
    const records: TrialRecord[] = [];
    for (const [index, trial] of asked.trials.entries()) {
      progress.reporter({
        title: `A/A of this host ${index + 1}/${asked.trials.length}: ${trial.workload} ${trial.arm}`,
      });
      const record = await run(trial, asked.trials.slice(index + 1, index + 3));
      if (record.status === 'unsupported') break;
      records.push(record);
    }
    if (records.length < asked.trials.length) continue;
    const aa = judgeAa(asked, records);
    progress.say(`A/A of this host: ${aaWords(aa)}; it takes part`);
    return aa;
  }
  return null;
}

/**
 * What the records of a comparison say of this host. The arm that goes first changes from block to block, so that a drift is no effect.
 *
 * @throws H2h3Error `bad-input` for a host that finds a difference beyond the margin, or whose trials fail
 */
export function judgeAa({ metric, margin }: AaPlan, records: readonly TrialRecord[]): HostAa {
  const [first] = records;
  if (first === undefined) throw new H2h3Error('internal', 'no trial of the A/A was run');
  const valueOf = (record: TrialRecord | undefined): number | null =>
    record?.status === 'ok' ? (numericMetric(record.metrics, metric) ?? null) : null;
  const blocks = Map.groupBy(records, ({ blockIndex }) => blockIndex);
  const pairs = [...blocks].flatMap(([blockIndex, [firstRun, secondRun]]): CompletePair[] => {
    const earlier = valueOf(firstRun);
    const later = valueOf(secondRun);
    if (earlier === null || later === null) return [];
    const [baseline, candidate] = blockIndex % 2 === 0 ? [earlier, later] : [later, earlier];
    return [{ blockIndex, baseline, candidate }];
  });
  if (pairs.length < minBlocks) throw tooFew(records, pairs.length);
  const form = metricDefinition(metric)?.form ?? 'ratio';
  const effect = measureEffect(pairs, { form, margin }, locationTests.t);
  const { ratioInterval, differenceInterval } = intervalsOf(effect, 0.95);
  const { workload, client, network, server, arm } = first;
  const aa: HostAa = {
    workload,
    client,
    network,
    server,
    arm,
    metric,
    margin,
    blocks: pairs.length,
    ratio: effect.form === 'ratio' && effect.estimate !== null ? Math.exp(effect.estimate) : null,
    ratioInterval,
    difference: effect.difference,
    differenceInterval,
    pBeyondMargin: effect.margins?.pBeyondMargin ?? null,
  };
  if ((aa.pBeyondMargin ?? 1) < refusalLevel)
    throw new H2h3Error(
      'bad-input',
      `this host finds a difference between ${arm} and itself: ${aaWords(aa)}, beyond the margin of ${100 * margin} % (p = ${aa.pBeyondMargin?.toPrecision(2)})`,
      { next: 'Look for what else runs on it (`npx h2h3 doctor`), and begin again.' },
    );
  return aa;
}

function tooFew(records: readonly TrialRecord[], pairs: number): H2h3Error {
  const reason = records.find(({ status }) => status !== 'ok')?.reason ?? 'no value';
  return new H2h3Error(
    'bad-input',
    `this host cannot run the plan: ${pairs} of ${records.length / 2} blocks of its A/A are valid, such as: ${reason}`,
    { next: 'Fix it (`npx h2h3 doctor`), and start again.' },
  );
}

/** Such as `pltMs +0.4 % (-1.2 % to 2 %) in 6 blocks`. */
export function aaWords({
  metric,
  ratio,
  ratioInterval,
  difference,
  differenceInterval,
  blocks,
}: HostAa): string {
  const percent = (value: number): string => {
    const change = 100 * (value - 1);
    return `${change > 0 ? '+' : ''}${change.toFixed(Math.abs(change) < 10 ? 1 : 0)} %`;
  };
  const plain = (value: number): string => value.toPrecision(3);
  const [value, interval, words] =
    ratio === null
      ? ([difference, differenceInterval, plain] as const)
      : ([ratio, ratioInterval, percent] as const);
  const ends = interval === null ? '' : ` (${interval.map(words).join(' to ')})`;
  return `${metric} ${value === null ? 'without an estimate' : words(value)}${ends} in ${blocks} blocks`;
}

/** As `compareWithItself`, once for each host that shares a run: where it comes again, what it found first stands. */
export async function aaOfHost(
  resources: RunResources,
  earlier: Environment | null,
  { shared, directory, expectedTrialMs }: PendingRun,
  context: AppContext,
): Promise<Pick<Environment, 'aa'>> {
  if (shared === undefined && directory.plan.shard === undefined) return {};
  const before = earlier ?? (await shared?.joinedBefore()) ?? null;
  if (before !== null) return before.aa === undefined ? {} : { aa: before.aa };
  const aa = await compareWithItself(
    directory.plan,
    expectedTrialMs,
    context.progress,
    async (trial, coming) => {
      const turns = coming.map((trial) => ({ trial }));
      const outcome = await resources.runner.run({ trial }, turns);
      const record = await recordTrial(resources, { trial, outcome }, directory);
      rmSync(directory.trialDir(trial.trialId), { recursive: true, force: true });
      return record;
    },
  );
  return aa === null ? {} : { aa };
}
