import { valueName } from '../../core/factors/arm-name.ts';
import type { Gate, GateComparison } from '../../core/model/gate.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Arm, type Plan } from '../../core/model/plan.ts';
import type { Summary, Verdict } from '../../core/model/summary.ts';
import { twoByTwo, type TwoByTwo } from '../comparison/arm-pairs.ts';
import { factorBetween, subjectOf } from '../wording/attribution-sentence.ts';
import { pText, signedPercent } from '../figures/figures.ts';

type Attribution = Gate['attribution'][number];
type Cause = Attribution['cause'];
type DifferenceInDifferences = Summary['differenceInDifferences'][number];

/**
 * Whose fault a regression is. `first` and `second` are the verdicts on the candidate over the baseline protocol
 * (HTTP/2) and over the candidate protocol (HTTP/3), `double` that on the difference of their changes.
 */
export function causeOf(first: Verdict, second: Verdict, double: Verdict): Cause {
  if (double === 'worse' && second === 'worse') return first === 'worse' ? 'both' : 'protocol';
  if (double === 'better' && first === 'worse') return 'other-protocol';
  if (first === 'worse' && second === 'worse') return 'browser';
  return 'open';
}

interface Changed {
  /** Between the rows: `the browser`, `the server`. */
  readonly subject: string;
  /** The columns, such as HTTP/2 and HTTP/3. */
  readonly first: string;
  readonly second: string;
}

function changedOf([oldFirst, oldSecond, newFirst]: TwoByTwo): Changed {
  const columns = factorBetween(oldFirst, oldSecond);
  const named = ({ label, factors }: Arm): string =>
    columns === undefined ? label : valueName(columns, factors);
  return {
    subject: subjectOf(factorBetween(oldFirst, newFirst)),
    first: named(oldFirst),
    second: named(oldSecond),
  };
}

function sentenceOf(
  cause: Cause,
  { subject, first, second }: Changed,
  change: DifferenceInDifferences,
): string {
  const title = metricDefinition(change.metric)?.title ?? change.metric;
  const figures = figuresOf(change, second, first);
  const words: Readonly<Record<Cause, string>> = {
    protocol: `${title}: the regression is of ${second}, not of ${subject} as a whole`,
    browser: `${title}: ${subject} became worse over ${first} and ${second} alike`,
    both: `${title}: ${subject} became worse over both, and ${second} more than ${first}`,
    'other-protocol': `${title}: the regression is of ${first}, not of ${subject} as a whole`,
    open: `${title}: whether ${first} and ${second} changed alike is not decided`,
  };
  return `${words[cause]} (${figures}).`;
}

function figuresOf(
  { ratioOfRatios, interval, adjustedPValue }: DifferenceInDifferences,
  second: string,
  first: string,
): string {
  if (ratioOfRatios === null) return 'no estimate';
  const range = interval === null ? '' : `, ${signedPercent(interval[0])} to ${signedPercent(interval[1])}`;
  const p = adjustedPValue === null ? '' : `, ${pText(adjustedPValue)}`;
  return `change of ${second} against change of ${first} ${signedPercent(ratioOfRatios)}${range}${p}`;
}

/** For every primary metric that is worse over one protocol or both: where the change came from. Needs 2 × 2 arms. */
export function attribute(
  plan: Plan,
  summary: Summary,
  comparisons: readonly GateComparison[],
): Attribution[] {
  const square = twoByTwo(armsAsRun(plan));
  if (square === null) return [];
  const [baselineFirst, baselineSecond] = square;
  const changed = changedOf(square);
  return summary.differenceInDifferences.flatMap((change) => {
    if (change.primary !== true) return [];
    const verdictWith = (arm: string): Verdict | undefined =>
      comparisons.find(
        (comparison) =>
          comparison.baselineArm === arm &&
          comparison.workload === change.workload &&
          comparison.metric === change.metric &&
          comparison.network === change.network &&
          comparison.server === change.server,
      )?.verdict;
    const first = verdictWith(baselineFirst.label);
    const second = verdictWith(baselineSecond.label);
    if (first === undefined || second === undefined || (first !== 'worse' && second !== 'worse')) return [];
    const cause = causeOf(first, second, change.verdict);
    const { workload, metric, network, ratioOfRatios, interval, adjustedPValue = null } = change;
    return [
      {
        workload,
        metric,
        network,
        cause,
        ratioOfRatios,
        interval,
        adjustedPValue,
        sentence: sentenceOf(cause, changed, change),
      },
    ];
  });
}
