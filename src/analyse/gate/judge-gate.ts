import type { FirstScreen } from '../../core/model/first-screen.ts';
import { repeatedByGate, type Gate, type GateComparison, type GateOutcome } from '../../core/model/gate.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Environment } from '../../core/model/environment.ts';
import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import { hasWorseSite } from '../../core/model/summary.ts';
import { firstScreenOf } from '../answers/first-screen.ts';
import { minimumBlocks } from '../statistics/attainable-p.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import { summariseRun } from '../summary/summarise.ts';
import { armNameOfLabel, candidateName, candidateNameOfLabel } from '../../core/factors/arm-name.ts';
import { namesFrom, nameTable } from '../../core/model/names.ts';
import type { Names } from '../../core/model/names.ts';
import { hasReason } from '../../core/model/reasons.ts';
import { comparisonSentence } from '../wording/comparison-sentence.ts';
import { be, counted } from '../figures/figures.ts';
import { attribute } from './attribution.ts';
import { bisectingRun, reasonsOf } from './reasons.ts';
import { completeBlocks } from '../comparison/interim-schedule.ts';
import { analyseInterims } from '../comparison/interim-analyses.ts';
import { armsWithoutTrials, buildTrialTable, missingTrials } from '../comparison/trial-table.ts';

export interface JudgeOptions {
  /** Practical margins that take the place of the plan's, by metric. */
  readonly margins?: Readonly<Record<string, number>>;
  /** Whether the run has ended: an interim analysis is then taken at its end even where none was planned. Default true. */
  readonly ended?: boolean;
  /** Whether more trials were lost than a run may lose. */
  readonly trialsFailed?: boolean;
  readonly environment?: Environment | null;
  /** What reading the run had to complain about, and what else a reader must know. */
  readonly warnings?: readonly string[];
}

/** Where a comparison stands, as far as the run has several. */
function conditionWords(comparison: Comparison, all: readonly Comparison[], names: Names): string {
  const several = (pick: (comparison: Comparison) => string): boolean => new Set(all.map(pick)).size > 1;
  return [
    several((other) => other.workload + other.workloadKind)
      ? names.workload(comparison.workload, comparison.workloadKind)
      : '',
    several((other) => other.network) ? names.shortNetwork(comparison.network) : '',
    several((other) => other.server) ? names.server(comparison.server) : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

interface GateComparisonContext {
  readonly plan: Plan;
  readonly primaries: readonly Comparison[];
  readonly names: Names;
  /** Level of the last interim analysis. */
  readonly level: number;
}

function gateComparison(
  comparison: Comparison,
  { plan, primaries, names, level: interimLevel }: GateComparisonContext,
): GateComparison {
  const { baseline, candidate, intervalLevel: level = 1 - defaultAlpha } = comparison;
  const nameOf = (label: string): string => {
    const arm = armsAsRun(plan).find((arm) => arm.label === label);
    return arm === undefined ? label : candidateName(arm);
  };
  const sentence = comparisonSentence(comparison, {
    baseline: nameOf(baseline.arm),
    candidate: nameOf(candidate.arm),
    place: conditionWords(comparison, primaries, names),
    title: metricDefinition(comparison.metric)?.title ?? comparison.metric,
    workload: (id) => names.workload(id, comparison.workloadKind),
  });
  const notWorse = isShownNotWorse(comparison, primaries, interimLevel);
  return {
    ...repeatedByGate(comparison),
    baselineArm: baseline.arm,
    candidateArm: candidate.arm,
    blocks: comparison.blocks,
    level: 1 - level,
    smallestDetectable: comparison.smallestDetectable ?? null,
    ...(notWorse ? { shownNotWorse: true } : {}),
    sentence: notWorse ? `${sentence} At worst it stays within the margin, so it is not worse.` : sentence,
  };
}

/**
 * Whether a comparison that is not decided rules out a change for the worse beyond its margin. Fewer blocks than reach the
 * level of its family have an interval of the plain level, which rules out nothing.
 */
function isShownNotWorse(comparison: Comparison, primaries: readonly Comparison[], level: number): boolean {
  const { verdict, heterogeneity, higherIsBetter, margin, test, blocks } = comparison;
  const family = primaries.filter((other) => other.family === comparison.family);
  if (test === 'signed-rank' && blocks < minimumBlocks(family.length, level)) return false;
  // These leave an interval as sure as that of a decided comparison.
  const isOfIntervalAlone =
    hasReason(comparison, 'crosses-margin', 'not-significant') ||
    // That the candidate is not worse can be seen where the baseline was at no risk, but of rare events only in more play.
    (hasReason(comparison, 'nothing-at-risk') && comparison.rareEvents === undefined);
  if (verdict !== 'inconclusive' || !isOfIntervalAlone || hasWorseSite(heterogeneity)) return false;
  const worstRatio = comparison.ratioInterval?.[higherIsBetter ? 0 : 1];
  if (worstRatio !== undefined)
    return higherIsBetter ? worstRatio > 1 / (1 + margin) : worstRatio < 1 + margin;
  const worstDifference = comparison.differenceInterval?.[higherIsBetter ? 0 : 1];
  return worstDifference !== undefined && (higherIsBetter ? -worstDifference : worstDifference) < margin;
}

/** Whether a comparison leaves it open that the candidate is worse. */
const mayBeWorse = ({ verdict, shownNotWorse = false }: GateComparison): boolean =>
  verdict === 'inconclusive' && !shownNotWorse;

/** A pool whose sites disagree is worse when one of them is: its mean must not hide that. */
function isWorse({ verdict, heterogeneity }: GateComparison): boolean {
  return verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity));
}

