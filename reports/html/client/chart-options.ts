import type { Chart as ChartClass } from 'chart.js';
import { formatNumber } from '../../format/numbers.ts';
import { colour } from './theme.ts';

/** The next of 1, 2 and 5 times a power of ten. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((digit) => digit * power >= least) ?? 10);
}

/** Options that all charts share: no movement, the size of their frame, no legend unless asked for. */
export const sharedOptions = { animation: false, responsive: true, maintainAspectRatio: false } as const;

/** Plug-ins of a chart without a legend: what its tooltips say. */
export function tooltipsAlone(callbacks: object): object {
  return { legend: { display: false }, tooltip: { callbacks } };
}

/** Ticks written as the tables write numbers. */
export function numberTicks(extra: object = {}): object {
  return { maxTicksLimit: 6, callback: (value: number | string) => formatNumber(Number(value)), ...extra };
}

/** An axis with a title; empty titles take no room. */
export function axis(title: string, extra: object = {}): object {
  return { title: { display: title !== '', text: title }, ticks: numberTicks(), ...extra };
}

/** Text cut to a number of characters; what differs between names often stands at their end, so the middle goes. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - tail).trimEnd()}…${text.slice(text.length - tail).trimStart()}`;
}

/** The baseline is dashed with circles, the candidate drawn through with triangles: told apart without colour. */
export function armStyle(isBaseline: boolean): { tone: string; dash: number[]; point: string } {
  return isBaseline
    ? { tone: 'arm-a', dash: [6, 4], point: 'circle' }
    : { tone: 'arm-b', dash: [], point: 'triangle' };
}

/** A legend of lines by their points. */
export function pointLegend(): object {
  return {
    align: 'start',
    labels: { usePointStyle: true, boxHeight: 7, pointStyleWidth: 14, color: colour('text') },
  };
}

declare const Chart: typeof ChartClass;

interface LegendItem {
  readonly datasetIndex: number;
}

/** Chart.js forgets dashes and widths of lines when the legend uses point styles. */
function asDrawn(chart: ChartClass): object[] {
  const items = Chart.defaults.plugins.legend.labels.generateLabels(chart) as unknown as LegendItem[];
  return items.map((item) => {
    const { borderDash = [], borderWidth = 2 } = chart.data.datasets[item.datasetIndex] as {
      borderDash?: number[];
      borderWidth?: number;
    };
    return { ...item, lineDash: borderDash, lineWidth: borderWidth };
  });
}

/** A legend of lines without points, by their dashes; `extra` goes to its labels. */
export function lineLegend(extra: object = {}): object {
  const labels = { usePointStyle: true, pointStyle: 'line', pointStyleWidth: 36, generateLabels: asDrawn };
  return { align: 'start', labels: { ...labels, color: colour('text'), ...extra } };
}
