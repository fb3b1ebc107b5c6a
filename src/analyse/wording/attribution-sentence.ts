import { sentenceCase } from '../../core/model/sentence-case.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { differingFactors, factorOf, type FactorName } from '../../core/factors/registry.ts';
import type { Arm } from '../../core/model/plan.ts';
import { chosenPercentDigits } from '../../core/model/rounding.ts';
import type { Comparison, Summary, Verdict } from '../../core/model/summary.ts';
import { valueName } from '../../core/factors/arm-name.ts';
import { counted, pText, signedPercent } from '../figures/figures.ts';

type DifferenceInDifferences = Summary['differenceInDifferences'][number];

export interface AttributionNames {
  /** Workload and what else the run has several of; may be empty. */
  readonly place: string;
  readonly arms: readonly Arm[];
}

/** Whose doing a change between two versions is: the protocol's, the browser's, or undecided. */
export function attributionSentence(
  double: DifferenceInDifferences,
  comparisons: readonly Comparison[],
  names: AttributionNames,
): string {
  const [oldFirst, oldSecond, newFirst] = double.arms.map((label) =>
    names.arms.find((arm) => arm.label === label),
  );
  const columns = factorBetween(oldFirst, oldSecond);
  const rows = factorBetween(oldFirst, newFirst);
  const named = (name: FactorName | undefined, arm: Arm | undefined, label: string): string =>
    name === undefined || arm === undefined ? label : valueName(name, arm.factors);
  const first = named(columns, oldFirst, double.arms[0]);
  const second = named(columns, oldSecond, double.arms[1]);
  const change = (from: string, to: string): Verdict | undefined => verdictOf(double, comparisons, from, to);
  const told = conclusion(double.verdict, {
    first,
    second,
    subject: subjectOf(rows),
    changeOfFirst: change(double.arms[0], double.arms[2]),
    changeOfSecond: change(double.arms[1], double.arms[3]),
  });
  const where = names.place === '' ? '' : `${names.place}: `;
  const step = `from ${named(rows, oldFirst, '?')} to ${named(rows, newFirst, '?')}`;
  return `${where}${told}. ${sentenceCase(step)} ${titleOf(double)} changed over ${second} by ${relative(double.ratioOfRatios)} against its change over ${first} (${evidence(double)}).`;
}

/** What changed between two arms that differ in this factor: `the browser`, `the server`. */
export function subjectOf(factor: FactorName | undefined): string {
  return factor === undefined || factor === 'client' ? 'the browser' : `the ${factorOf(factor).title}`;
}

/** The one factor in which two arms differ, if it is one. */
export function factorBetween(a: Arm | undefined, b: Arm | undefined): FactorName | undefined {
  if (a === undefined || b === undefined) return undefined;
  const differing = differingFactors(a.factors, b.factors);
  return differing.length === 1 ? differing[0] : undefined;
}

interface Changes {
  /** What changed between the rows: `the browser`, `the server`. */
  readonly subject: string;
  readonly first: string;
  readonly second: string;
  readonly changeOfFirst: Verdict | undefined;
  readonly changeOfSecond: Verdict | undefined;
}

/** Claims no more than the three verdicts: of the difference, and of each protocol's own change. */
function conclusion(verdict: Verdict, changes: Changes): string {
  const { subject, first, second, changeOfFirst, changeOfSecond } = changes;
  if (verdict === 'inconclusive')
    return `whether ${second} changed more or less than ${first} is not decided`;
  if (verdict === 'equivalent') {
    const both = changeOfFirst === changeOfSecond ? changeOfFirst : undefined;
    if (both === 'worse' || both === 'better')
      return `${subject} itself got ${both}, over ${first} and ${second} alike`;
    return `${second} changed as much as ${first}`;
  }
  const alone = changeOfFirst === 'equivalent' && changeOfSecond === verdict;
  return alone
    ? `${second} alone got ${verdict}, ${subject} over ${first} did not change`
    : `${second} got ${verdict} in relation to ${first}`;
}

function verdictOf(
  { workload, client, network, server, metric }: DifferenceInDifferences,
  comparisons: readonly Comparison[],
  baseline: string,
  candidate: string,
): Verdict | undefined {
  return comparisons.find(
    (comparison) =>
      comparison.baseline.arm === baseline &&
      comparison.candidate.arm === candidate &&
      comparison.metric === metric &&
      [comparison.workload, comparison.client, comparison.network, comparison.server].join('\n') ===
        [workload, client, network, server].join('\n'),
  )?.verdict;
}

const titleOf = ({ metric }: DifferenceInDifferences): string => metricDefinition(metric)?.title ?? metric;

const relative = (ratio: number | null): string =>
  ratio === null ? 'an unknown amount' : signedPercent(ratio);

function evidence({
  interval,
  intervalLevel = 0.95,
  adjustedPValue,
  blocks,
}: DifferenceInDifferences): string {
  const parts = [
    interval === null
      ? 'no interval'
      : `${chosenPercentDigits(intervalLevel * 100)} % interval ${relative(interval[0])} to ${relative(interval[1])}`,
  ];
  if (typeof adjustedPValue === 'number') parts.push(`adjusted ${pText(adjustedPValue)}`);
  return [...parts, counted(blocks, 'block')].join(', ');
}
