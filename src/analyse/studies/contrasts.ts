import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Metric } from '../../core/metrics/metric.ts';
import type { PublishedFigure } from '../../core/model/published.ts';
import type { StudyCell } from '../../core/model/study-run.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { PlacedSide, PublishedPlace } from './published-places.ts';
import { valuesOf } from './study-cells.ts';

/** A block of which a side left no value. */
export interface LostChange {
  readonly block: number;
  /**
   * Least and largest change where nothing but a delayed path is the cause: for a lost value stand the lowest and the highest
   * of its comparison.
   */
  readonly range?: readonly [number, number];
}

/** The change of each workload in each block, and what is missing of it. */
export interface Contrasts {
  readonly form: 'ratio' | 'difference';
  /** On the scale of the test: ln of the ratio, or in the metric's unit; a row for each workload. */
  readonly rows: readonly ReadonlyMap<number, number>[];
  /** Blocks in which every side ran and one left no value, for each workload. */
  readonly lost: readonly (readonly LostChange[])[];
  /** Margin of equivalence on that scale. */
  readonly margin: number;
}

/** Share of trials, from 0 to 1, within which two shares count as alike. */
const shareMargin = 0.1;

interface Row {
  /** Values of baseline, candidate and, where there are, the two they are set against. */
  readonly sides: readonly ReadonlyMap<number, number>[];
  /** For each side, the sides of the same comparison and metric. */
  readonly peers: readonly (readonly number[])[];
  readonly ran: readonly number[];
  /** For each side, the blocks of which only the path was late. */
  readonly delayed: readonly ReadonlySet<number>[];
}

const sidesOf = ({ compare, against }: PublishedPlace): PlacedSide[] => [...compare, ...(against ?? [])];

/** The cells of every side workload by workload; a side with one cell goes with each. Limits are each side's own. */
function rowsOf(
  place: PublishedPlace,
  { limits, than }: { readonly limits: readonly number[] | undefined; readonly than: number | undefined },
): Row[] {
  const sides = sidesOf(place);
  const count = Math.max(...sides.map(({ cells }) => cells.length));
  return Array.from({ length: count }, (_, index): Row => {
    const cells = sides.map(({ cells: those }): StudyCell | undefined =>
      those.length === 1 ? those[0] : matching(those, sides[0]?.cells[index]),
    );
    const ran = cells[0]?.blocks.filter((block) => cells.every((cell) => cell?.blocks.includes(block))) ?? [];
    const values = cells.map((cell, side) => {
      if (side === 0 && than !== undefined) return new Map(ran.map((block) => [block, than]));
      const known =
        cell === undefined ? new Map<number, number>() : valuesOf(cell, sides[side]?.metric ?? '');
      const limit = limits?.[side];
      return limit === undefined ? known : asShares(known, limit);
    });
    const peers = sides.map(({ metric }, side) =>
      // A constant is no value that a trial could have come to.
      (than === undefined ? [side, side ^ 1] : [side]).filter((other) => sides[other]?.metric === metric),
    );
    return { sides: values, peers, ran, delayed: cells.map((cell) => new Set(cell?.delayed)) };
  });
}

const matching = (cells: readonly StudyCell[], like: StudyCell | undefined): StudyCell | undefined =>
  cells.find(({ workload }) => workload === like?.workload);

const asShares = (values: ReadonlyMap<number, number>, atMost: number): Map<number, number> =>
  new Map([...values].map(([block, value]) => [block, value <= atMost ? 1 : 0]));

/** How the value of each side enters a change: candidate less baseline, less the change it is set against. */
const signs = [-1, 1, 1, -1] as const;

/** What all sides come to in one block; undefined where one of them has neither a value nor what stands for it. */
function change(
  { sides }: Row,
  block: number,
  scale: (value: number) => number,
  standIn: (side: number) => number | undefined = () => undefined,
): number | undefined {
  const values = sides.map((side, index) => side.get(block) ?? standIn(index));
  return values.reduce<number | undefined>(
    (sum, value, side) =>
      sum === undefined || value === undefined ? undefined : sum + (signs[side] ?? 0) * scale(value),
    0,
  );
}

