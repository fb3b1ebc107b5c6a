import { byArm } from '../../core/model/factor.ts';
import type { PublishedFigure, PublishedSide } from '../../core/model/published.ts';
import type { StudyCell } from '../../core/model/study-run.ts';
import { cellsWith, clientFamily } from './study-cells.ts';

type Dimension = 'workload' | 'network' | 'client' | 'server';
const dimensions: readonly Dimension[] = ['workload', 'network', 'client', 'server'];

/** What sets places of one result apart, by ids. */
export const placeKey = (shared: Readonly<Partial<Record<Dimension, string | undefined>>>): string =>
  dimensions.map((name) => shared[name] ?? '').join('\u0000');

/** What a side names itself, each with its alternatives in order. */
interface Named {
  readonly arm?: readonly string[];
  readonly workload?: readonly string[];
  readonly network?: readonly string[];
  readonly client?: readonly string[];
  readonly metric: string;
}

/** One side of a comparison at one place: the cells of one arm, several where workloads are pooled. */
export interface PlacedSide {
  readonly metric: string;
  readonly cells: readonly StudyCell[];
}

/** Where a published result is compared, and what with what. */
export interface PublishedPlace {
  /** What all sides share; a dimension that every side sets for itself is left out. */
  readonly shared: Partial<Record<Dimension, string>>;
  /** Baseline and candidate. */
  readonly compare: readonly [PlacedSide, PlacedSide];
  /** The pair whose change is set against theirs. */
  readonly against?: readonly [PlacedSide, PlacedSide];
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value;

function namedOf(side: PublishedSide, metric: string): Named {
  const { arm, workload, network, client, metric: own } = typeof side === 'string' ? { arm: side } : side;
  return {
    metric: own ?? metric,
    ...(arm !== undefined && { arm: listOf(arm) ?? [] }),
    ...(workload !== undefined && { workload: listOf(workload) ?? [] }),
    ...(network !== undefined && { network: listOf(network) ?? [] }),
    ...(client !== undefined && { client: listOf(client) ?? [] }),
  };
}

/** Whether a cell's value of a dimension is one of these. Arms that set the client themselves are of any. */
function isOne(cell: StudyCell, dimension: Dimension, wanted: readonly string[] | undefined): boolean {
  if (wanted === undefined) return true;
  const value = cell[dimension];
  if (dimension !== 'client') return wanted.includes(value);
  return value === byArm || wanted.includes(value) || wanted.includes(clientFamily(value));
}

/** The first of a side's alternatives that any cell has. */
function firstThere(
  cells: readonly StudyCell[],
  wanted: readonly string[],
  has: (cell: StudyCell, name: string) => boolean,
): string | undefined {
  return wanted.find((name) => cells.some((cell) => has(cell, name)));
}

function placedSide(
  cells: readonly StudyCell[],
  { metric, arm = [], ...own }: Named,
  shared: PublishedPlace['shared'],
): PlacedSide | undefined {
  const label = firstThere(cells, arm, (cell, name) => cell.arm === name);
  if (label === undefined) return undefined;
  let found = cellsWith(cells, metric).filter((cell) => cell.arm === label);
  for (const dimension of dimensions) {
    const wanted = dimension === 'server' ? undefined : own[dimension];
    const name =
      wanted === undefined
        ? shared[dimension]
        : firstThere(found, wanted, (cell, each) => isOne(cell, dimension, [each]));
    if (wanted !== undefined && name === undefined) return undefined;
    if (name !== undefined) found = found.filter((cell) => isOne(cell, dimension, [name]));
  }
  return found.length === 0 ? undefined : { metric, cells: found };
}

/** The cells of a side at a place, of whatever it is compared with there; undefined where the plan has none. */
export function sideAt(
  side: PublishedSide,
  metric: string,
  { cells, place }: { readonly cells: readonly StudyCell[]; readonly place: PublishedPlace },
): PlacedSide | undefined {
  return placedSide(cells, namedOf(side, metric), place.shared);
}

/** The places at which the dimensions that the sides leave open have the values that the result is of. */
function sharedOf(
  figure: PublishedFigure,
  cells: readonly StudyCell[],
  sides: readonly Named[],
): PublishedPlace['shared'][] {
  const isOpen = (dimension: Dimension): boolean =>
    !(dimension === 'workload' && figure.pool === true) &&
    (dimension === 'server' || sides.some((side) => side[dimension] === undefined));
  const open = dimensions.filter(isOpen);
  const places = cells.map((cell) => Object.fromEntries(open.map((name) => [name, cell[name]])));
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}

/**
 * Every place of a run at which a published result can be compared, with the cells of each side. Places whose sides the plan
 * does not have are left out; sides of which no trial ran are not.
 */
export function publishedPlaces(
  figure: PublishedFigure,
  cells: readonly StudyCell[],
  arms: readonly string[],
): PublishedPlace[] {
  const [first = '', second = first] = arms;
  const compare = (figure.compare ?? [first, second]).map((side) => namedOf(side, figure.metric));
  const against = figure.against?.map((side) => namedOf(side, figure.metric)) ?? [];
  const sides = [...compare, ...against];
  const isOfFigure = (cell: StudyCell): boolean =>
    isOne(cell, 'workload', figure.workloads) &&
    isOne(cell, 'network', figure.networks) &&
    isOne(cell, 'server', figure.servers);
  const within = cells.filter(isOfFigure);
  const atPlace = cellsWith(within, compare[0]?.metric ?? figure.metric).filter((cell) =>
    isOne(cell, 'client', figure.clients),
  );
  return sharedOf(figure, atPlace, sides).flatMap((shared): PublishedPlace[] => {
    const [baseline, candidate, from, to] = sides.map((side) => placedSide(within, side, shared));
    if (baseline === undefined || candidate === undefined) return [];
    if (against.length === 0) return [{ shared, compare: [baseline, candidate] }];
    if (from === undefined || to === undefined) return [];
    const isItself = from.cells[0] === baseline.cells[0] && to.cells[0] === candidate.cells[0];
    return isItself && from.metric === baseline.metric
      ? []
      : [{ shared, compare: [baseline, candidate], against: [from, to] }];
  });
}