function outcomeOf(comparisons: readonly GateComparison[]): GateOutcome {
  if (comparisons.some(isWorse)) return 'worse';
  const open = comparisons.length === 0 || comparisons.some(mayBeWorse);
  return open ? 'undecided' : 'passed';
}

/** Whether a comparison is of the arms that the gate is about, not of two protocols within one browser. */
function isJudgedPair(plan: Plan, { baseline, candidate }: Comparison): boolean {
  return armPairs(plan).some(
    (pair) => pair.primary && pair.baseline.label === baseline.arm && pair.candidate.label === candidate.arm,
  );
}

/** The headline of the report, and what it was counted from. */
function headlineOf(top: string, comparisons: readonly GateComparison[], trialsFailed: boolean): string[] {
  const count = (verdict: GateComparison['verdict']): number =>
    comparisons.filter((comparison) => comparison.verdict === verdict).length;
  const worse = comparisons.filter(isWorse).length;
  const notWorse = comparisons.filter(({ shownNotWorse }) => shownNotWorse).length;
  const parts = [
    `${worse} ${be(worse)} worse`,
    `${count('equivalent')} without a difference`,
    `${count('better')} better`,
    ...(count('mixed') > 0 ? [`${count('mixed')} mixed`] : []),
    ...(notWorse > 0 ? [`${notWorse} shown not to be worse`] : []),
    `${comparisons.filter(mayBeWorse).length} not decided`,
  ];
  const counts =
    comparisons.length === 0
      ? 'No primary comparison was judged.'
      : `Of ${counted(comparisons.length, 'primary comparison')}: ${parts.join(', ')}.`;
  const lost = 'Too many trials were lost for a run that counts, so nothing can pass.';
  return trialsFailed ? [top, counts, lost] : [top, counts];
}