/** The least and the largest change that a block can have come to whose missing sides were only delayed. */
function lostChange(row: Row, block: number, scale: (value: number) => number): LostChange {
  const { sides, peers, delayed } = row;
  const atEnd = (raising: boolean): number | undefined =>
    change(row, block, scale, (side) => {
      const seen = (peers[side] ?? []).flatMap((peer) => [...(sides[peer]?.values() ?? [])]);
      if (delayed[side]?.has(block) !== true || seen.length === 0) return undefined;
      return (signs[side] ?? 0) > 0 === raising ? Math.max(...seen) : Math.min(...seen);
    });
  const least = atEnd(false);
  const largest = atEnd(true);
  return least === undefined || largest === undefined ? { block } : { block, range: [least, largest] };
}

/**
 * The changes of one place, block by block. Metrics that are compared by ratio need every value above zero.
 *
 * @param slowedBy for shares of loads within a time: by how much longer the candidate's times are taken to be, of the logarithm
 */
export function contrastsOf(figure: PublishedFigure, place: PublishedPlace, slowedBy = 0): Contrasts {
  const definition = metricDefinition(figure.metric);
  const { atMost } = figure;
  const limits =
    atMost === undefined
      ? undefined
      : sidesOf(place).map((_side, index) => (index === 1 ? atMost / Math.exp(slowedBy) : atMost));
  const rows = rowsOf(place, { limits, than: figure.than });
  const all = rows.flatMap(({ sides }) => sides.flatMap((side) => [...side.values()]));
  const isRatio =
    definition?.form === 'ratio' && figure.atMost === undefined && all.every((value) => value > 0);
  const scale = isRatio ? Math.log : (value: number): number => value;
  const found = rows.map((row) => {
    const changes = row.ran.map((block) => [block, change(row, block, scale)] as const);
    return {
      row: new Map(
        changes.flatMap(([block, value]) => (value === undefined ? [] : [[block, value] as const])),
      ),
      lost: changes.flatMap(([block, value]) => (value === undefined ? [lostChange(row, block, scale)] : [])),
    };
  });
  return {
    form: isRatio ? 'ratio' : 'difference',
    rows: found.map(({ row }) => row),
    lost: found.map(({ lost }) => lost),
    margin: marginOf(definition, { isRatio, isShare: figure.atMost !== undefined, all }),
  };
}

function marginOf(
  definition: Metric | undefined,
  {
    isRatio,
    isShare,
    all,
  }: { readonly isRatio: boolean; readonly isShare: boolean; readonly all: readonly number[] },
): number {
  if (isShare) return shareMargin;
  const margin = definition?.margin ?? 0;
  if (isRatio) return Math.log1p(margin);
  return definition?.form === 'ratio' ? margin * Math.abs(describeSample(all).median ?? 0) : margin;
}

/**
 * One number a block: the mean of the workloads' changes. A workload that a block lacks is filled in by its own mean, so that
 * blocks of other workloads can be compared.
 *
 * @param lostAs what a lost trial counts as, in units of the largest change seen, or the end of its range on that side; null
 * leaves it out
 */
export function blockEffects({ rows, lost }: Contrasts, lostAs: number | null): number[] {
  const largest = Math.max(0, ...rows.flatMap((row) => [...row.values()].map(Math.abs)));
  // A mean has no ranks: there a lost trial is as bad as the worst that was seen.
  const beyond = rows.length > 1 ? largest : 2 * largest + 1;
  const whole = rows.map((row, index) =>
    lostAs === null
      ? row
      : new Map([
          ...row,
          ...(lost[index] ?? []).map(
            ({ block, range }) => [block, range?.[lostAs > 0 ? 1 : 0] ?? lostAs * beyond] as const,
          ),
        ]),
  );
  const present = whole.filter((row) => row.size > 0);
  const means = present.map((row) => mean([...row.values()]));
  const blocks = [...new Set(present.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
  const grand = mean(means);
  return blocks.map((block) => {
    const away = present.flatMap((row, index) => {
      const value = row.get(block);
      return value === undefined ? [] : [value - (means[index] ?? 0)];
    });
    return grand + mean(away);
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
