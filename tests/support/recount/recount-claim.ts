import { metricDefinition } from '../../../src/core/metrics/registry.ts';
import {
  comparedBy,
  sideAt,
  type Cell,
  type Claim,
  type Compared,
  type Found,
  type IsOf,
} from './recount-places.ts';
import { centreOf, medianOf, medianRange, type Range } from './recount-statistics.ts';

/** What a kept file has. */
export interface Kept {
  readonly preset: string;
  readonly scale: string | null;
  readonly revision: string | null;
  readonly startedAt: string | null;
  readonly trialsOk: number;
  readonly trialsDone: number;
  readonly trialsPlanned: number;
  readonly claims?: readonly string[];
  readonly arms: readonly string[];
  readonly cells: readonly Cell[];
  readonly instrumentationOverhead: readonly {
    readonly workload: string;
    readonly network: string;
    readonly client: string;
    readonly server: string;
    readonly baseline: string;
    readonly candidate: string;
    readonly bound: number;
  }[];
}

export type Outcome = 'same' | 'other' | 'undecided' | 'absent' | 'no direction' | 'not measured';

/** Metrics are facts of the project; how they are compared is worked out here. */
export const hasMetric: IsOf = (cell, metric) => {
  const definition = metricDefinition(metric);
  const wanted = definition?.needsInstrumentation === true ? 'instrumented' : 'uninstrumented';
  return cell.instrumentation === wanted && definition?.kinds.some((kind) => kind === cell.kind) === true;
};

export const textAt = (
  text: string | Readonly<Record<string, string>> | undefined,
  scale: string | null,
): string | undefined => (typeof text === 'object' ? text[scale ?? ''] : text);

function valuesOf({ blocks, metrics }: Cell, metric: string): Map<number, number> {
  const values = metrics[metric] ?? [];
  return new Map(
    blocks.flatMap((block, index) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [[block, value] as const];
    }),
  );
}

/** A change in a block; of one that was lost the ends that it can have had, which may be anything. */
interface Change {
  readonly row: number;
  readonly block: number;
  readonly value: number | null;
  readonly ends: Range | null;
}

interface Changes {
  readonly isRatio: boolean;
  readonly margin: number;
  readonly changes: readonly Change[];
  readonly rows: number;
}

const signs = [-1, 1, 1, -1];

function changesOf(claim: Claim, { sides }: Compared, slowedBy = 0): Changes {
  const definition = metricDefinition(claim.metric);
  const [{ cells: first } = { cells: [] }] = sides;
  const rows = Math.max(...sides.map(({ cells }) => cells.length));
  const picked = Array.from({ length: rows }, (_, row) =>
    sides.map(({ cells, metric }, side) => {
      const cell =
        cells.length === 1 ? cells[0] : cells.find(({ workload }) => workload === first[row]?.workload);
      const known = cell === undefined ? new Map<number, number>() : valuesOf(cell, metric);
      if (claim.atMost === undefined) return { cell, metric, values: known };
      const limit = side === 1 ? claim.atMost / Math.exp(slowedBy) : claim.atMost;
      return {
        cell,
        metric,
        values: new Map([...known].map(([block, value]) => [block, value <= limit ? 1 : 0])),
      };
    }),
  );
  const ran = picked.map(
    (those) =>
      those[0]?.cell?.blocks.filter((block) =>
        those.every(({ cell }) => cell?.blocks.includes(block) === true),
      ) ?? [],
  );
  if (claim.than !== undefined)
    for (const [row, those] of picked.entries())
      if (those[0] !== undefined)
        those[0] = { ...those[0], values: new Map(ran[row]?.map((block) => [block, claim.than ?? NaN])) };
  const all = picked.flatMap((those) => those.flatMap(({ values }) => [...values.values()]));
  const isRatio =
    definition?.form === 'ratio' && claim.atMost === undefined && all.every((value) => value > 0);
  const scale = isRatio ? Math.log : (value: number): number => value;
  const changes = picked.flatMap((those, row) =>
    (ran[row] ?? []).map((block): Change => {
      const total = (standIn: (side: number) => number | undefined): number | null => {
        const values = those.map(({ values }, side) => values.get(block) ?? standIn(side));
        return values.includes(undefined)
          ? null
          : values.reduce<number>((sum, value, side) => sum + (signs[side] ?? 0) * scale(value ?? NaN), 0);
      };
      const end = (up: boolean): number | null =>
        total((side) => {
          const peers = (claim.than === undefined ? [side, side % 2 === 0 ? side + 1 : side - 1] : [side])
            .filter((peer) => those[peer]?.metric === those[side]?.metric)
            .flatMap((peer) => [...(those[peer]?.values.values() ?? [])]);
          if (those[side]?.cell?.delayed?.includes(block) !== true || peers.length === 0) return undefined;
          return (signs[side] ?? 0) > 0 === up ? Math.max(...peers) : Math.min(...peers);
        });
      const low = end(false);
      const high = end(true);
      return {
        row,
        block,
        value: total(() => undefined),
        ends: low === null || high === null ? null : [low, high],
      };
    }),
  );
  return { isRatio, margin: marginOf(claim, isRatio, all), changes, rows };
}