/** The first screen of the run's report, which begins with what the gate says. */
function screenOf({
  plan,
  records,
  summary,
  gate,
  warnings,
}: {
  readonly plan: Plan;
  readonly records: readonly TrialRecord[];
  readonly summary: Summary;
  readonly gate: Pick<Gate, 'outcome' | 'trialsFailed'>;
  /** Of the gate itself, which the summary has not. */
  readonly warnings: readonly string[];
}): FirstScreen {
  const table = buildTrialTable(plan, records);
  const { comparisons, environment, trials, instrumentationOverhead, banners = [] } = summary;
  const { unlikeFirstFlights, firstFlightShares, audience } = summary;
  return firstScreenOf({
    plan,
    comparisons,
    environment,
    trials,
    blocksDone: instrumentationOverhead.timedBlocks,
    missing: missingTrials(table),
    armsLost: armsWithoutTrials(plan, table),
    warnings: [...warnings, ...(summary.firstScreen.warnings ?? [])],
    banners,
    unlikeFirstFlights,
    firstFlightShares,
    audience,
    gate,
  });
}

/** Why what is worse is worse, and which run comes closer to the change. */
function reasonsFor(
  worse: readonly GateComparison[],
  { plan, summary, names }: { plan: Plan; summary: Summary; names: Names },
): Pick<Gate, 'reasons' | 'bisect'> {
  if (worse.length === 0) return {};
  const reasons = reasonsOf(summary.diagnosis ?? [], worse, ({ workload, workloadKind }) =>
    names.workload(workload, workloadKind),
  );
  const bisect = bisectingRun(plan);
  return { reasons, ...(bisect === null ? {} : { bisect }) };
}

/**
 * Judges a run by its primary comparisons. A sequential plan is judged at its interim analyses, each at the level that linear error
 * spending leaves it; what was decided at an earlier interim analysis stands. Pure.
 */
export function judgeGate(plan: Plan, records: readonly TrialRecord[], options: JudgeOptions = {}): Gate {
  const { margins = {}, ended = true, trialsFailed = false, warnings = [], environment = null } = options;
  const judgedPlan: Plan = { ...plan, margins: { ...plan.margins, ...margins } };
  const results = plan.interims === undefined ? null : analyseInterims(judgedPlan, records, ended);
  const summary = summariseRun({
    plan: judgedPlan,
    records,
    environment,
    storeWarnings: [],
    interims: results,
  });
  const primaries = summary.comparisons.filter((comparison) => comparison.primary);
  const table = nameTable({ workloads: plan.workloads, environment });
  const names = namesFrom(table);
  const reached = results === null || results.interims.length > 0;
  const comparisons = (reached ? primaries : []).map((comparison) =>
    gateComparison(comparison, {
      plan,
      primaries,
      names,
      level: results?.interims.at(-1)?.level ?? defaultAlpha,
    }),
  );
  const outcome = outcomeOf(comparisons);
  const secondary = summary.comparisons.filter(
    (comparison) => !comparison.primary && comparison.verdict === 'worse' && isJudgedPair(plan, comparison),
  );
  const open = comparisons.filter(({ verdict }) => verdict === 'inconclusive').length;
  const firstScreen = screenOf({ plan, records, summary, gate: { outcome, trialsFailed }, warnings });
  return {
    schemaVersion: 1,
    run: plan.name,
    command: plan.command,
    outcome,
    trialsFailed,
    firstScreen,
    headline: headlineOf(firstScreen.headline, comparisons, trialsFailed),
    interims:
      results === null ? [{ blocks: plan.repetitions, level: defaultAlpha, open }] : [...results.interims],
    plannedInterims: plan.interims ?? [plan.repetitions],
    blocks: results === null ? plan.repetitions : completeBlocks(plan, records),
    comparisons,
    secondaryWorse: secondary.map(
      (comparison) =>
        `${names.workload(comparison.workload, comparison.workloadKind)}: ${metricDefinition(comparison.metric)?.title ?? comparison.metric} (${candidateNameOfLabel(comparison.candidate.arm)} against ${armNameOfLabel(comparison.baseline.arm)})`,
    ),
    attribution: attribute(plan, summary, comparisons),
    ...reasonsFor(comparisons.filter(isWorse), { plan, summary, names }),
    ...(summary.audience === undefined ? {} : { audience: summary.audience }),
    next: summary.answers.filter(({ action }) => action.startsWith('measure')),
    warnings: [...warnings, ...summary.warnings],
    names: table,
  };
}
