import type { Metric } from '../../core/metrics/metric.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { ComparisonForm } from '../../core/model/metrics.ts';
import type { Cell } from '../statistics/two-way-fit.ts';
import type { ConditionTrials } from './trial-table.ts';
import { usableValue } from './trial-table.ts';
import { worstOf } from './worst-rank.ts';

/** The values of all arms at one site in one block. */
interface ArmCell {
  readonly site: number;
  readonly block: number;
  readonly values: readonly number[];
}

/** What a pool's sites left, cell by cell. */
export interface PoolCells {
  /** How arms are compared: by ratio, of logarithms, or by difference. */
  readonly form: ComparisonForm;
  /** Sites with a cell in the blocks that count, by name; a cell's `site` is a place in this list. */
  readonly workloads: readonly string[];
  /** What each of them counts for: the same for all, or its share of an audience. */
  readonly weights: readonly number[];
  readonly cells: readonly ArmCell[];
  /** Blocks left out because sites of less than half of the weight have a cell. */
  readonly thinBlocks: readonly number[];
  /** Cells left out because a value is not above zero. */
  readonly notPositive: number;
}

/** Blocks with a smaller share of the pool's sites do not count. */
export const smallestBlockShare = 0.5;

/**
 * The cells of a pool over some arms: site × block where every arm has a value, above zero where it is compared by ratio.
 *
 * @param lossesAtWorst whether a trial that ran and left no value is counted with the worst value seen at that site
 */
export function poolCells(
  group: readonly ConditionTrials[],
  arms: readonly Arm[],
  definition: Metric,
  lossesAtWorst: boolean,
): PoolCells {
  const { form } = definition;
  const isUsable = form === 'ratio' ? isPositive : Number.isFinite;
  const found = group.map((trials) => siteCells(trials, arms, definition, { lossesAtWorst, isUsable }));
  const notPositive = found.flat().filter(({ values }) => !values.every(isUsable)).length;
  const usable = found.map((cells) => cells.filter(({ values }) => values.every(isUsable)));
  const weightOf = (site: number): number => group[site]?.ofAudience?.weight ?? 1;
  const having = usable.reduce((sum, cells, site) => (cells.length > 0 ? sum + weightOf(site) : sum), 0);
  const counts = new Map<number, number>();
  usable.forEach((cells, site) => {
    for (const { block } of cells) counts.set(block, (counts.get(block) ?? 0) + weightOf(site));
  });
  const counting = (block: number): boolean => (counts.get(block) ?? 0) >= smallestBlockShare * having;
  const kept = usable.map((cells) => cells.filter(({ block }) => counting(block)));
  const sites = group.filter((_, i) => (kept[i]?.length ?? 0) > 0);
  const workloads = sites.map(({ condition, ofAudience }) => ofAudience?.site ?? condition.workload);
  const weights = sites.map(({ ofAudience }) => ofAudience?.weight ?? 1);
  const cells = kept
    .filter((ofSite) => ofSite.length > 0)
    .flatMap((ofSite, site) => ofSite.map(({ block, values }) => ({ site, block, values })));
  const thinBlocks = [...counts.keys()].filter((block) => !counting(block)).sort((a, b) => a - b);
  return { form, workloads, weights, cells, thinBlocks, notPositive };
}

const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);

interface Usable {
  readonly lossesAtWorst: boolean;
  readonly isUsable: (value: number) => boolean;
}

/** Cells of one site; a block that not all arms ran, or that all of them lost, has none. */
function siteCells(
  trials: ConditionTrials,
  arms: readonly Arm[],
  definition: Metric,
  { lossesAtWorst, isUsable }: Usable,
): Omit<ArmCell, 'site'>[] {
  const rows = trials.blocks.flatMap((block) => {
    const records = arms.map(({ label }) => trials.recordsByArm.get(label)?.get(block));
    if (records.some((record) => record === undefined || record.status === 'not-run')) return [];
    return [{ block, values: records.map((record) => usableValue(record, definition)) }];
  });
  const seen = rows.flatMap(({ values }) => values.filter((value) => value !== undefined && isUsable(value)));
  const worst = lossesAtWorst ? worstOf(seen as number[], definition.higherIsBetter) : null;
  return rows.flatMap(({ block, values }) => {
    if (values.every((value) => value === undefined)) return [];
    const filled = values.map((value) => value ?? worst);
    return filled.every((value) => value !== null) ? [{ block, values: filled }] : [];
  });
}

/** A value on the scale on which cells add up. */
const onScale = (form: ComparisonForm, value: number): number => (form === 'ratio' ? Math.log(value) : value);

/** The way back from that scale. */
export function levelOf({ form }: Pick<PoolCells, 'form'>, value: number): number {
  return form === 'ratio' ? Math.exp(value) : value;
}

/** Cells as effects: a sum of the arms' values on their scale, each with its sign. */
export function effectCells({ form, cells, weights }: PoolCells, signs: readonly number[]): Cell[] {
  return cells.map(({ site, block, values }) => ({
    site,
    block,
    weight: weights[site] as number,
    value: values.reduce((sum, value, arm) => sum + (signs[arm] as number) * onScale(form, value), 0),
  }));
}

/** The cells of one arm alone, by its place among the arms. */
export function armCells(cells: PoolCells, place: number): Cell[] {
  return effectCells(
    cells,
    (cells.cells[0]?.values ?? []).map((_, arm) => Number(arm === place)),
  );
}
