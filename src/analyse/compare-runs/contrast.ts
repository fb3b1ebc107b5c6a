import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { ComparisonForm } from '../../core/model/metrics.ts';
import { hasReason, reasonOf, reasonTexts, type Reason } from '../../core/model/reasons.ts';
import type { RunContrast } from '../../core/model/run-comparison.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { tooLittlePlayed, type EqualityDemand } from '../comparison/equality-demands.ts';
import { describeSample } from '../statistics/quantile.ts';
import { ratesEquivalentP } from '../statistics/poisson-rates.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { noiseOf } from '../between-runs/between-run-noise.ts';
import type { RunTest, UnpairedEffect } from './unpaired-effect.ts';
import { intervalBetweenRuns, testBetweenRuns, unpairedEffect } from './unpaired-effect.ts';

/** The same comparison in both runs. */
export interface MatchedComparison {
  readonly a: Comparison;
  readonly b: Comparison;
  /** Of a comparison over an audience: which one, as series know it; null where the runs have unlike ones. */
  readonly audience?: string | null;
}

/** A contrast before p is adjusted: there is no verdict yet. */
export interface UnadjustedContrast {
  readonly fields: Omit<RunContrast, 'adjustedPValue' | 'verdict' | 'reason' | 'reasonCode'>;
  /** Null without a variance between runs: no verdict then. */
  readonly test: RunTest | null;
  /** A reason for which no verdict may be given. */
  readonly veto: Reason | null;
  /** What is demanded of equality next to the runs' values. */
  readonly demand: EqualityDemand | null;
}

type Arm = 'baseline' | 'candidate';

function armValues({ values }: Comparison, arm: Arm): number[] {
  return values.flatMap((row) => row[arm === 'baseline' ? 1 : 2] ?? []);
}

