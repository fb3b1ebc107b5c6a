import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { parseBudget, type Budget } from '../../core/metrics/budget.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import type { BudgetCheck, BudgetReport, BudgetVerdict } from '../../core/model/budget.ts';
import type { Environment } from '../../core/model/environment.ts';
import { namesFrom, nameTable, type Names } from '../../core/model/names.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import {
  buildTrialTable,
  conditionsWith,
  usableValue,
  type ConditionTrials,
} from '../comparison/trial-table.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { describeSample } from '../statistics/quantile.ts';
import { minSigns, medianAboveP, medianBelowP } from '../statistics/sign-test.ts';
import { be, counted, pText, quantity } from '../figures/figures.ts';

/** One-sided, as a budget is. */
const level = 0.05;
const intervalLevel = 0.95;

export interface BudgetOptions {
  readonly environment?: Environment | null;
  /** Whether more trials were lost than a run may lose: then nothing is kept. */
  readonly trialsFailed?: boolean;
}

/** A check before the family of all is known. */
interface Draft {
  readonly facts: Omit<BudgetCheck, 'adjustedPExceeded' | 'verdict' | 'sentence'>;
  readonly title: string;
  readonly boundWords: string;
  readonly pExceeded: number | null;
}

/** Evidence of a journey that only its steps have. */
const evidenceOfSteps: readonly string[] = ['step', 'page'];

/** Whether a metric can be had there: a step has what some trial of it has, the whole journey what not only steps have. */
function canBeHad({ kind, step, recordsByArm }: ConditionTrials, { name, kinds, formulas }: Metric): boolean {
  if (!kinds.includes(kind)) return false;
  if (step === undefined)
    return (
      kind !== 'journey' || !Object.keys(formulas).every((evidence) => evidenceOfSteps.includes(evidence))
    );
  return [...recordsByArm.values()].some((ofArm) =>
    [...ofArm.values()].some(({ metrics }) => numericMetric(metrics, name) !== undefined),
  );
}

/** Where a budget is judged. One that nothing here has is judged, and open, where its kind of workload was to be measured. */
function conditionsFor(
  { metric }: Budget,
  conditions: readonly ConditionTrials[],
): readonly ConditionTrials[] {
  const able = conditions.filter((condition) => canBeHad(condition, metric));
  return able.length > 0
    ? able
    : conditions.filter(({ kind, step }) => step === undefined && metric.kinds.includes(kind));
}

function drafts(
  { condition, kind, recordsByArm }: ConditionTrials,
  { metric, bound, isInclusive, limit }: Budget,
  arms: readonly string[],
): Draft[] {
  const { workload, client, network, server } = condition;
  return arms.map((arm) => {
    const records = [...(recordsByArm.get(arm)?.values() ?? [])];
    const sample = records.flatMap((record) => usableValue(record, metric) ?? []);
    const below = medianBelowP(sample, limit, isInclusive && bound === 'below');
    const above = medianAboveP(sample, limit, isInclusive && bound === 'above');
    const facts = {
      workload,
      workloadKind: kind,
      client,
      network,
      server,
      arm,
      metric: metric.name,
      unit: metric.unit,
      bound,
      limit,
      n: sample.length,
      median: describeSample(sample).median,
      interval: toPair(medianInterval(sample, intervalLevel)),
      pKept: bound === 'below' ? below : above,
    };
    const words = isInclusive ? { below: 'at most', above: 'at least' } : { below: 'below', above: 'above' };
    return {
      facts,
      title: metric.title,
      boundWords: words[bound],
      pExceeded: bound === 'below' ? above : below,
    };
  });
}

function toPair(interval: readonly [number, number] | null): [number, number] | null {
  return interval === null ? null : [interval[0], interval[1]];
}

/** Least number of trials, all of them beyond the limit, that show it exceeded among so many other limits (Holm). */
export function minToExceed(limits: number): number {
  return Math.max(minSigns, Math.floor(Math.log2(limits / level)) + 1);
}

/** @param limits how many are judged together */
function undecidedReason(n: number, pExceeded: number | null, limits: number): string {
  const fewest = minToExceed(limits);
  if (n < minSigns)
    return fewest === minSigns
      ? `${minSigns} trials can decide, this has fewer`
      : `${minSigns} trials can show that it is kept and, with ${limits} limits, ${fewest} that it is exceeded, this has fewer`;
  return pExceeded !== null && pExceeded < level && n < fewest
    ? `it may be exceeded, but with ${limits} limits only ${fewest} trials or more can show that`
    : 'the median may lie on either side';
}

