import { isNumber, plural } from '../../format/numbers.ts';
import {
  effectText,
  formOf,
  intervalOf,
  intervalText,
  intervalTitle,
  levelText,
  verdictOrder,
  verdictSigns,
  verdictTitles,
} from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { axis, cut, roundStep, sharedOptions } from './chart-options.ts';
import { referencePlugin } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour } from './theme.ts';

const marks = {
  better: { style: 'triangle', rotation: 0 },
  worse: { style: 'triangle', rotation: 180 },
  equivalent: { style: 'rect', rotation: 0 },
  mixed: { style: 'rectRot', rotation: 0 },
  inconclusive: { style: 'circle', rotation: 0 },
} as const;

/** Ratios are plotted as percent of change, differences as they are. */
export function asPlotted(comparison: PageComparison, value: number): number {
  return formOf(comparison) === 'ratio' ? (value - 1) * 100 : value;
}

/** The estimate as it is plotted; NaN where there is none. */
export function estimateOf(comparison: PageComparison): number {
  return asPlotted(
    comparison,
    (formOf(comparison) === 'ratio' ? comparison.ratio : comparison.difference) ?? NaN,
  );
}

/** Ends of the margin around no change, as plotted. */
export function marginEnds(comparison: PageComparison): [number, number] {
  const { margin } = comparison;
  return formOf(comparison) === 'ratio' ? [(1 / (1 + margin) - 1) * 100, margin * 100] : [-margin, margin];
}

/** Titles of the arms; of several pairs what they are to each other. */
function armsOf(shown: readonly PageComparison[]): { readonly baseline: string; readonly candidate: string } {
  const pairs = new Set(shown.map(({ baseline, candidate }) => `${baseline.title}\n${candidate.title}`));
  const [first] = shown;
  return pairs.size > 1 || first === undefined
    ? { baseline: 'baseline', candidate: 'candidate' }
    : { baseline: first.baseline.title, candidate: first.candidate.title };
}

/** Title of the axis of change, with what its ends mean where there is room. */
function changeTitle(comparison: PageComparison, shown: readonly PageComparison[]): string {
  const { unit } = comparison;
  const { baseline, candidate } = armsOf(shown);
  const change = `change with ${candidate}${formOf(comparison) === 'ratio' ? ', %' : unit === '' ? '' : `, ${unit}`}`;
  if (innerWidth < 700) return `${change} (better →)`;
  return `← ${baseline} better          ${change}          ${candidate} better →`;
}

/** The axis of change as far as these values and the margin reach, not to the next round number. */
export function changeAxis(
  comparison: PageComparison,
  values: readonly number[],
  extra: object = {},
  shown: readonly PageComparison[] = [comparison],
): object {
  const all = [...values.filter(isNumber), ...marginEnds(comparison).map((end) => end * 1.2)];
  const low = all.reduce((least, value) => Math.min(least, value), Infinity);
  const high = all.reduce((most, value) => Math.max(most, value), -Infinity);
  const air = (high - low) * 0.04;
  const firstOf = (step: number): number => Math.ceil((low - air) / step);
  const lastOf = (step: number): number => Math.floor((high + air) / step);
  const wanted = roundStep((high - low) / (innerWidth < 700 ? 3 : 6));
  // One value alone on an axis gives no scale: a step that leaves zero alone is halved.
  const step = lastOf(wanted) - firstOf(wanted) < 2 ? wanted / 2 : wanted;
  const first = firstOf(step);
  const last = lastOf(step);
  // Made here, because the chart’s own ticks begin at the end of the axis where that is nearly a step away.
  const round = Array.from({ length: last - first + 1 }, (_, i) => ({ value: (first + i) * step }));
  // Better is on the right, whether more or less of the metric is better.
  return axis(changeTitle(comparison, shown), {
    min: low - air,
    max: high + air,
    reverse: !comparison.higherIsBetter,
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = round;
    },
    ...extra,
  });
}

function datasets(shown: readonly PageComparison[]): object[] {
  const tones = shown.map(({ verdict }) => colour(verdict));
  return [
    {
      type: 'line',
      indexAxis: 'y',
      label: 'estimate',
      data: shown.map(estimateOf),
      showLine: false,
      pointStyle: shown.map(({ verdict }) => marks[verdict].style),
      pointRotation: shown.map(({ verdict }) => marks[verdict].rotation),
      pointRadius: shown.map(({ pooled }) => (pooled ? 8.5 : 6)),
      pointHoverRadius: 9,
      pointBackgroundColor: shown.map(({ verdict }, i) =>
        verdict === 'inconclusive' ? colour('surface') : tones[i],
      ),
      pointBorderColor: tones,
      pointBorderWidth: 2,
    },
    {
      label: 'interval',
      data: shown.map(
        (comparison) => intervalOf(comparison)?.map((end) => asPlotted(comparison, end)) ?? null,
      ),
      backgroundColor: tones,
      barThickness: 2.5,
      minBarLength: 2,
    },
  ];
}

/** Estimate and limits as plotted. */
function reachOf(comparison: PageComparison): number[] {
  const ends = intervalOf(comparison)?.map((end) => asPlotted(comparison, end)) ?? [];
  return [estimateOf(comparison), ...ends];
}

