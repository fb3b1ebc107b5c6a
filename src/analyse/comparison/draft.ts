import type { MetricDefinition } from '../../model/metrics.ts';
import type { Comparison } from '../../model/summary.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import { describeSample } from '../statistics/quantile.ts';
import { measureEffect } from './effect.ts';
import type { Effect } from './effect.ts';
import type { PairedValue } from './paired-values.ts';
import { armValues, completePairs } from './paired-values.ts';
import { sampleWarnings } from './sample-warnings.ts';

/** Where a comparison belongs: a condition, or `pooled` over the workloads of a kind. */
export interface ComparisonSubject {
  readonly workload: string;
  readonly workloadKind: WorkloadKind;
  readonly client: string;
  readonly network: string;
  readonly server: string;
}

export interface DraftInput {
  readonly subject: ComparisonSubject;
  readonly definition: MetricDefinition;
  readonly labels: { readonly baseline: string; readonly candidate: string };
  readonly values: readonly PairedValue[];
  /** Practical margin: the definition's, or the plan's override. */
  readonly margin: number;
  readonly alpha: number;
  readonly primary: boolean;
  /** A reason for which no verdict may be given. */
  readonly veto: string | null;
  readonly warnings: readonly string[];
}

/** A comparison before its family is known: p is not yet adjusted and there is no verdict. */
export interface ComparisonDraft {
  readonly input: DraftInput;
  readonly effect: Effect;
  readonly fields: Omit<
    Comparison,
    'family' | 'exploratory' | 'adjustedPValue' | 'verdict' | 'reason' | 'blocksNeeded'
  >;
}

/** Describes both arms and measures the paired effect of one metric. */
export function draftComparison(input: DraftInput): ComparisonDraft {
  const { definition, values, labels } = input;
  const pairs = completePairs(values);
  const effect = measureEffect(pairs, definition.form, input.margin, input.alpha);
  const exponentiate = (value: number | null): number | null => (value === null ? null : Math.exp(value));
  const isRatio = effect.form === 'ratio';
  const fields: ComparisonDraft['fields'] = {
    ...input.subject,
    metric: definition.name,
    unit: definition.unit,
    higherIsBetter: definition.higherIsBetter,
    primary: input.primary,
    baseline: { arm: labels.baseline, ...describeSample(armValues(values, 'baseline')) },
    candidate: { arm: labels.candidate, ...describeSample(armValues(values, 'candidate')) },
    blocks: pairs.length,
    ratio: isRatio ? exponentiate(effect.estimate) : null,
    ratioInterval:
      isRatio && effect.interval ? [Math.exp(effect.interval[0]), Math.exp(effect.interval[1])] : null,
    difference: effect.difference,
    differenceInterval: effect.differenceInterval ? [...effect.differenceInterval] : null,
    margin: effect.margin,
    pValue: pairs.length === 0 ? null : effect.test.pValue,
    cliffsDelta: effect.cliffsDelta,
    warnings: [
      ...input.warnings,
      ...sampleWarnings({
        pairs,
        incompleteBlocks: values.length - pairs.length,
        effect,
        askedForRatio: definition.form === 'ratio',
        labels,
      }),
    ],
    values: values.map((row): PairedValue => [...row]),
  };
  return { input, effect, fields };
}
