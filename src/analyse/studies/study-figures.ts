import { metricDefinition } from '../../core/metrics/registry.ts';
import { textAt } from '../../core/model/published.ts';
import type { FigureCell, FigureSpec, StudyFigure } from '../../core/model/study-figure.ts';
import type { StudyCell, StudyRun } from '../../core/model/study-run.ts';
import { locationTests } from '../statistics/location-test.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { describeSample } from '../statistics/quantile.ts';
import { cellsWith, clientFamily, valuesOf } from './study-cells.ts';

const level = 0.95;

const dimensions = ['arm', 'workload', 'network', 'client', 'server'] as const;

function has(cell: StudyCell, dimension: (typeof dimensions)[number], name: string): boolean {
  return dimension === 'client'
    ? [cell.client, clientFamily(cell.client)].includes(name)
    : cell[dimension] === name;
}

/** Cells that all of these name; of alternatives that are named by all the first that any cell has. */
function cellsOf(cells: readonly StudyCell[], metric: string, named: readonly FigureCell[]): StudyCell[] {
  let found = cellsWith(cells, metric);
  for (const dimension of dimensions) {
    const lists = named.flatMap((selector) => {
      const wanted = selector[dimension];
      return wanted === undefined ? [] : [typeof wanted === 'string' ? [wanted] : wanted];
    });
    const [first, ...more] = lists;
    if (first === undefined) continue;
    const common = first.filter((name) => more.every((list) => list.includes(name)));
    const name = common.find((each) => found.some((cell) => has(cell, dimension, each)));
    found = name === undefined ? [] : found.filter((cell) => has(cell, dimension, name));
  }
  return found;
}

const metricOf = (spec: FigureSpec, ...named: readonly FigureCell[]): string =>
  named.find(({ metric }) => metric !== undefined)?.metric ?? spec.metric;

function allValues(spec: FigureSpec, cells: readonly StudyCell[], named: readonly FigureCell[]): number[] {
  const metric = metricOf(spec, ...named);
  return cellsOf(cells, metric, named).flatMap((cell) =>
    [...valuesOf(cell, metric).values()].map((value) => value / spec.per),
  );
}

function pointsOf(
  spec: FigureSpec,
  cells: readonly StudyCell[],
  series: FigureCell,
): StudyFigure['series'][number]['points'] {
  return spec.x.flatMap((place) => {
    const values = allValues(spec, cells, [series, place]);
    const { median } = describeSample(values);
    const interval = medianInterval(values, level);
    return median === null
      ? []
      : [{ x: place.name, value: median, interval: interval === null ? null : [interval[0], interval[1]] }];
  });
}

/** Each workload's median ratio of the second arm to the first, over conditions alike. */
function ratiosOf(spec: FigureSpec, cells: readonly StudyCell[], series: FigureCell): number[] {
  const [from, to] = spec.x;
  if (from === undefined || to === undefined) return [];
  const metric = metricOf(spec, series);
  const candidates = cellsOf(cells, metric, [series, to]);
  return cellsOf(cells, metric, [series, from])
    .flatMap((baseline) => {
      const candidate = candidates.find((cell) => isAlike(cell, baseline));
      return candidate === undefined
        ? []
        : (describeSample(blockRatios(baseline, candidate, metric)).median ?? []);
    })
    .sort((a, b) => a - b);
}

function isAlike(a: StudyCell, b: StudyCell): boolean {
  return (
    a.workload === b.workload && a.network === b.network && a.client === b.client && a.server === b.server
  );
}

function blockRatios(baseline: StudyCell, candidate: StudyCell, metric: string): number[] {
  const after = valuesOf(candidate, metric);
  return [...valuesOf(baseline, metric)].flatMap(([block, before]) => {
    const value = after.get(block);
    return value === undefined || before <= 0 || value <= 0 ? [] : [value / before];
  });
}