/** More rows than a screen shows at once. */
const longForest = 18;

/** As much of workload and condition as the rows differ by, in parts that have a line each. */
function namesOf(comparison: PageComparison, shown: readonly PageComparison[]): string[] {
  const several = (pick: (comparison: PageComparison) => string): boolean =>
    new Set(shown.map(pick)).size > 1;
  const places = several(({ place }) => place);
  const name = several(({ workload }) => workload) || !places ? comparison.workload : '';
  // A phone has room for half as much in a line.
  const breaks = innerWidth < 700 ? / (?=against |in )/ : / (?=against )/;
  return [name, ...(places ? comparison.place.split(breaks) : [])].filter(Boolean);
}

/** The lines of a row's label; the sign stands behind the first. */
function labelOf(comparison: PageComparison, shown: readonly PageComparison[]): string[] {
  const most = innerWidth < 700 ? 18 : 40;
  // Second lines are what tells conditions apart, so more of them stays.
  return namesOf(comparison, shown).map((line, i) =>
    i === 0 ? `${cut(line, most)}  ${verdictSigns[comparison.verdict]}` : cut(line, Math.max(most, 22)),
  );
}

/** Height of a row with labels of so many lines. */
function rowHeightPx(lines: number): number {
  return 13 + lines * 14;
}

function chartConfiguration(shown: readonly PageComparison[]): AnyConfiguration {
  const first = shown[0] as PageComparison;
  return {
    type: 'bar',
    data: {
      labels: shown.map((comparison) => labelOf(comparison, shown)),
      datasets: datasets(shown),
    },
    options: {
      ...sharedOptions,
      indexAxis: 'y',
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: {
            label: ({ dataIndex }: { dataIndex: number }) => {
              const comparison = shown[dataIndex] as PageComparison;
              return `${effectText(comparison)}, ${levelText(comparison)} interval ${intervalText(comparison)}, n = ${comparison.blocks}, ${verdictTitles[comparison.verdict]}`;
            },
          },
        },
      },
      scales: {
        x: changeAxis(first, shown.flatMap(reachOf), {}, shown),
        // A long plot has its scale at both ends.
        ...(shown.length > longForest
          ? { x2: changeAxis(first, shown.flatMap(reachOf), { position: 'top' }, shown) }
          : {}),
        y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
      },
    },
    plugins: [referencePlugin('margin', 0, ...marginEnds(first))],
  } as unknown as AnyConfiguration;
}

function countWords(shown: readonly PageComparison[]): string {
  return verdictOrder
    .map((verdict) => ({
      verdict,
      count: shown.filter((comparison) => comparison.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${verdictSigns[verdict]} ${count} ${verdictTitles[verdict]}`)
    .join(', ');
}

/** Rows of one plot; of more those that lie farthest from no change stay. */
const mostRows = 120;

/** Estimate and interval of every workload for one metric, of one condition or of all. */
export function forestFigure(comparisons: readonly PageComparison[]): FigureSpec | null {
  const known = comparisons.filter((comparison) => isNumber(estimateOf(comparison)));
  const shown = known
    .toSorted((a, b) => Math.abs(estimateOf(b)) - Math.abs(estimateOf(a)))
    .slice(0, mostRows)
    .sort((a, b) => Number(b.pooled) - Number(a.pooled) || estimateOf(a) - estimateOf(b));
  const first = shown[0];
  if (first === undefined) return null;
  const without = comparisons.length - known.length;
  const cutOff =
    known.length > shown.length
      ? ` The ${mostRows} of ${known.length} that changed most are shown. Choose a condition for the others.`
      : '';
  const left =
    without === 0
      ? ''
      : ` ${plural(without, 'workload')} without an estimate ${without === 1 ? 'is' : 'are'} left out.`;
  const blocks = [...new Set(shown.map((comparison) => comparison.blocks))];
  const n =
    blocks.length === 1 ? `n = ${blocks[0] ?? 0}` : `n = ${Math.min(...blocks)} to ${Math.max(...blocks)}`;
  return {
    title: `${first.metric}: change with ${armsOf(shown).candidate}`,
    takeaway: `${plural(shown.length, 'comparison')}, ${n} blocks${shown.length > 1 ? ' each' : ''}: ${countWords(shown)}. Lines are ${intervalTitle(shown)}s. In the band a difference does not matter.${left}${cutOff}`,
    heightPx:
      76 +
      shown.length * rowHeightPx(Math.max(...shown.map((comparison) => namesOf(comparison, shown).length))),
    chartConfiguration: () => chartConfiguration(shown),
    rows: [
      ['workload', 'change', 'low', 'high', 'n', 'verdict'],
      ...shown.map((comparison) => {
        const [low = null, high = null] =
          intervalOf(comparison)?.map((end) => asPlotted(comparison, end)) ?? [];
        return [
          namesOf(comparison, shown).join(', '),
          estimateOf(comparison),
          low,
          high,
          comparison.blocks,
          comparison.verdict,
        ];
      }),
    ],
    fileName: `effects-${first.metricName}`,
  };
}