/** What two runs are compared by. */
interface Samples {
  /** Whose rare events enter. */
  readonly of: readonly Arm[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly form: ComparisonForm;
}

/** Candidate against baseline block by block: what the machine did to both arms of a block cancels out. */
function gapsOf({ a, b }: MatchedComparison, form: ComparisonForm): Samples {
  const pairs = [a, b].map(({ values }) =>
    values.flatMap(([, baseline, candidate]) =>
      baseline === null || candidate === null ? [] : [[baseline, candidate] as const],
    ),
  );
  const positive = pairs.flat(2).every((value) => value > 0);
  const used = form === 'ratio' && positive ? 'ratio' : 'difference';
  const [first = [], second = []] = pairs.map((run) =>
    run.map(([baseline, candidate]) => (used === 'ratio' ? candidate / baseline : candidate - baseline)),
  );
  return { of: ['baseline', 'candidate'], a: first, b: second, form: used };
}

/** Reasons that say that the figures of a run mean nothing for this comparison. */
const vetoes = ['unequal-losses', 'ladder-saturated'] as const;

function vetoOf({ a, b, audience }: MatchedComparison): Reason | null {
  // Their means have unlike weights: a change of the users would pass for one of the arms.
  if (audience === null) return reasonOf('audiences-differ');
  for (const code of vetoes) {
    const run = [a, b].findIndex((comparison) => hasReason(comparison, code));
    if (run >= 0) return reasonOf(code, `${reasonTexts[code]} in run ${run === 0 ? 'A' : 'B'}`);
  }
  return null;
}

/** Reasons for which a run cannot show that stalls or quality are the same. */
const untested = ['sessions-too-short', 'nothing-at-risk'] as const;

/**
 * Of what needs recording: both runs must be able to show it. Of rare events: the rates of each arm in both runs must be equal too. A
 * gap is that of two arms, each of which may differ by half the margin.
 */
function demandOf({ a, b }: MatchedComparison, arms: readonly Arm[]): EqualityDemand | null {
  const { rareEvents, needsPlayedTime } = metricDefinition(b.metric) ?? {};
  const code = untested.find((one) => [a, b].some((comparison) => hasReason(comparison, one)));
  if (needsPlayedTime === true && code !== undefined) return { pEquivalent: 1, reason: reasonOf(code) };
  if (rareEvents === undefined) return null;
  const { rareEvents: before } = a;
  const { rareEvents: after } = b;
  if (before === undefined || after === undefined)
    return { pEquivalent: 1, reason: reasonOf('exposure-unknown') };
  const margin = after.margin / arms.length;
  const pOf = (arm: Arm): number =>
    ratesEquivalentP([{ baseline: before[arm], candidate: after[arm] }], margin);
  return {
    pEquivalent: Math.max(...arms.map(pOf)),
    reason: tooLittlePlayed(rareEvents.unit),
  };
}

function sideOf(values: readonly number[]): RunContrast['a'] {
  const { n, median, quartiles } = describeSample(values);
  return { n, median, quartiles };
}

function shown(
  { form, estimate }: UnpairedEffect,
  interval: Interval | null,
): Pick<RunContrast, 'ratio' | 'ratioInterval' | 'difference' | 'differenceInterval'> {
  if (form === 'ratio') {
    return {
      ratio: estimate === null ? null : Math.exp(estimate),
      ratioInterval: interval && [Math.exp(interval[0]), Math.exp(interval[1])],
      difference: null,
      differenceInterval: null,
    };
  }
  return {
    ratio: null,
    ratioInterval: null,
    difference: estimate,
    differenceInterval: interval && [...interval],
  };
}

type ContrastPart = Pick<RunContrast, 'what' | 'arms' | 'primary' | 'exploratory'>;

function draft(
  matched: MatchedComparison,
  part: ContrastPart,
  samples: Samples,
  known: readonly BetweenRunNoise[],
): UnadjustedContrast {
  const { b } = matched;
  const effect = unpairedEffect(samples.a, samples.b, samples.form);
  const asRatio = effect.form === 'ratio';
  const level = Math.abs(describeSample(armValues(matched.a, 'baseline')).median ?? 0);
  const byFraction = metricDefinition(b.metric)?.form !== 'difference' && b.ratio !== null;
  const margin = asRatio || !byFraction ? b.margin : b.margin * level;
  const scaleMargin = asRatio ? Math.log1p(margin) : margin;
  const { workload, workloadKind, client, network, server, metric, unit, higherIsBetter } = b;
  const noiseAt = (place: string): BetweenRunNoise | null =>
    noiseOf(known, { workload, workloadKind, network: place, metric, ...part, form: effect.form });
  // A history knows one audience from another; a calibration has one alone.
  const noise = noiseAt(matched.audience ?? network) ?? noiseAt(network);
  const test = noise === null ? null : testBetweenRuns(effect, noise, scaleMargin);
  const interval =
    test === null || effect.estimate === null ? null : intervalBetweenRuns(effect.estimate, test, 0.95);
  return {
    fields: {
      workload,
      workloadKind,
      client,
      network,
      server,
      metric,
      unit,
      higherIsBetter,
      ...part,
      a: sideOf(samples.a),
      b: sideOf(samples.b),
      blocks: Math.min(samples.a.length, samples.b.length),
      ...shown(effect, interval),
      margin,
      pValue: test?.pValue ?? null,
      ...(noise === null ? {} : { betweenRuns: { sd: noise.sd, runs: noise.runs, source: noise.source } }),
      cliffsDelta: effect.cliffsDelta,
    },
    test,
    veto: vetoOf(matched),
    demand: demandOf(matched, samples.of),
  };
}

function formOf({ metric, ratio }: Comparison): ComparisonForm {
  return metricDefinition(metric)?.form ?? (ratio === null ? 'difference' : 'ratio');
}

/** Whether the gap between the arms is another in run B than in run A. */
export function draftGap(matched: MatchedComparison, known: readonly BetweenRunNoise[]): UnadjustedContrast {
  const { b } = matched;
  const part: ContrastPart = {
    what: 'gap',
    arms: [b.baseline.arm, b.candidate.arm],
    primary: b.primary,
    exploratory: !b.primary,
  };
  return draft(matched, part, gapsOf(matched, formOf(b)), known);
}

/** Whether one arm is another in run B than in run A: here everything counts that changed between the runs. */
export function draftLevel(
  matched: MatchedComparison,
  arm: Arm,
  known: readonly BetweenRunNoise[],
): UnadjustedContrast {
  const { a, b } = matched;
  const part: ContrastPart = { what: 'level', arms: [b[arm].arm], primary: false, exploratory: true };
  const samples: Samples = { of: [arm], a: armValues(a, arm), b: armValues(b, arm), form: formOf(b) };
  return draft(matched, part, samples, known);
}