/** The change at each point of two axes, above zero where the candidate is better; null where its interval has zero in it. */
function heatOf(spec: FigureSpec, cells: readonly StudyCell[]): StudyFigure['cells'] {
  const [from, to] = spec.series;
  if (from === undefined || to === undefined) return [];
  const sign = metricDefinition(spec.metric)?.higherIsBetter === true ? 1 : -1;
  return spec.rows.flatMap((row) =>
    spec.x.flatMap((place): StudyFigure['cells'] => {
      const [[baseline], [candidate]] = [from, to].map((series) =>
        cellsOf(cells, spec.metric, [series, row, place]),
      ) as [StudyCell[], StudyCell[]];
      if (baseline === undefined || candidate === undefined) return [];
      const effects = blockRatios(baseline, candidate, spec.metric).map(Math.log);
      const { estimate, intervals } = locationTests['signed-rank'].locate(effects, [level]);
      const [interval] = intervals;
      if (estimate === null) return [];
      const isSure = interval !== null && interval !== undefined && (interval[0] > 0 || interval[1] < 0);
      return [{ x: place.name, row: row.name, percent: isSure ? sign * Math.expm1(estimate) * 100 : null }];
    }),
  );
}

function sharesOf(spec: FigureSpec, cells: readonly StudyCell[]): StudyFigure['shares'] {
  return spec.x.flatMap((place) =>
    spec.series.flatMap((series) => {
      const values = allValues(spec, cells, [series, place]);
      if (values.length === 0) return [];
      let below = 0;
      return spec.classes.map(({ name, atMost = Infinity }) => {
        const upTo = values.filter((value) => value <= atMost).length / values.length;
        const share = upTo - below;
        below = upTo;
        return { bar: `${place.name}, ${series.name}`, name, share };
      });
    }),
  );
}

function transitionsOf(
  { series: [first] }: FigureSpec,
  run: StudyRun | undefined,
): StudyFigure['transitions'] {
  const arm = typeof first?.arm === 'string' ? first.arm : (first?.arm?.[0] ?? '');
  return Object.entries(run?.transitions?.[arm] ?? {}).map(([name, count]) => {
    const [from = '', to = ''] = name.split('>');
    return { from, to, count };
  });
}

/** A figure of a study with what a run measured of it; without a run with the published values alone. */
export function studyFigure(spec: FigureSpec, run: StudyRun | undefined): StudyFigure {
  const { title, place, kind, metric, yTitle, log, xTitle, shows, x, rows, series, published, sizes } = spec;
  const cells = run?.cells ?? [];
  const isDistribution = kind === 'values' || kind === 'ratios';
  const here = textAt(sizes?.here, run?.scale ?? 'quick');
  return {
    title,
    place,
    kind,
    yTitle,
    ...(log !== undefined && { log }),
    ...(xTitle !== undefined && { xTitle }),
    shows,
    metrics: [...new Set([metric, ...[...x, ...series].flatMap((cell) => cell.metric ?? [])])],
    ...(here !== undefined && { panels: { study: sizes?.study ?? '', here } }),
    x: x.map(({ name }) => name),
    rows: rows.map(({ name }) => name),
    series: series.map((one) => ({
      name: one.name,
      published: published
        .filter((mark) => mark.series === one.name)
        .map(({ x: at, value }) =>
          typeof value === 'number'
            ? { x: at, low: value, high: value }
            : { x: at, low: value[0], high: value[1] },
        ),
      points: kind === 'points' ? pointsOf(spec, cells, one) : [],
      values: !isDistribution
        ? []
        : kind === 'ratios'
          ? ratiosOf(spec, cells, one)
          : allValues(spec, cells, [one]).sort((a, b) => a - b),
    })),
    cells: kind === 'heat' ? heatOf(spec, cells) : [],
    shares: kind === 'classes' ? sharesOf(spec, cells) : [],
    transitions: kind === 'states' ? transitionsOf(spec, run) : [],
  };
}
