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
import { armsOf, changeAxis, axisPlace, placeOfEstimate, placesOfMargin } from './change-axis.ts';
import { cut, sharedOptions, tooltipsAlone } from './chart-options.ts';
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

function datasets(shown: readonly PageComparison[]): object[] {
  const tones = shown.map(({ verdict }) => colour(verdict));
  return [
    {
      type: 'line',
      indexAxis: 'y',
      label: 'estimate',
      data: shown.map(placeOfEstimate),
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
        (comparison) => intervalOf(comparison)?.map((end) => axisPlace(comparison, end)) ?? null,
      ),
      backgroundColor: tones,
      barThickness: 2.5,
      minBarLength: 2,
    },
  ];
}

/** Places of estimate and limits. */
function reachOf(comparison: PageComparison): number[] {
  const ends = intervalOf(comparison)?.map((end) => axisPlace(comparison, end)) ?? [];
  return [placeOfEstimate(comparison), ...ends];
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
      plugins: tooltipsAlone({
        label: ({ dataIndex }: { dataIndex: number }) => {
          const comparison = shown[dataIndex] as PageComparison;
          return `${effectText(comparison)}, ${levelText(comparison)} interval ${intervalText(comparison)}, n = ${comparison.blocks}, ${verdictTitles[comparison.verdict]}`;
        },
      }),
      scales: {
        x: changeAxis(first, shown.flatMap(reachOf), {}, shown),
        // A long plot has its scale at both ends.
        ...(shown.length > longForest
          ? { x2: changeAxis(first, shown.flatMap(reachOf), { position: 'top' }, shown) }
          : {}),
        y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
      },
    },
    plugins: [referencePlugin('margin', 0, ...placesOfMargin(first))],
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
const maxRows = 120;

/** Estimate and interval of every workload for one metric, of one condition or of all. */
export function forestFigure(comparisons: readonly PageComparison[]): FigureSpec | null {
  const known = comparisons.filter((comparison) => isNumber(estimateOf(comparison)));
  const shown = known
    .toSorted((a, b) => Math.abs(placeOfEstimate(b)) - Math.abs(placeOfEstimate(a)))
    .slice(0, maxRows)
    .sort((a, b) => Number(b.pooled) - Number(a.pooled) || estimateOf(a) - estimateOf(b));
  const first = shown[0];
  if (first === undefined) return null;
  const without = comparisons.length - known.length;
  const cutOff =
    known.length > shown.length
      ? ` The ${maxRows} of ${known.length} that changed most are shown. Choose a condition for the others.`
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
