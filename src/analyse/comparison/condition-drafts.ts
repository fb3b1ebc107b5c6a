import { metricsOfKind } from '../../core/metrics/registry.ts';
import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { largestMeasured, numericMetric } from '../../core/model/metrics.ts';
import { reasonOf } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { failedOnlyByEmulatorLag } from '../../core/model/record.ts';
import { counted } from '../figures/figures.ts';
import type { ArmPair } from './arm-pairs.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import type { UnadjustedComparison } from './draft.ts';
import { equalityDemand, numbersOfRecords } from './equality-demands.ts';
import { draftComparison } from './draft.ts';
import { locationTests } from '../statistics/location-test.ts';
import { countMetricLosses, ranRecords } from './losses.ts';
import type { HostsByBlock, PairedValue } from './paired-values.ts';
import { armValues } from './paired-values.ts';
import { bitrateMetrics, ladderIsSaturated } from './saturation.ts';
import { contrastOf, knownOverhead, overheadVeto } from './overhead.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';
import { hostsByBlock, reachedDeadline, usableValue } from './trial-table.ts';
import { withoutRisk } from './video-at-risk.ts';
import type { LostBlock, Losses } from './worst-rank.ts';
import { worstOf, worstRankCase } from './worst-rank.ts';

/** Records of the two arms of a pair in one condition. */
export interface PairRecords {
  readonly baseline: readonly TrialRecord[];
  readonly candidate: readonly TrialRecord[];
}

/** Drafts of every metric that this condition has values for, candidate against baseline. */
export function draftCondition(
  trials: ConditionTrials,
  pair: ArmPair,
  rules: ComparisonRules,
  table: TrialTable,
): UnadjustedComparison[] {
  const { kind, condition } = trials;
  // Only a primary comparison is drafted then: no step has one, and no member of a pool.
  if (rules.brief && (!pair.primary || trials.step !== undefined || rules.isPooled(kind, condition)))
    return [];
  const records = recordsOfPair(trials, pair);
  const { workload, client, network, server } = condition;
  const hosts = hostsByBlock([trials], [pair.baseline, pair.candidate]);
  const overhead = knownOverhead([trials], table, contrastOf(pair), rules);
  const workloadRecords = table.trials.flatMap(({ planned, record }) =>
    planned.workload === workload && planned.instrumentation === trials.instrumentation ? (record ?? []) : [],
  );
  const unrisked = withoutRisk(trials, pair.baseline.label);
  return metricsOfKind(kind).flatMap((definition) => {
    if (instrumentationOf(definition) !== trials.instrumentation) return [];
    const isPrimaryMetric = rules.primaryMetric(kind, workload) === definition.name;
    // What is asked of a journey is asked of it as a whole.
    const isAsked = isPrimaryMetric && trials.step === undefined;
    const primary = pair.primary && isAsked && !rules.isPooled(kind, condition);
    if ((rules.brief && !primary) || (!isAsked && !isMeasured(records, definition))) return [];
    const saturated =
      bitrateMetrics.has(definition.name) &&
      ladderIsSaturated([records.baseline, records.candidate], workloadRecords);
    const values = pairedValues(trials, pair, definition);
    return draftComparison({
      subject: { workload, workloadKind: kind, client, network, server },
      definition,
      labels: { baseline: pair.baseline.label, candidate: pair.candidate.label },
      values,
      hosts,
      test: locationTests['signed-rank'],
      margin: rules.margin(definition, workload),
      primary,
      veto: saturated
        ? reasonOf('ladder-saturated')
        : (rules.metricVeto(definition.name, workload) ?? overheadVeto(overhead)),
      demand: equalityDemand(definition, numbersOfRecords(values, trials, pair), unrisked),
      warnings: trialWarnings(records, definition),
      withWelch: rules.withWelch,
      worst: (effect) =>
        worstRankCase(
          effect,
          lostBlocks(values, trials, pair, { definition, hosts }),
          lossesOf(records, definition),
          definition.higherIsBetter,
        ),
      agreement: null,
      overhead,
    });
  });
}

