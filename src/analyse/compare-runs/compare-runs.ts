import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { mergedNames, namesFrom, nameTable } from '../../core/model/names.ts';
import { hasReason, reasonOf, writtenReason } from '../../core/model/reasons.ts';
import type { RunComparison, RunContrast } from '../../core/model/run-comparison.ts';
import type { Summary } from '../../core/model/summary.ts';
import { pWithDemand } from '../comparison/equality-demands.ts';
import { decideVerdict } from '../comparison/verdict.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { counted } from '../figures/figures.ts';
import { contrastHeadline } from '../wording/contrast-sentence.ts';
import type { UnadjustedContrast } from './contrast.ts';
import { draftGap, draftLevel } from './contrast.ts';
import { matchComparisons } from './match-comparisons.ts';
import { runDifferences } from './run-differences.ts';

const alpha = 0.05;

/** Without it a difference between two runs may be what any two runs differ by. */
const noVariance = reasonOf('no-run-variation');
const noiseAdvice =
  'No verdict: run-to-run variation of this machine is not measured. Five A/A runs measure it (npx h2h3 calibrate --runs 5), and so do three nights (npx h2h3 nightly).';

export interface RunToCompare {
  /** As the user named it. */
  readonly folder: string;
  readonly summary: Summary;
}

/** Adjusts p within one family and gives each contrast its verdict, where the variance between runs is known. */
function decide(drafts: readonly UnadjustedContrast[], method: 'holm' | 'bh'): RunContrast[] {
  const adjusted = (['pBeyondMargin', 'pEquivalent'] as const).map((which) =>
    adjustPValues(
      drafts.map((draft) =>
        which === 'pEquivalent'
          ? pWithDemand(draft.test?.pEquivalent ?? null, draft.demand)
          : (draft.test?.[which] ?? null),
      ),
      method,
    ),
  );
  return drafts.map(({ fields, test, veto, demand }, i) => {
    const adjustedPValue = adjusted[0]?.[i] ?? null;
    const { verdict, reason } = decideVerdict({
      blocks: fields.blocks,
      minBlocks: 1,
      side: test?.side ?? 1,
      pBeyondMargin: test?.pBeyondMargin ?? null,
      pEquivalent: test?.pEquivalent ?? null,
      demand,
      pBeyondPlainMargin: null,
      adjustedPBeyondMargin: adjustedPValue,
      adjustedPEquivalent: adjusted[1]?.[i] ?? null,
      alpha,
      higherIsBetter: fields.higherIsBetter,
      veto: veto ?? (test === null && fields.blocks > 0 ? noVariance : null),
    });
    const why = reason?.code === 'no-pairs' ? reasonOf('no-value-in-run') : reason;
    return { ...fields, adjustedPValue, verdict, ...writtenReason(why) };
  });
}

/** What the comparisons of two runs are of, where they are of nothing in common: `expected` of the first, `got` of the second. */
function unlikeParts(a: Summary, b: Summary): { expected: string; got: string } {
  const parts = ({ run, comparisons }: Summary): Readonly<Record<string, string>> => {
    const of = (field: 'workload' | 'client' | 'network' | 'server' | 'metric'): string =>
      [...new Set(comparisons.filter(({ primary }) => primary).map((each) => each[field]))].join(', ');
    return {
      arms: run.arms.join(', '),
      workloads: of('workload'),
      clients: of('client'),
      networks: of('network'),
      servers: of('server'),
      'primary metrics': of('metric'),
    };
  };
  const ofA = parts(a);
  const ofB = parts(b);
  const unlike = Object.keys(ofA).filter((name) => ofA[name] !== ofB[name]);
  const said = (values: Readonly<Record<string, string>>): string =>
    unlike.map((name) => `${name} ${values[name] || 'none'}`).join('; ');
  return { expected: said(ofA), got: said(ofB) };
}

