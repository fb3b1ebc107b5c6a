import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import { takeaway } from '../../format/verdict-words.ts';
import type { PageArm, PageComparison } from '../page-data.ts';
import { axis, numberTicks, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

/** The box from the summary's own figures, so that plot and table never differ. */
function boxOf({ minimum, maximum, median, lowerQuartile, upperQuartile }: PageArm): object | null {
  if (![minimum, maximum, median, lowerQuartile, upperQuartile].every(isNumber)) return null;
  return {
    min: minimum,
    whiskerMin: minimum,
    q1: lowerQuartile,
    median,
    q3: upperQuartile,
    whiskerMax: maximum,
    max: maximum,
    mean: median,
    items: [],
    outliers: [],
  };
}

/** Two points and a gap for each block, so that one line joins the arms of every block and no two blocks. */
function pairs({ values }: PageComparison): object {
  const a = colour('arm-a');
  const b = colour('arm-b');
  const gap = { x: NaN, y: NaN };
  const tones = values.flatMap(() => [a, b, a]);
  return {
    type: 'line',
    label: 'blocks',
    // The category axis counts from 0: the boxes stand at 0 and 3, the points between them.
    parsing: false,
    data: values.flatMap(([, baseline, candidate]) => [
      { x: 1, y: baseline ?? NaN },
      { x: 2, y: candidate ?? NaN },
      gap,
    ]),
    borderColor: faded('soft', values.length > 30 ? 0.2 : 0.55),
    borderWidth: 1,
    pointBackgroundColor: tones,
    pointBorderColor: tones,
    pointStyle: values.flatMap(() => ['circle', 'triangle', 'circle']),
    pointRadius: values.length > 100 ? 2 : 3.5,
    pointHoverRadius: 5,
  };
}

function boxes(comparison: PageComparison): object {
  const a = colour('arm-a');
  const b = colour('arm-b');
  return {
    type: 'boxplot',
    label: 'box',
    data: [boxOf(comparison.baseline), null, null, boxOf(comparison.candidate)],
    backgroundColor: [faded('arm-a', 0.22), 'transparent', 'transparent', faded('arm-b', 0.22)],
    borderColor: [a, a, b, b],
    medianColor: [a, a, b, b],
    borderWidth: 1.5,
    meanRadius: 0,
    maxBarThickness: 44,
    order: 1,
  };
}

/** The range of the values with some air; what is never negative gets no negative axis. */
function valueRange({ values, baseline, candidate }: PageComparison): object {
  const all = [
    ...values.flatMap(([, a, b]) => [a, b]),
    ...[baseline, candidate].flatMap(({ minimum, maximum }) => [minimum, maximum]),
  ].filter(isNumber);
  const low = all.reduce((least, value) => Math.min(least, value), Infinity);
  const high = all.reduce((most, value) => Math.max(most, value), -Infinity);
  const air = (high - low) * 0.12 || Math.abs(high) * 0.1 || 1;
  return {
    beginAtZero: false,
    suggestedMin: low >= 0 ? Math.max(0, low - air) : low - air,
    suggestedMax: high + air,
  };
}

interface TooltipItem {
  readonly dataset: { readonly label?: string };
  readonly dataIndex: number;
  readonly parsed: { readonly y: number };
}

function chartConfiguration(comparison: PageComparison): AnyConfiguration {
  const { baseline, candidate, unit } = comparison;
  return {
    type: 'bar',
    data: {
      labels: [baseline.title, '', '', candidate.title],
      datasets: [pairs(comparison), boxes(comparison)],
    },
    options: {
      ...sharedOptions,
      plugins: {
        legend: { display: false },
        tooltip: {
          filter: ({ dataset }: TooltipItem) => dataset.label !== 'box',
          callbacks: {
            title: () => '',
            label: ({ dataIndex, parsed }: TooltipItem) => {
              const block = comparison.values[Math.floor(dataIndex / 3)]?.[0] ?? 0;
              const arm = dataIndex % 3 === 0 ? baseline : candidate;
              return `${comparison.recorded ? 'recorded ' : ''}block ${block + 1}, ${arm.title}: ${formatNumber(parsed.y, 4)} ${unit}`;
            },
          },
        },
      },
      scales: {
        x: { grid: { display: false }, ticks: { autoSkip: false, maxRotation: 0, color: colour('text') } },
        y: axis(unit, { ...valueRange(comparison), ticks: numberTicks() }),
      },
    },
  } as unknown as AnyConfiguration;
}

/** Whether both arms have the same value in every block, so that their boxes are one. */
export function isSameInBothArms({ values }: PageComparison): boolean {
  return values.length > 0 && values.every(([, a, b]) => isNumber(a) && a === b);
}

/** Box of each arm with its paired blocks between, or null where no block has a value. */
export function distributionFigure(comparison: PageComparison): FigureSpec | null {
  const { values, baseline, candidate, unit } = comparison;
  if (boxOf(baseline) === null && !values.some(([, a, b]) => isNumber(a) || isNumber(b))) return null;
  const alone = values.filter(([, a, b]) => isNumber(a) !== isNumber(b)).length;
  const lost =
    alone > 0 ? ` ${plural(alone, 'block')} ${alone === 1 ? 'has' : 'have'} a value in one arm only.` : '';
  const leftOut = comparison.valuesLeftOut
    ? ' The points of the single blocks are left out to keep this page small. They are in summary.json.'
    : '';
  return {
    title: comparison.metric,
    sign: comparison.verdict,
    takeaway: takeaway(comparison, candidate.title) + lost + leftOut,
    heightPx: 230,
    chartConfiguration: () => chartConfiguration(comparison),
    rows: [
      [
        'block',
        `${baseline.title}${unit === '' ? '' : ` (${unit})`}`,
        `${candidate.title}${unit === '' ? '' : ` (${unit})`}`,
      ],
      ...values.map(([block, a, b]) => [block + 1, a, b]),
    ],
    fileName: comparison.id,
  };
}
