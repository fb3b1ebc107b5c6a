import { formatNumber, isNumber } from '../../format/numbers.ts';
import { takeaway } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import type { Page } from './read-page.ts';
import { colour, faded } from './theme.ts';

type Arm = PageComparison['baseline'];

/** The box from the summary's own figures, so that plot and table never differ. */
function boxOf(arm: Arm): object | null {
  const { minimum, maximum, median, quartiles } = arm;
  if (!isNumber(minimum) || !isNumber(maximum) || !isNumber(median) || quartiles === null) return null;
  const [q1, q3] = quartiles;
  return {
    min: minimum,
    whiskerMin: minimum,
    q1,
    median,
    q3,
    whiskerMax: maximum,
    max: maximum,
    mean: median,
    items: [],
    outliers: [],
  };
}

function pairs(comparison: PageComparison): object[] {
  const [a, b] = [colour('arm-a'), colour('arm-b')];
  const line = faded('soft', comparison.values.length > 30 ? 0.25 : 0.55);
  return comparison.values.map(([block, baseline, candidate]) => ({
    type: 'line',
    label: `block ${block + 1}`,
    data: [null, baseline, candidate, null],
    borderColor: line,
    borderWidth: 1,
    pointBackgroundColor: ['transparent', a, b, 'transparent'],
    pointBorderColor: ['transparent', a, b, 'transparent'],
    pointStyle: ['circle', 'circle', 'triangle', 'circle'],
    pointRadius: 3.5,
    pointHoverRadius: 5,
    spanGaps: false,
  }));
}

function configuration(comparison: PageComparison, page: Page): AnyConfiguration {
  const [a, b] = [colour('arm-a'), colour('arm-b')];
  const boxes = {
    type: 'boxplot',
    label: 'box',
    data: [boxOf(comparison.baseline), null, null, boxOf(comparison.candidate)],
    backgroundColor: [faded('arm-a', 0.25), 'transparent', 'transparent', faded('arm-b', 0.25)],
    borderColor: [a, a, b, b],
    borderWidth: 1.5,
    medianColor: colour('text'),
    maxBarThickness: 44,
    order: 1,
  };
  return {
    type: 'bar',
    data: {
      labels: [page.baseline.title, '', '', page.candidate.title],
      datasets: [...pairs(comparison), boxes],
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      plugins: {
        legend: { display: false },
        tooltip: {
          filter: (item: { dataset: { label?: string } }) => item.dataset.label !== 'box',
          callbacks: {
            title: () => '',
            label: (item: { dataset: { label?: string }; parsed: { y: number } }) =>
              `${item.dataset.label}: ${formatNumber(item.parsed.y, 4)} ${comparison.unit}`,
          },
        },
      },
      scales: {
        x: { grid: { display: false }, ticks: { autoSkip: false, maxRotation: 0 } },
        y: { title: { display: true, text: comparison.unit }, ticks: { maxTicksLimit: 6 }, grace: '5%' },
      },
    },
  } as unknown as AnyConfiguration;
}

/** Box of each arm with its paired blocks between, or null where no block has a value. */
export function distributionFigure(comparison: PageComparison, page: Page): FigureSpec | null {
  if (!comparison.values.some(([, a, b]) => isNumber(a) || isNumber(b))) return null;
  return {
    title: `${comparison.metric}${comparison.unit === '' ? '' : `, ${comparison.unit}`}`,
    takeaway: takeaway(comparison, page.candidate.title),
    heightPx: 230,
    configuration: () => configuration(comparison, page),
    rows: [
      ['block', page.baseline.label, page.candidate.label],
      ...comparison.values.map(([block, a, b]) => [block + 1, a, b]),
    ],
    fileName: comparison.id,
  };
}