function contrastsOf(
  a: Summary,
  b: Summary,
  known: readonly BetweenRunNoise[],
): { contrasts: RunContrast[]; warnings: string[] } {
  const { matched, onlyA, onlyB } = matchComparisons(a, b);
  if (matched.length === 0) {
    throw new H2h3Error('bad-input', 'these runs have no comparison in common', {
      context: unlikeParts(a, b),
      next: 'Compare runs of the same plan. `npx h2h3 report DIR` shows what each has.',
    });
  }
  const gaps = matched.map((pair) => draftGap(pair, known));
  // An arm stands in several comparisons of a plan with more than two arms.
  const levels = new Map<string, UnadjustedContrast>();
  for (const pair of matched) {
    // A pool's level is the mean over the sites that both arms have, which no reader could look up anywhere.
    if (pair.b.workload === 'pooled') continue;
    for (const arm of ['baseline', 'candidate'] as const) {
      const level = draftLevel(pair, arm, known);
      const { workload, client, network, server, metric, arms } = level.fields;
      levels.set(JSON.stringify([workload, client, network, server, metric, arms]), level);
    }
  }
  const primary = gaps.filter(({ fields }) => fields.primary);
  const secondary = gaps.filter(({ fields }) => !fields.primary);
  const lonely = onlyA + onlyB;
  return {
    contrasts: [
      ...decide(primary, 'holm'),
      ...decide(secondary, 'bh'),
      ...decide([...levels.values()], 'bh'),
    ],
    warnings:
      lonely === 0
        ? []
        : [
            `left out because only one run has them: ${counted(lonely, 'comparison')} (${onlyA} of A, ${onlyB} of B)`,
          ],
  };
}

function stateWarnings(name: string, { run, trials }: Summary): string[] {
  const lost = trials.invalid + trials.failed;
  return [
    ...(run.complete ? [] : [`run ${name} is not complete: ${counted(trials.notRun, 'trial')} did not run`]),
    ...(lost > 0 ? [`run ${name}: ${counted(lost, 'trial')} did not count`] : []),
    ...(run.exploratory ? [`run ${name} is exploratory`] : []),
  ];
}

const hourMs = 3_600_000;

function distance(a: Summary, b: Summary): string {
  const [first, second] = [a, b].map(({ run }) => Date.parse(run.startedAt ?? ''));
  const hours = Math.abs((second ?? NaN) - (first ?? NaN)) / hourMs;
  if (Number.isNaN(hours)) return 'at different times';
  if (hours < 48) return `${hours < 1 ? 'less than an hour' : counted(Math.round(hours), 'hour')} apart`;
  return `${counted(Math.round(hours / 24), 'day')} apart`;
}

function cautionOf(a: Summary, b: Summary): string {
  return `These runs were made ${distance(a, b)}. Anything else that changed on the machine is part of every figure. This is weaker evidence than a paired run, which has both sides in every block. To compare browser versions reliably, make them arms of one run: npx h2h3 run web --arms chromium@OLD:h3,chromium@NEW:h3.`;
}

/**
 * Run B against run A, block values unpaired: Hodges–Lehmann shift, and a verdict only by the variance between runs. Two
 * questions for each metric: has the gap between the arms changed (each block's own pair cancels what the machine did
 * to both), and has each arm changed.
 *
 * @param known what runs of this class of machine differ by although nothing changed
 * @throws H2h3Error `bad-input` when the runs have nothing in common.
 */
export function compareRuns(
  a: RunToCompare,
  b: RunToCompare,
  known: readonly BetweenRunNoise[] = [],
): RunComparison {
  const { contrasts, warnings } = contrastsOf(a.summary, b.summary, known);
  const unknown = contrasts.some((contrast) => hasReason(contrast, 'no-run-variation'));
  const differences = runDifferences(a.summary, b.summary);
  const names = mergedNames([nameTable(a.summary), nameTable(b.summary)]);
  const side = ({ folder, summary }: RunToCompare): RunComparison['a'] => ({
    folder,
    run: summary.run,
    trials: summary.trials,
  });
  return {
    schemaVersion: 1,
    a: side(a),
    b: side(b),
    headline: contrastHeadline(contrasts, namesFrom(names)),
    caution: cautionOf(a.summary, b.summary),
    differences,
    contrasts,
    warnings: [
      ...(unknown ? [noiseAdvice] : []),
      ...stateWarnings('A', a.summary),
      ...stateWarnings('B', b.summary),
      ...warnings,
    ],
    names,
  };
}
