import { metricDefinition } from '../../model/metric-catalogue.ts';
import type { Arm } from '../../model/plan.ts';
import type { Comparison, Summary, Verdict } from '../../model/summary.ts';
import { armName } from './arm-name.ts';
import { counted, percent, pText } from './figures.ts';

type DifferenceInDifferences = Summary['differenceInDifferences'][number];

export interface AttributionNames {
  /** Workload and what else the run has several of; may be empty. */
  readonly place: string;
  readonly arms: readonly Arm[];
  /** Level of the interval: 0.95. */
  readonly level: number;
}

/** Whose doing a change between two versions is: the protocol's, the browser's, or undecided. */
export function attributionSentence(
  double: DifferenceInDifferences,
  comparisons: readonly Comparison[],
  names: AttributionNames,
): string {
  const [oldFirst, oldSecond, newFirst, newSecond] = double.arms.map((label) =>
    names.arms.find((arm) => arm.label === label),
  );
  const protocols = [oldFirst, oldSecond].map(
    (arm) => arm && armName({ label: arm.label, protocol: arm.protocol }),
  );
  const [first = double.arms[0], second = double.arms[1]] = protocols;
  const change = (from: string, to: string): Verdict | undefined => verdictOf(double, comparisons, from, to);
  const told = conclusion(double.verdict, {
    first,
    second,
    changeOfFirst: change(double.arms[0], double.arms[2]),
    changeOfSecond: change(double.arms[1], double.arms[3]),
  });
  const where = names.place === '' ? '' : `${names.place}: `;
  const step = `from ${oldFirst?.client ?? '?'} to ${newFirst?.client ?? newSecond?.client ?? '?'}`;
  return `${where}${told}; ${step} ${titleOf(double)} changed over ${second} by ${relative(double.ratioOfRatios)} against its change over ${first} (${evidence(double, names.level)}).`;
}

interface Changes {
  readonly first: string;
  readonly second: string;
  readonly changeOfFirst: Verdict | undefined;
  readonly changeOfSecond: Verdict | undefined;
}

/** Claims no more than the three verdicts: of the difference, and of each protocol's own change. */
function conclusion(verdict: Verdict, { first, second, changeOfFirst, changeOfSecond }: Changes): string {
  if (verdict === 'inconclusive') return `whether ${second} changed otherwise than ${first} is undecided`;
  if (verdict === 'equivalent') {
    const both = changeOfFirst === changeOfSecond ? changeOfFirst : undefined;
    if (both === 'worse' || both === 'better')
      return `the browser itself got ${both}, over ${first} and ${second} alike`;
    return `${second} changed no otherwise than ${first}`;
  }
  const alone = changeOfFirst === 'equivalent' && changeOfSecond === verdict;
  return alone
    ? `${second} alone got ${verdict}, the browser over ${first} did not change`
    : `${second} got ${verdict} in relation to ${first}`;
}

function verdictOf(
  { workload, client, network, server, metric }: DifferenceInDifferences,
  comparisons: readonly Comparison[],
  baseline: string,
  candidate: string,
): Verdict | undefined {
  return comparisons.find(
    (one) =>
      one.baseline.arm === baseline &&
      one.candidate.arm === candidate &&
      one.metric === metric &&
      [one.workload, one.client, one.network, one.server].join('\n') ===
        [workload, client, network, server].join('\n'),
  )?.verdict;
}

const titleOf = ({ metric }: DifferenceInDifferences): string => metricDefinition(metric)?.title ?? metric;

function relative(ratio: number | null): string {
  if (ratio === null) return 'an unknown amount';
  return `${ratio < 1 ? '−' : '+'}${percent(ratio - 1)}`;
}

function evidence({ interval, adjustedPValue, blocks }: DifferenceInDifferences, level: number): string {
  const parts = [
    interval === null
      ? 'no interval'
      : `${Number((level * 100).toPrecision(3))} % interval ${relative(interval[0])} to ${relative(interval[1])}`,
  ];
  if (typeof adjustedPValue === 'number') parts.push(`adjusted ${pText(adjustedPValue)}`);
  return [...parts, counted(blocks, 'block')].join(', ');
}
