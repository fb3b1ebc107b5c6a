import { namesFrom } from '../../../src/core/model/names.ts';
import type { IndexedComparison, RunEntry } from '../../../src/core/model/run-index.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatRatioPercent, isNumber } from '../../format/numbers.ts';
import { verdictSigns, verdictTitles } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** Runs in one trend; older ones are left out. */
const maxPoints = 60;
/** Trends on one page. */
const maxTrends = 40;

const size = { width: 300, height: 74, air: 6 } as const;

interface TrendPoint {
  readonly run: RunEntry;
  readonly comparison: IndexedComparison;
  readonly ratio: number;
}

export interface Trend {
  readonly runName: string;
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
}

function seriesKey({ name }: RunEntry, comparison: IndexedComparison): string {
  const { workload, workloadKind, client, network, server, metric, arms } = comparison;
  return JSON.stringify([name, workload, workloadKind, client, network, server, metric, arms]);
}

/** The primary comparisons that at least two runs of the same name have, over the time of these runs. */
export function trendsOf(runs: readonly RunEntry[]): Trend[] {
  const trends = new Map<string, { runName: string; points: TrendPoint[] }>();
  for (const run of runs.toReversed()) {
    for (const comparison of run.primary) {
      const { ratio } = comparison;
      if (!isNumber(ratio) || ratio <= 0) continue;
      const key = seriesKey(run, comparison);
      const trend = trends.get(key) ?? { runName: run.name, points: [] };
      trend.points.push({ run, comparison, ratio });
      trends.set(key, trend);
    }
  }
  return [...trends.values()]
    .filter(({ points }) => points.length > 1)
    .map(({ runName, points }) => ({ runName, points: points.slice(-maxPoints) }))
    .slice(0, maxTrends);
}

function limitsOf({ ratio, comparison }: TrendPoint): [number, number] {
  const [low, high] = comparison.ratioInterval ?? [ratio, ratio];
  return low > 0 ? [low, high] : [ratio, high];
}

/** Percent of change on a logarithmic scale, downwards on the screen. */
function scaleOf({ points }: Trend): { y: (ratio: number) => number; x: (index: number) => number } {
  const margin = points.at(-1)?.comparison.margin ?? 0;
  const ends = [...points.flatMap(limitsOf), 1 + margin, 1 / (1 + margin)].map(Math.log);
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const { width, height, air } = size;
  return {
    y: (ratio) => air + ((high - Math.log(ratio)) / (high - low || 1)) * (height - 2 * air),
    x: (index) => air + (index / Math.max(1, points.length - 1)) * (width - 2 * air),
  };
}

const fixed = (value: number): string => value.toFixed(1);

function graph(trend: Trend): Markup {
  const { points } = trend;
  const { x, y } = scaleOf(trend);
  const margin = points.at(-1)?.comparison.margin ?? 0;
  const top = y(1 + margin);
  const bottom = y(1 / (1 + margin));
  const line = points.map(({ ratio }, i) => `${fixed(x(i))},${fixed(y(ratio))}`).join(' ');
  const marks = points.map((point, i) => {
    const [low, high] = limitsOf(point);
    const { verdict } = point.comparison;
    return markup`<g class="v-${verdict}"><path class="i" d="M${fixed(x(i))} ${fixed(y(low))}V${fixed(y(high))}"/><circle cx="${fixed(x(i))}" cy="${fixed(y(point.ratio))}" r="3"/></g>`;
  });
  return markup`<svg class="g trend" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${words(trend)}"><rect class="m" x="0" y="${fixed(top)}" width="${size.width}" height="${fixed(bottom - top)}"/><path class="z" d="M0 ${fixed(y(1))}H${size.width}"/><polyline class="l" points="${line}"/>${marks}</svg>`;
}

/** The trend as a sentence. */
function words({ points }: Trend): string {
  const first = points[0];
  const last = points.at(-1);
  const middle = points.map(({ ratio }) => ratio).sort((a, b) => a - b)[Math.floor(points.length / 2)];
  return `${points.length} runs: ${formatRatioPercent(first?.ratio)} in the first, ${formatRatioPercent(last?.ratio)} in the last (${verdictTitles[last?.comparison.verdict ?? 'inconclusive']}), median ${formatRatioPercent(middle)}.`;
}

/** One trend as a card: what it follows, the graph, the newest value. */
export function trendCard(trend: Trend): Markup {
  const last = trend.points.at(-1);
  if (last === undefined) return markup``;
  const { workload, workloadKind, client, network, metric, arms, verdict } = last.comparison;
  const names = namesFrom(last.run.names);
  return markup`<li class="box">
    <h3>${metricWords(metric).title}: ${names.workload(workload, workloadKind)}</h3>
    <p class="note">${trend.runName} · ${names.client(client)} · ${names.network(network)} · ${armTitle(arms[1])} against ${armTitle(arms[0])}</p>
    ${graph(trend)}
    <p class="trend-words"><span class="sign v-${verdict}" aria-hidden="true">${verdictSigns[verdict]}</span> ${words(trend)}</p>
  </li>`;
}
