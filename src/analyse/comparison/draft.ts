import type { Metric } from '../../core/metrics/metric.ts';
import type { Reason } from '../../core/model/reasons.ts';
import type { Comparison } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import type { LocationTest } from '../statistics/location-test.ts';
import { hostAgreement, type HostAgreement } from '../statistics/over-hosts.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { SiteHeterogeneity } from '../statistics/site-heterogeneity.ts';
import { welchT } from '../statistics/welch-t.ts';
import { intervalsOf, measureEffect } from './effect.ts';
import { pWithDemand, type EqualityDemand } from './equality-demands.ts';
import type { Effect } from './effect.ts';
import type { HostsByBlock, PairedValue } from './paired-values.ts';
import { armValues, completePairs } from './paired-values.ts';
import { sampleWarnings } from './sample-warnings.ts';
import { sideVerdict } from './verdict.ts';
import type { Asymmetry, KnownOverhead } from './overhead.ts';
import type { WorstCase } from './worst-rank.ts';

/** Where a comparison belongs: a condition, or `pooled` over the workloads of a kind. */
export interface ComparisonSubject {
  readonly workload: string;
  readonly workloadKind: WorkloadKind;
  readonly client: string;
  readonly network: string;
  readonly server: string;
}

/** How far the sites of a pool agree, with their names in the order of the fit. */
export interface PoolAgreement {
  readonly workloads: readonly string[];
  readonly heterogeneity: SiteHeterogeneity;
}

export interface DraftInput {
  readonly subject: ComparisonSubject;
  readonly definition: Metric;
  readonly labels: { readonly baseline: string; readonly candidate: string };
  readonly values: readonly PairedValue[];
  readonly hosts: HostsByBlock;
  readonly test: LocationTest;
  /** Practical margin: the definition's, or the plan's override. */
  readonly margin: number;
  readonly primary: boolean;
  /** A reason for which no verdict may be given. */
  readonly veto: Reason | null;
  /** What must hold before the arms are called equal, next to the blocks. */
  readonly demand: EqualityDemand | null;
  readonly warnings: readonly string[];
  /** Whether the plan follows a study that used Welch's t. */
  readonly withWelch: boolean;
  /** The same with lost trials at their worst; null where none was lost. */
  readonly worst: (effect: Effect) => WorstCase | null;
  /** Of pools only. */
  readonly agreement: PoolAgreement | null;
  /** Of pools of times only. */
  readonly meanDifference?: number | undefined;
  readonly overhead: KnownOverhead;
}

/** A comparison before its family is known: p is not yet adjusted and there is no verdict. */
export interface UnadjustedComparison {
  readonly input: DraftInput;
  readonly effect: Effect;
  /** Null where one host ran all blocks. */
  readonly hostAgreement: HostAgreement | null;
  readonly worst: WorstCase | null;
  readonly fields: Omit<
    Comparison,
    | 'family'
    | 'exploratory'
    | 'adjustedPValue'
    | 'adjustedPEquivalent'
    | 'ratioInterval'
    | 'differenceInterval'
    | 'verdict'
    | 'reason'
    | 'reasonCode'
    | 'reasonFacts'
    | 'blocksNeeded'
  >;
}

