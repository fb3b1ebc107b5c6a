import type { Gate, GateComparison, GateOutcome } from '../../model/gate.ts';
import { metricDefinition } from '../../model/metric-catalogue.ts';
import type { Environment } from '../../model/environment.ts';
import type { Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { Comparison, Summary } from '../../model/summary.ts';
import { hasWorseSite } from '../../model/summary.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { summarise } from '../summarise.ts';
import { armName } from '../wording/arm-name.ts';
import { comparisonSentence } from '../wording/comparison-sentence.ts';
import { be, counted } from '../wording/figures.ts';
import { attribute } from './attribution.ts';
import { completeBlocks, dueLooks } from './look-schedule.ts';
import type { DueLook } from './look-schedule.ts';

export interface JudgeOptions {
  /** Practical margins that take the place of the plan's, by metric. */
  readonly margins?: Readonly<Record<string, number>>;
  /** Whether the run has ended: a look is then taken at its end even where none was planned. Default true. */
  readonly ended?: boolean;
  /** Whether more trials were lost than a run may lose. */
  readonly trialsFailed?: boolean;
  readonly environment?: Environment | null;
  /** What reading the run had to complain about, and what else a reader must know. */
  readonly warnings?: readonly string[];
}

/** Names a comparison within its run. */
export function comparisonKey(comparison: Comparison): string {
  const { workloadKind, workload, client, network, server, metric, baseline, candidate } = comparison;
  return [workloadKind, workload, client, network, server, metric, baseline.arm, candidate.arm].join(
    '\u0000',
  );
}

function firstBlocks(plan: Plan, blocks: number): Plan {
  const trials = plan.trials.filter(({ blockIndex }) => blockIndex < blocks);
  return { ...plan, repetitions: Math.max(1, blocks), trials };
}

/** Where a comparison stands, as far as the run has several. */
function placeOf(comparison: Comparison, all: readonly Comparison[]): string {
  const several = (pick: (one: Comparison) => string): boolean => new Set(all.map(pick)).size > 1;
  return [
    several((one) => one.workload + one.workloadKind)
      ? `${comparison.workloadKind} ${comparison.workload}`
      : '',
    several((one) => one.network) ? comparison.network : '',
    several((one) => one.server) ? comparison.server : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function gateComparison(
  comparison: Comparison,
  look: DueLook,
  plan: Plan,
  all: readonly Comparison[],
): GateComparison {
  const { baseline, candidate, reason, blocksNeeded } = comparison;
  const nameOf = (label: string): string => {
    const arm = plan.arms.find((one) => one.label === label);
    return arm === undefined ? label : armName(arm);
  };
  const sentence = comparisonSentence(comparison, {
    baseline: nameOf(baseline.arm),
    candidate: nameOf(candidate.arm),
    place: placeOf(comparison, all),
    title: metricDefinition(comparison.metric)?.title ?? comparison.metric,
    level: 1 - look.level,
  });
  const { workload, workloadKind, client, network, server, metric, unit, higherIsBetter } = comparison;
  const { ratio, ratioInterval, difference, differenceInterval, margin, pValue, adjustedPValue, verdict } =
    comparison;
  return {
    ...{ workload, workloadKind, client, network, server, metric, unit, higherIsBetter },
    baselineArm: baseline.arm,
    candidateArm: candidate.arm,
    blocks: comparison.blocks,
    level: look.level,
    ...{ ratio, ratioInterval, difference, differenceInterval, margin, pValue, adjustedPValue, verdict },
    ...(reason === undefined ? {} : { reason }),
    ...(blocksNeeded === undefined ? {} : { blocksNeeded }),
    sentence,
  };
}

interface Judged {
  readonly decided: ReadonlyMap<string, GateComparison>;
  readonly looks: Gate['looks'];
  /** The run as the last look saw it. */
  readonly last: Summary;
}

/** Takes every look that is due; a verdict stands from the look at which it fell. */
function takeLooks(
  plan: Plan,
  records: readonly TrialRecord[],
  due: readonly DueLook[],
  environment: Environment | null,
): Judged {
  const decided = new Map<string, GateComparison>();
  const looks: Gate['looks'] = [];
  let last = summarise(firstBlocks(plan, 0), [], environment, []);
  for (const look of due) {
    const seen = records.filter(({ blockIndex }) => blockIndex < look.blocks);
    last = summarise(firstBlocks(plan, look.blocks), seen, environment, [], { alpha: look.level });
    const primary = last.comparisons.filter((one) => one.primary);
    for (const comparison of primary) {
      const key = comparisonKey(comparison);
      const earlier = decided.get(key);
      if (earlier === undefined || earlier.verdict === 'inconclusive')
        decided.set(key, gateComparison(comparison, look, plan, primary));
    }
    const open = [...decided.values()].filter(({ verdict }) => verdict === 'inconclusive').length;
    looks.push({ ...look, open });
  }
  return { decided, looks, last };
}

/** A pool whose sites disagree is worse when one of them is: its mean must not hide that. */
function isWorse({ verdict, heterogeneity }: GateComparison): boolean {
  return verdict === 'worse' || (verdict === 'mixed' && hasWorseSite(heterogeneity));
}

function outcomeOf(comparisons: readonly GateComparison[]): GateOutcome {
  if (comparisons.some(isWorse)) return 'worse';
  const open = comparisons.length === 0 || comparisons.some(({ verdict }) => verdict === 'inconclusive');
  return open ? 'undecided' : 'passed';
}

/** Whether a comparison is of the arms that the gate is about, not of two protocols within one browser. */
function isJudgedPair(plan: Plan, { baseline, candidate }: Comparison): boolean {
  return armPairs(plan.arms).some(
    (pair) => pair.primary && pair.baseline.label === baseline.arm && pair.candidate.label === candidate.arm,
  );
}

function headlineOf(
  outcome: GateOutcome,
  comparisons: readonly GateComparison[],
  trialsFailed: boolean,
): string[] {
  const count = (verdict: GateComparison['verdict']): number =>
    comparisons.filter((one) => one.verdict === verdict).length;
  const all = counted(comparisons.length, 'primary comparison');
  const [worse, open] = [comparisons.filter(isWorse).length, count('inconclusive')];
  const mixed = count('mixed') === 0 ? '' : `, ${count('mixed')} mixed`;
  const first = {
    passed: `The gate is passed: none of ${all} is worse (${count('equivalent')} equivalent, ${count('better')} better${mixed}).`,
    worse: `The gate is not passed: ${worse} of ${all} ${be(worse)} worse.`,
    undecided:
      comparisons.length === 0
        ? 'The gate is undecided: the run has nothing to compare.'
        : `The gate is undecided: none of ${all} is worse, ${open} ${be(open)} open.`,
  }[outcome];
  const lost = 'Too many trials were lost for a run that counts, so nothing can pass.';
  return trialsFailed ? [first, lost] : [first];
}

/**
 * Judges a run by its primary comparisons. A sequential plan is judged at its looks, each at the level that
 * Lan–DeMets spending leaves it; what was decided at an earlier look stands. Pure.
 */
export function judgeGate(plan: Plan, records: readonly TrialRecord[], options: JudgeOptions = {}): Gate {
  const { margins = {}, ended = true, trialsFailed = false, warnings = [], environment = null } = options;
  const judgedPlan: Plan = { ...plan, margins: { ...plan.margins, ...margins } };
  const sequential = plan.looks !== undefined;
  const blocks = sequential ? completeBlocks(plan, records) : plan.repetitions;
  const due = dueLooks(judgedPlan, blocks, ended);
  const { decided, looks, last } = takeLooks(judgedPlan, records, due, environment);
  const comparisons = [...decided.values()];
  const outcome = outcomeOf(comparisons);
  const secondary = last.comparisons.filter(
    (one) => !one.primary && one.verdict === 'worse' && isJudgedPair(plan, one),
  );
  return {
    schemaVersion: 1,
    run: plan.name,
    command: plan.command,
    outcome,
    trialsFailed,
    headline: headlineOf(outcome, comparisons, trialsFailed),
    looks,
    plannedLooks: plan.looks ?? [plan.repetitions],
    blocks,
    comparisons,
    secondaryWorse: secondary.map(
      (one) => `${one.workload}: ${one.metric} (${one.candidate.arm} against ${one.baseline.arm})`,
    ),
    attribution: attribute(plan, last, comparisons),
    warnings: [...warnings, ...last.warnings],
  };
}

/** Why a sequential run may end after `blocks` blocks, or null: something is worse, or everything is decided. */
export function reasonToStop(plan: Plan, records: readonly TrialRecord[], blocks: number): string | null {
  if (plan.looks?.includes(blocks) !== true) return null;
  const { outcome } = judgeGate(plan, records, { ended: false });
  if (outcome === 'undecided') return null;
  return outcome === 'worse' ? `decided after ${blocks} blocks: worse` : `decided after ${blocks} blocks`;
}
