import { metricDefinition } from '../../model/metric-catalogue.ts';
import type { ComparisonForm } from '../../model/metrics.ts';
import type { RunContrast } from '../../model/run-comparison.ts';
import type { Comparison } from '../../model/summary.ts';
import { inconclusiveReasons } from '../comparison/verdict.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { UnpairedEffect } from './unpaired-effect.ts';
import { unpairedEffect } from './unpaired-effect.ts';

/** The same comparison in both runs. */
export interface MatchedComparison {
  readonly a: Comparison;
  readonly b: Comparison;
}

/** A contrast before p is adjusted: there is no verdict yet. */
export interface ContrastDraft {
  readonly fields: Omit<RunContrast, 'adjustedPValue' | 'verdict' | 'reason'>;
  readonly effect: UnpairedEffect;
  /** The margin on the scale of the effect. */
  readonly scaleMargin: number;
  /** A reason for which no verdict may be given. */
  readonly veto: string | null;
}

type Arm = 'baseline' | 'candidate';

function armValues({ values }: Comparison, arm: Arm): number[] {
  return values.flatMap((row) => row[arm === 'baseline' ? 1 : 2] ?? []);
}

interface Gaps {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly form: ComparisonForm;
}

/** Candidate against baseline block by block: what the machine did to both arms of a block cancels out. */
function gapsOf({ a, b }: MatchedComparison, form: ComparisonForm): Gaps {
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
  return { a: first, b: second, form: used };
}

/** Reasons that say that the figures of a run mean nothing for this comparison. */
const vetoes: readonly string[] = [inconclusiveReasons.unequalLosses, inconclusiveReasons.ladderSaturated];

function vetoOf({ a, b }: MatchedComparison): string | null {
  const runs = [
    ['A', a.reason],
    ['B', b.reason],
  ] as const;
  const found = runs.find(([, reason]) => reason !== undefined && vetoes.includes(reason));
  return found === undefined ? null : `${found[1]} in run ${found[0]}`;
}

function sideOf(values: readonly number[]): RunContrast['a'] {
  const { n, median, quartiles } = describeSample(values);
  return { n, median, quartiles };
}

function shown(
  effect: UnpairedEffect,
): Pick<RunContrast, 'ratio' | 'ratioInterval' | 'difference' | 'differenceInterval'> {
  const { form, estimate, interval } = effect;
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

function draft(matched: MatchedComparison, part: ContrastPart, samples: Gaps, alpha: number): ContrastDraft {
  const { b } = matched;
  const effect = unpairedEffect(samples.a, samples.b, samples.form, alpha);
  const asRatio = effect.form === 'ratio';
  const level = Math.abs(describeSample(armValues(matched.a, 'baseline')).median ?? 0);
  const byFraction = metricDefinition(b.metric)?.form !== 'difference' && b.ratio !== null;
  const margin = asRatio || !byFraction ? b.margin : b.margin * level;
  const { workload, workloadKind, client, network, server, metric, unit, higherIsBetter } = b;
  return {
    fields: {
      ...{ workload, workloadKind, client, network, server, metric, unit, higherIsBetter },
      ...part,
      a: sideOf(samples.a),
      b: sideOf(samples.b),
      blocks: Math.min(samples.a.length, samples.b.length),
      ...shown(effect),
      margin,
      pValue: effect.pValue,
      cliffsDelta: effect.cliffsDelta,
    },
    effect,
    scaleMargin: asRatio ? Math.log1p(margin) : margin,
    veto: vetoOf(matched),
  };
}

function formOf({ metric, ratio }: Comparison): ComparisonForm {
  return metricDefinition(metric)?.form ?? (ratio === null ? 'difference' : 'ratio');
}

/** Whether the gap between the arms is another in run B than in run A. */
export function draftGap(matched: MatchedComparison, alpha: number): ContrastDraft {
  const { b } = matched;
  const part: ContrastPart = {
    what: 'gap',
    arms: [b.baseline.arm, b.candidate.arm],
    primary: b.primary,
    exploratory: !b.primary,
  };
  return draft(matched, part, gapsOf(matched, formOf(b)), alpha);
}

/** Whether one arm is another in run B than in run A: here everything counts that changed between the runs. */
export function draftLevel(matched: MatchedComparison, arm: Arm, alpha: number): ContrastDraft {
  const { a, b } = matched;
  const part: ContrastPart = { what: 'level', arms: [b[arm].arm], primary: false, exploratory: true };
  const samples = { a: armValues(a, arm), b: armValues(b, arm), form: formOf(b) };
  return draft(matched, part, samples, alpha);
}