/** Describes both arms and measures the paired effect of one metric. */
export function draftComparison(input: DraftInput): UnadjustedComparison {
  const { definition, values, labels, hosts } = input;
  const pairs = completePairs(values, hosts);
  const { instrumentation, asymmetry } = input.overhead;
  const { form } = definition;
  const asked = { form, margin: input.margin, overhead: asymmetry?.bound ?? 0 };
  const effect = measureEffect(pairs, asked, input.test);
  const { test } = effect;
  const agreement = hostAgreement(effect.effects, effect.hosts);
  const isRatio = effect.form === 'ratio';
  const plain = intervalsOf(effect, 0.95);
  const baseline = armValues(values, 'baseline');
  const candidate = armValues(values, 'candidate');
  const fields: UnadjustedComparison['fields'] = {
    ...input.subject,
    instrumentation,
    ...(asymmetry === null ? {} : { instrumentationOverhead: overheadField(asymmetry) }),
    metric: definition.name,
    unit: definition.unit,
    higherIsBetter: definition.higherIsBetter,
    primary: input.primary,
    baseline: { arm: labels.baseline, ...describeSample(baseline) },
    candidate: { arm: labels.candidate, ...describeSample(candidate) },
    blocks: pairs.length,
    ratio: isRatio && effect.estimate !== null ? Math.exp(effect.estimate) : null,
    difference: effect.difference,
    ...(input.meanDifference === undefined ? {} : { meanDifference: input.meanDifference }),
    ratioInterval95: plain.ratioInterval,
    differenceInterval95: plain.differenceInterval,
    margin: effect.margin,
    pValue: effect.margins?.pValue ?? null,
    pBeyondMargin: effect.margins?.pBeyondMargin ?? null,
    pEquivalent: pWithDemand(effect.margins?.pEquivalent ?? null, input.demand),
    test: test.name,
    ...(input.withWelch ? { welchPValue: welchT(baseline, candidate)?.pValue ?? null } : {}),
    cliffsDelta: effect.cliffsDelta,
    ...(input.demand?.rareEvents === undefined ? {} : { rareEvents: input.demand.rareEvents }),
    ...heterogeneityField(input),
    ...hostsField(agreement, effect, input.primary),
    warnings: [
      ...input.warnings,
      ...sampleWarnings({
        pairs,
        incompleteBlocks: values.length - pairs.length,
        effect,
        askedForRatio: definition.form === 'ratio',
        primary: input.primary,
        labels,
      }),
    ],
    values: values.map((row): PairedValue => [...row]),
  };
  return { input, effect, hostAgreement: agreement, worst: input.worst(effect), fields };
}

function overheadField({
  estimate,
  bound,
  source,
}: Asymmetry): NonNullable<Comparison['instrumentationOverhead']> {
  return { ratio: Math.exp(estimate), bound: Math.expm1(bound), source };
}

function hostsField(
  agreement: HostAgreement | null,
  { form, test }: Effect,
  primary: boolean,
): Pick<Comparison, 'hosts'> | undefined {
  if (agreement === null || test.overHosts === undefined) return undefined;
  const effects = agreement.effects.map(({ host, blocks, effect }) => ({
    host,
    blocks,
    ratio: form === 'ratio' ? Math.exp(effect) : null,
    difference: form === 'ratio' ? null : effect,
  }));
  const { pValue } = agreement;
  return { hosts: { handling: test.overHosts.handling, pValue, ...(primary ? { effects } : {}) } };
}

function heterogeneityField({
  agreement,
  definition,
}: DraftInput): Pick<Comparison, 'heterogeneity'> | undefined {
  if (agreement === null) return undefined;
  const { workloads, heterogeneity } = agreement;
  const sideOf = (side: 1 | -1 | null): 'better' | 'worse' | null =>
    side === null ? null : sideVerdict(side, definition.higherIsBetter);
  const sites = heterogeneity.sites.map(
    ({ effect, cells, adjustedPBeyondMargin, decided, leans }, index) => ({
      workload: workloads[index] ?? '',
      ratio: Math.exp(effect),
      cells,
      adjustedPBeyondMargin,
      decided: sideOf(decided),
      leans: sideOf(leans),
    }),
  );
  const [first] = sites;
  if (first === undefined) return undefined;
  const lowest = sites.reduce((least, site) => (site.ratio < least.ratio ? site : least), first);
  const highest = sites.reduce((most, site) => (site.ratio > most.ratio ? site : most), first);
  const like = heterogeneity.sitesLikeThese;
  return {
    heterogeneity: {
      pValue: heterogeneity.pValue,
      siteSd: heterogeneity.siteSd,
      range: [lowest.ratio, highest.ratio],
      lowest: lowest.workload,
      highest: highest.workload,
      sitesLikeThese: like === null ? null : [Math.exp(like[0]), Math.exp(like[1])],
      sites,
    },
  };
}