export function recordsOfPair(trials: ConditionTrials, pair: ArmPair): PairRecords {
  const ofArm = (label: string): TrialRecord[] => ranRecords(trials.recordsByArm.get(label)?.values() ?? []);
  return { baseline: ofArm(pair.baseline.label), candidate: ofArm(pair.candidate.label) };
}

/** Whether any ok trial of either arm measured the metric: a deadline alone measures nothing. */
export function isMeasured({ baseline, candidate }: PairRecords, definition: Metric): boolean {
  const measured = (record: TrialRecord): boolean =>
    record.status === 'ok' && isMeasuredIn(record.metrics, definition);
  return baseline.some(measured) || candidate.some(measured);
}

/** Values per planned block; blocks in which neither arm has one are left out. */
export function pairedValues(trials: ConditionTrials, pair: ArmPair, definition: Metric): PairedValue[] {
  const baseline = trials.recordsByArm.get(pair.baseline.label);
  const candidate = trials.recordsByArm.get(pair.candidate.label);
  return trials.blocks.flatMap((block): PairedValue[] => {
    const before = usableValue(baseline?.get(block), definition) ?? null;
    const after = usableValue(candidate?.get(block), definition) ?? null;
    return before === null && after === null ? [] : [[block, before, after]];
  });
}

/** Trials of both arms that ran and left no usable value. */
export function lossesOf({ baseline, candidate }: PairRecords, definition: Metric): Losses {
  return {
    baseline: countMetricLosses(baseline, definition).lost,
    candidate: countMetricLosses(candidate, definition).lost,
  };
}

/** Blocks in which both arms ran and one of them left no value. */
function lostBlocks(
  values: readonly PairedValue[],
  trials: ConditionTrials,
  pair: ArmPair,
  { definition, hosts }: { readonly definition: Metric; readonly hosts: HostsByBlock },
): LostBlock[] {
  const seen = [...armValues(values, 'baseline'), ...armValues(values, 'candidate')];
  const worst = worstOf(seen, definition.higherIsBetter);
  return values.flatMap(([block, before, after]): LostBlock[] => {
    if ((before === null) === (after === null) || worst === null) return [];
    const arm = before === null ? 'baseline' : 'candidate';
    const record = trials.recordsByArm.get(pair[arm].label)?.get(block);
    if (record === undefined || record.status === 'not-run') return [];
    const atWorst = { baseline: before ?? worst, candidate: after ?? worst };
    return [{ arm, host: hosts.get(block) ?? '', ...(failedOnlyByEmulatorLag(record) && { atWorst }) }];
  });
}

/** What happened to the trials of the two arms that a reader of this one comparison must know. */
export function trialWarnings({ baseline, candidate }: PairRecords, definition: Metric): string[] {
  const warnings: string[] = [];
  const late = [baseline, candidate].map((records) => records.filter(reachedDeadline).length);
  const [lateBaseline = 0, lateCandidate = 0] = late;
  if (lateBaseline + lateCandidate > 0) {
    const effect = {
      time: 'enter with the deadline',
      rate: 'enter with the rate so far',
      missing: 'have no value',
    };
    warnings.push(
      `${lateBaseline} baseline and ${lateCandidate} candidate trials reached their deadline and ${effect[definition.onDeadline]}`,
    );
  }
  const lost = [baseline, candidate].map((records) => countMetricLosses(records, definition).lost);
  const [lostBaseline = 0, lostCandidate = 0] = lost;
  if (lostBaseline + lostCandidate > 0) {
    warnings.push(
      `no value from ${lostBaseline} of ${baseline.length} baseline and ${lostCandidate} of ${candidate.length} candidate trials`,
    );
  }
  const impossible = [...baseline, ...candidate].filter(
    ({ metrics }) => typeof metrics[definition.name] === 'number' && !isMeasuredIn(metrics, definition),
  ).length;
  if (impossible > 0) {
    warnings.push(
      `${counted(impossible, 'value')} left out: infinite or above ${largestMeasured}, no measurement`,
    );
  }
  return warnings;
}

function isMeasuredIn(metrics: TrialRecord['metrics'], { name }: Metric): boolean {
  return numericMetric(metrics, name) !== undefined;
}
