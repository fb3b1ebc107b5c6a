import type { Comparison, GridCell } from '../../src/core/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatBytes, formatNumber, plural } from '../format/numbers.ts';
import { effectText, intervalText } from '../format/verdict-words.ts';
import type { PageHeatCell, PageHeatMap } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

interface Quantity {
  readonly title: string;
  readonly of: (cell: GridCell) => number;
  readonly text: (value: number) => string;
}

const pathQuantities: readonly Quantity[] = [
  { title: 'rate', of: ({ rateMbps }) => rateMbps, text: (value) => `${formatNumber(value)} Mbit/s` },
  { title: 'round trip', of: ({ rttMs }) => rttMs, text: (value) => `${formatNumber(value)} ms` },
  { title: 'loss', of: ({ lossPercent }) => lossPercent, text: (value) => `${formatNumber(value)} % loss` },
];
const loadQuantities: readonly Quantity[] = [
  { title: 'objects', of: ({ count }) => count, text: (value) => plural(value, 'object') },
  { title: 'size of each', of: ({ sizeBytes }) => sizeBytes, text: (value) => formatBytes(value) },
];

interface Axis {
  readonly title: string;
  readonly labels: readonly string[];
  readonly indexOf: (cell: GridCell) => number;
}

/** An axis of all combinations of those quantities that vary, in rising order; of the first one where none does. */
function axisOf(cells: readonly GridCell[], quantities: readonly Quantity[]): Axis {
  const varying = quantities.filter(({ of }) => new Set(cells.map(of)).size > 1);
  const used = varying.length > 0 ? varying : quantities.slice(0, 1);
  const cellKey = (cell: GridCell): string => JSON.stringify(used.map(({ of }) => of(cell)));
  const points = new Map(cells.map((cell) => [cellKey(cell), cell]));
  const sorted = [...points].sort(([, a], [, b]) => {
    for (const { of } of used) if (of(a) !== of(b)) return of(a) - of(b);
    return 0;
  });
  const places = new Map(sorted.map(([key], index) => [key, index]));
  return {
    title: used.map(({ title }) => title).join(', '),
    labels: sorted.map(([, cell]) => used.map(({ of, text }) => text(of(cell))).join(', ')),
    indexOf: (cell) => places.get(cellKey(cell)) ?? 0,
  };
}

function belongs(cell: GridCell, comparison: Comparison): boolean {
  return (
    comparison.metric === cell.metric &&
    comparison.workload === cell.workload &&
    comparison.network === cell.network &&
    comparison.client === cell.client &&
    comparison.server === cell.server &&
    comparison.baseline.arm === cell.baselineArm &&
    comparison.candidate.arm === cell.candidateArm
  );
}

function pageCell(
  cell: GridCell,
  columns: Axis,
  rows: Axis,
  comparison: Comparison | undefined,
): PageHeatCell {
  return {
    column: columns.indexOf(cell),
    row: rows.indexOf(cell),
    betterPercent: cell.betterPercent,
    significant: cell.significant,
    effect: comparison ? effectText(comparison) : 'no estimate',
    interval: comparison ? intervalText(comparison) : 'no interval',
    n: comparison?.blocks ?? 0,
  };
}

/** The same map with the cells blank that the test of the study leaves blank; none where no study asks for it. */
function byWelch(map: PageHeatMap, cells: readonly GridCell[]): PageHeatMap[] {
  if (cells.every(({ significantByWelch }) => significantByWelch === undefined)) return [];
  return [
    {
      ...map,
      place: [map.place, 'blank by Welch’s t test as published'].filter(Boolean).join(', '),
      cells: map.cells.map((cell, index) => ({
        ...cell,
        significant: cells[index]?.significantByWelch === true,
      })),
      fileName: `${map.fileName}-welch`,
    },
  ];
}

/**
 * The grid of a summary as heat maps (as in Kakhki et al. 2017, figure 6), one per metric, client, server and pair of arms;
 * of a study's grid each once more by the study's own test.
 */
export function heatMaps({ summary, labels, clients, servers }: ReportContext): PageHeatMap[] {
  const groups = Map.groupBy(summary.grid ?? [], ({ metric, client, server, baselineArm, candidateArm }) =>
    JSON.stringify([metric, client, server, baselineArm, candidateArm]),
  );
  return [...groups.values()].flatMap((cells, index) => {
    const [first] = cells;
    if (first === undefined) return [];
    const columns = axisOf(cells, loadQuantities);
    const rows = axisOf(cells, pathQuantities);
    const comparisons = summary.comparisons.filter(({ primary }) => primary);
    const map: PageHeatMap = {
      metric: metricWords(first.metric).title,
      place: [
        clients.length > 1 ? labels.client(first.client) : '',
        servers.length > 1 ? labels.server(first.server) : '',
      ]
        .filter(Boolean)
        .join(', '),
      baseline: armTitle(first.baselineArm),
      candidate: armTitle(first.candidateArm),
      columnTitle: columns.title,
      columns: columns.labels,
      rowTitle: rows.title,
      rows: rows.labels,
      cells: cells.map((cell) =>
        pageCell(
          cell,
          columns,
          rows,
          comparisons.find((comparison) => belongs(cell, comparison)),
        ),
      ),
      fileName: `grid-${first.metric}-${index + 1}`,
    };
    return [map, ...byWelch(map, cells)];
  });
}
