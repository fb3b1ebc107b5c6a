import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import { formatNumber, isNumber } from '../../format/numbers.ts';
import type { PageLoad, PageLoadGroup } from '../page-data.ts';
import { armStyle, axis, numberTicks, pointLegend, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour } from './theme.ts';

function curveOf({ progress }: PageLoad, endMs: number): { x: number; y: number }[] {
  const points = progress.map(([x, y]) => ({ x, y }));
  return [{ x: 0, y: 0 }, ...points, { x: endMs, y: points.at(-1)?.y ?? 0 }];
}

function chartConfiguration(
  { endMs }: PageLoadGroup,
  loads: readonly PageLoad[],
  baselineArm: string,
): AnyConfiguration {
  return {
    type: 'line',
    data: {
      datasets: loads.map((load) => {
        const { tone, dash, point } = armStyle(load.arm === baselineArm);
        return {
          label: load.title,
          data: curveOf(load, endMs),
          stepped: 'before',
          borderColor: colour(tone),
          backgroundColor: colour(tone),
          borderWidth: 2,
          borderDash: dash,
          pointStyle: point,
          pointRadius: load.progress.length > 40 ? 0 : 3,
          order: load.arm === baselineArm ? 0 : 1,
        };
      }),
    },
    options: {
      ...sharedOptions,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: { legend: pointLegend() },
      scales: {
        x: axis('ms after navigation start', {
          type: 'linear',
          min: 0,
          max: Math.ceil(endMs),
          ticks: numberTicks({ maxTicksLimit: 9 }),
        }),
        y: axis('visible, %', { min: 0, max: 100 }),
      },
    },
  } as unknown as AnyConfiguration;
}

/** When 85 % and all of the viewport looked as in the end. */
function progressWords({ title, progress }: PageLoad): string {
  const reaching = (percent: number): string => {
    const time = progress.find(([, reached]) => reached >= percent)?.[0];
    return isNumber(time) ? `at ${formatNumber(time / 1000, 2)} s` : 'never';
  };
  return `${title}: 85 % painted ${reaching(85)}, complete ${reaching(100)}.`;
}

/** How much of the viewport was visible when, all arms of one block on one axis; null without frames. */
export function visualProgressFigure(group: PageLoadGroup, baselineArm: string): FigureSpec | null {
  const loads = group.loads.filter(({ progress }) => progress.length > 0);
  if (loads.length === 0) return null;
  return {
    title: 'Visual progress',
    takeaway: `${sentenceCase(group.block)}, one trial of each arm. ${loads.map(progressWords).join(' ')}`,
    heightPx: 220,
    chartConfiguration: () => chartConfiguration(group, loads, baselineArm),
    rows: [
      ['arm', 'ms after navigation start', 'visible (%)'],
      ...loads.flatMap(({ title, progress }) => progress.map(([tMs, percent]) => [title, tMs, percent])),
    ],
    fileName: `visual-progress-${group.block.replaceAll(' ', '-')}`,
  };
}