function verdictOf(pKept: number | null, adjustedPExceeded: number | null): BudgetVerdict {
  if (adjustedPExceeded !== null && adjustedPExceeded < level) return 'exceeded';
  return pKept !== null && pKept < level ? 'kept' : 'undecided';
}

function judged(
  { facts, title, boundWords, pExceeded }: Draft,
  { adjustedPExceeded, limits, names }: { adjustedPExceeded: number | null; limits: number; names: Names },
): BudgetCheck {
  const verdict = verdictOf(facts.pKept, adjustedPExceeded);
  const { workload, workloadKind, network, arm, median: middle, interval, unit, n, bound, limit } = facts;
  const where = `${names.workload(workload, workloadKind)}, ${names.shortNetwork(network)}, ${armNameOfLabel(arm)}`;
  const figures =
    middle === null
      ? 'no valid trial'
      : `median ${quantity(middle, unit)}${interval === null ? '' : ` (95 % interval ${quantity(interval[0], unit)} to ${quantity(interval[1], unit)})`} of ${counted(n, 'trial')}`;
  const budget = `budget ${boundWords} ${quantity(limit, unit)}`;
  const why = {
    kept: `kept (${pText(facts.pKept ?? 1)})`,
    exceeded: `${bound === 'below' ? 'exceeded' : 'missed'} (${pText(adjustedPExceeded ?? 1)})`,
    undecided: `not decided: ${undecidedReason(n, pExceeded, limits)}`,
  }[verdict];
  return {
    ...facts,
    adjustedPExceeded,
    verdict,
    sentence: `${where}: ${title} ${figures}, ${budget}: ${why}.`,
  };
}

function outcomeOf(checks: readonly BudgetCheck[]): BudgetVerdict {
  if (checks.some(({ verdict }) => verdict === 'exceeded')) return 'exceeded';
  return checks.length > 0 && checks.every(({ verdict }) => verdict === 'kept') ? 'kept' : 'undecided';
}

/** How many of those that are not decided have their median beyond the limit, for who reads the headline alone. */
function beyondWords(checks: readonly BudgetCheck[]): string {
  const beyond = checks.filter(
    ({ verdict, median, limit, bound }) =>
      verdict === 'undecided' && median !== null && (bound === 'below' ? median > limit : median < limit),
  ).length;
  return beyond === 0 ? '' : `, with the median of ${beyond} beyond the limit`;
}

function headlineOf(checks: readonly BudgetCheck[], trialsFailed: boolean): string[] {
  const count = (wanted: BudgetVerdict): number => checks.filter(({ verdict }) => verdict === wanted).length;
  const all = counted(checks.length, 'budget');
  const over = count('exceeded');
  const open = count('undecided');
  const first = {
    exceeded: `${over} of ${all} ${be(over)} exceeded.`,
    kept: `All of ${all} are kept.`,
    undecided: `None of ${all} is shown to be exceeded, ${open} ${be(open)} not decided${beyondWords(checks)}.`,
  }[outcomeOf(checks)];
  return trialsFailed
    ? [first, 'Too many trials were lost for a run that counts, so nothing is kept.']
    : [first];
}

/**
 * Judges a run against absolute limits: each budget for each arm of each condition that has its metric. A budget is
 * exceeded when the median lies beyond it for certain, whatever else was asked (Holm over all); all are kept only when
 * each is, which needs no adjustment (intersection-union test, Berger, Technometrics 24, 1982). Pure.
 */
export function judgeBudgets(
  plan: Plan,
  records: readonly TrialRecord[],
  { environment = null, trialsFailed = false }: BudgetOptions = {},
): BudgetReport {
  const budgets = (plan.budgets ?? []).map(parseBudget);
  const trials = buildTrialTable(plan, records);
  const arms = plan.arms.map(({ label }) => label);
  const found = budgets.flatMap((budget) =>
    conditionsFor(budget, conditionsWith(budget.metric, trials)).flatMap((trials) =>
      drafts(trials, budget, arms),
    ),
  );
  const adjusted = adjustPValues(
    found.map(({ pExceeded }) => pExceeded),
    'holm',
  );
  const limits = found.filter(({ pExceeded }) => pExceeded !== null).length;
  const table = nameTable({ workloads: plan.workloads, environment });
  const names = namesFrom(table);
  const checks = found.map((draft, index) =>
    judged(draft, { adjustedPExceeded: adjusted[index] ?? null, limits, names }),
  );
  return {
    schemaVersion: 1,
    run: plan.name,
    command: plan.command,
    outcome: outcomeOf(checks),
    trialsFailed,
    headline: headlineOf(checks, trialsFailed),
    checks,
    names: table,
  };
}