function marginOf(claim: Claim, isRatio: boolean, all: readonly number[]): number {
  if (claim.atMost !== undefined) return 0.1;
  const { margin = 0, form } = metricDefinition(claim.metric) ?? {};
  if (isRatio) return Math.log1p(margin);
  return form === 'ratio' ? margin * Math.abs(all.length === 0 ? 0 : medianOf(all)) : margin;
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** One number a block; lost ones left out, or counted to one side. */
function effectsOf({ changes, rows }: Changes, lostTo: -1 | 0 | 1): number[] {
  const largest = Math.max(0, ...changes.flatMap(({ value }) => (value === null ? [] : [Math.abs(value)])));
  const beyond = rows > 1 ? largest : 2 * largest + 1;
  const filled = changes.flatMap(({ row, block, value, ends }) => {
    if (value !== null) return [{ row, block, value }];
    return lostTo === 0 ? [] : [{ row, block, value: ends?.[lostTo > 0 ? 1 : 0] ?? lostTo * beyond }];
  });
  const means = new Map(
    [...Map.groupBy(filled, ({ row }) => row)].map(([row, those]) => [
      row,
      meanOf(those.map(({ value }) => value)),
    ]),
  );
  const grand = meanOf([...means.values()]);
  const byBlock = [...Map.groupBy(filled, ({ block }) => block)].toSorted(([a], [b]) => a - b);
  return byBlock.map(
    ([, those]) => grand + meanOf(those.map(({ row, value }) => value - (means.get(row) ?? 0))),
  );
}

const rangeAt = (claim: Claim, effects: readonly number[], level: number): Range =>
  (effects.length === 0 ? null : centreOf(effects, level, claim.pool === true).range) ?? [
    -Infinity,
    Infinity,
  ];

/** What recording may have added; undefined where that is not known. */
function recordingBound({ sides }: Compared, claim: Claim, kept: Kept): number | undefined {
  const definition = metricDefinition(claim.metric);
  if (definition?.needsInstrumentation !== true || definition.unit !== 'ms') return 0;
  const pairs = [sides.slice(0, 2), sides.slice(2)].filter(({ length }) => length === 2);
  const bounds = pairs.map(([from, to]) => {
    const a = from?.cells[0];
    const b = to?.cells[0];
    const workload = (from?.cells.length ?? 0) > 1 ? 'pooled' : a?.workload;
    return kept.instrumentationOverhead.find(
      (known) =>
        known.workload === workload &&
        known.network === a?.network &&
        known.client === a.client &&
        known.server === a.server &&
        [known.baseline, known.candidate].toSorted().join() === [a.arm, b?.arm ?? ''].toSorted().join(),
    )?.bound;
  });
  return bounds.includes(undefined)
    ? undefined
    : bounds.reduce<number>((sum, bound) => sum + (bound ?? 0), 0);
}

/** Of sessions too short to show it, or that do not tell how long they were, nothing is called alike. */
function mayBeAlike(claim: Claim, { sides }: Compared): boolean {
  const { needsPlayedTime, rareEvents } = metricDefinition(claim.metric) ?? {};
  if (needsPlayedTime !== true && rareEvents === undefined) return true;
  if (sides.some(({ cells }) => cells.some(({ metrics }) => 'playedSeconds' in metrics)))
    throw new Error('sessions that tell their length are not recounted yet');
  return false;
}

function outcomeOf(claim: Claim, compared: Compared, kept: Kept): Outcome {
  const bound = recordingBound(compared, claim, kept);
  if (bound === undefined) return 'undecided';
  if (claim.atMost === undefined) return judged(claim, compared, changesOf(claim, compared), bound);
  const [asSeen, ...others] = [0, bound, -bound].map((by) =>
    judged(claim, compared, changesOf(claim, compared, by), 0),
  );
  return others.every((each) => each === asSeen) ? (asSeen ?? 'undecided') : 'undecided';
}

function judged(claim: Claim, compared: Compared, changes: Changes, widerBy: number): Outcome {
  const seen = effectsOf(changes, 0);
  if (seen.length < (claim.pool === true ? 4 : 6)) return 'undecided';
  const { margin } = changes;
  if (claim.expects === 'within') {
    const ends = [claim.size?.percent ?? NaN].flat().map((percent) => Math.log1p(percent / 100));
    const low = Math.min(...ends) - margin;
    const high = Math.max(...ends) + margin;
    const ranges = ([0, 1, -1] as const).map((lostTo) => rangeAt(claim, effectsOf(changes, lostTo), 0.95));
    if (ranges.every(([from, to]) => from - widerBy > low && to + widerBy < high)) return 'same';
    return ranges.every(([from, to]) => from - widerBy > high || to + widerBy < low) ? 'other' : 'undecided';
  }
  const isAlike = ([0, 1, -1] as const).every((lostTo) => {
    const [low, high] = rangeAt(claim, effectsOf(changes, lostTo), 0.9);
    return widerBy <= margin && low > widerBy - margin && high < margin - widerBy;
  });
  const sideWith = (lostTo: -1 | 0 | 1): -1 | 0 | 1 => {
    const [low, high] = rangeAt(claim, effectsOf(changes, lostTo), 0.95);
    return low > margin + widerBy ? 1 : high < -margin - widerBy ? -1 : 0;
  };
  const plain = sideWith(0);
  const side = plain !== 0 && sideWith(plain === 1 ? -1 : 1) === plain ? plain : 0;
  const alike = isAlike && mayBeAlike(claim, compared);
  if (claim.expects === 'equivalent') return alike ? 'same' : side === 0 ? 'undecided' : 'other';
  if (alike) return 'other';
  const isHigherBetter =
    claim.atMost !== undefined || metricDefinition(claim.metric)?.higherIsBetter === true;
  const wanted = (claim.expects === 'better') === isHigherBetter ? 1 : -1;
  return side === 0 ? 'undecided' : side === wanted ? 'same' : 'other';
}

function isAbsent(claim: Claim, those: readonly Compared[], cells: readonly Cell[]): boolean {
  const { requires } = claim;
  if (requires === undefined) return false;
  const medians = those.flatMap(({ place }) => {
    const found: Found | undefined = sideAt(requires.side, claim.metric, { cells, place, isOf: hasMetric });
    const values = found?.cells.flatMap((cell) => [...valuesOf(cell, found.metric).values()]) ?? [];
    return values.length === 0 ? [] : [medianOf(values)];
  });
  const { atLeast = -Infinity, atMost = Infinity } = requires;
  return medians.length > 0 && medians.every((median) => median < atLeast || median > atMost);
}

export interface Recounted {
  readonly outcome: Outcome;
  readonly compared: readonly Compared[];
  /** Null where sizes cannot be compared. */
  readonly sizeAgrees: boolean | null;
}

/** One claim held to one kept run. */
export function recount(claim: Claim, kept: Kept): Recounted {
  const compared = comparedBy(claim, { cells: kept.cells, arms: kept.arms, isOf: hasMetric });
  const measured = compared.filter((each) => effectsOf(changesOf(claim, each), 0).length > 0);
  const sizeAgrees = sizeOf(claim, compared, kept);
  const as = (outcome: Outcome): Recounted => ({ outcome, compared, sizeAgrees });
  if (textAt(claim.instead, kept.scale) !== undefined) return as('not measured');
  if (isAbsent(claim, compared, kept.cells)) return as('absent');
  if (measured.length === 0) return as('not measured');
  if (claim.expects === undefined) return as('no direction');
  const outcomes = compared.map((each) => outcomeOf(claim, each, kept));
  const most = (wanted: Outcome): boolean =>
    outcomes.filter((each) => each === wanted).length > outcomes.length / 2;
  return as(most('same') ? 'same' : most('other') ? 'other' : 'undecided');
}

function sizeOf(claim: Claim, compared: readonly Compared[], { scale }: Kept): boolean | null {
  const { size, expects } = claim;
  if (
    size === undefined ||
    textAt(claim.instead, scale) !== undefined ||
    textAt(claim.unlike, scale) !== undefined
  )
    return null;
  if (expects === 'equivalent' && size.candidate === undefined) return null;
  const published = [size.percent ?? size.difference ?? size.candidate ?? NaN].flat();
  const low = Math.min(...published);
  const high = Math.max(...published);
  const positions = compared.flatMap((each): boolean[] => {
    const found = ownSize(claim, each);
    if (found === null) return [];
    const [from, to] = found.range;
    return [low === high ? from <= low && low <= to : low <= found.estimate && found.estimate <= high];
  });
  return positions.length === 0 ? null : positions.filter(Boolean).length > compared.length / 2;
}

function ownSize(
  claim: Claim,
  compared: Compared,
): { readonly estimate: number; readonly range: Range } | null {
  const [, candidate] = compared.sides;
  if (claim.size?.candidate !== undefined) {
    const [cell, ...more] = candidate?.cells ?? [];
    const values =
      cell === undefined || more.length > 0 ? [] : [...valuesOf(cell, candidate?.metric ?? '').values()];
    const range = medianRange(values, 0.95);
    return range === null ? null : { estimate: medianOf(values), range };
  }
  const changes = changesOf(claim, compared);
  if (changes.isRatio !== (claim.size?.percent !== undefined)) return null;
  const effects = effectsOf(changes, 0);
  if (effects.length === 0) return null;
  const { estimate, range } = centreOf(effects, 0.95, claim.pool === true);
  if (range === null) return null;
  const shown = (value: number): number => (changes.isRatio ? Math.expm1(value) * 100 : value);
  return { estimate: shown(estimate), range: [shown(range[0]), shown(range[1])] };
}
