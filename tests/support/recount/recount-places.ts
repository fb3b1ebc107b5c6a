/** What is kept of one arm in one condition, as the file has it. */
export interface Cell {
  readonly workload: string;
  readonly kind: string;
  readonly network: string;
  readonly client: string;
  readonly server: string;
  readonly arm: string;
  readonly instrumentation: string;
  readonly blocks: readonly number[];
  readonly delayed?: readonly number[];
  readonly metrics: Readonly<Record<string, readonly (number | null)[]>>;
}

type Name = string | readonly string[];
export type Side =
  | string
  | {
      readonly arm?: Name;
      readonly workload?: Name;
      readonly network?: Name;
      readonly client?: Name;
      readonly metric?: string;
    };

/** An entry of `published` of a plan file. */
export interface Claim {
  readonly experiment: string;
  readonly metric: string;
  readonly workloads?: readonly string[];
  readonly networks?: readonly string[];
  readonly servers?: readonly string[];
  readonly clients?: readonly string[];
  readonly compare?: readonly [Side, Side];
  readonly against?: readonly [Side, Side];
  readonly than?: number;
  readonly pool?: boolean;
  readonly atMost?: number;
  readonly expects?: 'better' | 'worse' | 'equivalent' | 'within';
  readonly size?: {
    readonly percent?: number | readonly [number, number];
    readonly difference?: number | readonly [number, number];
    readonly candidate?: number | readonly [number, number];
  };
  readonly instead?: string | Readonly<Record<string, string>>;
  readonly unlike?: string | Readonly<Record<string, string>>;
  readonly requires?: { readonly side: Side; readonly atLeast?: number; readonly atMost?: number };
  readonly overClients?: boolean;
  readonly countedIn?: string;
}

/** The cells of one side at one place, and the metric that it is read by. */
export interface Found {
  readonly metric: string;
  readonly cells: readonly Cell[];
}

/** Of a metric: what says which cells have it. */
export type IsOf = (cell: Cell, metric: string) => boolean;

const dimensions = ['workload', 'network', 'client', 'server'] as const;
type Dimension = (typeof dimensions)[number];
type Place = Partial<Record<Dimension, string>>;

const list = (name: Name | undefined): readonly string[] | undefined =>
  typeof name === 'string' ? [name] : name;

function matches(cell: Cell, dimension: Dimension, names: readonly string[] | undefined): boolean {
  if (names === undefined) return true;
  const own = cell[dimension];
  if (names.includes(own)) return true;
  return dimension === 'client' && (own === 'by-arm' || names.includes(own.replace(/@.*/, '')));
}

/** A side where a place is: of alternatives the first that is there. */
export function sideAt(
  side: Side,
  metric: string,
  { cells, place, isOf }: { readonly cells: readonly Cell[]; readonly place: Place; readonly isOf: IsOf },
): Found | undefined {
  const named = typeof side === 'string' ? { arm: side } : side;
  const own = ('metric' in named ? named.metric : undefined) ?? metric;
  const arm = list(named.arm)?.find((name) => cells.some((cell) => cell.arm === name));
  let found = cells.filter((cell) => cell.arm === arm && isOf(cell, own));
  for (const dimension of dimensions) {
    const alternatives =
      dimension === 'server' ? undefined : list((named as Record<string, Name>)[dimension]);
    const name =
      alternatives === undefined
        ? place[dimension]
        : alternatives.find((each) => found.some((cell) => matches(cell, dimension, [each])));
    if (alternatives !== undefined && name === undefined) return undefined;
    if (name !== undefined) found = found.filter((cell) => matches(cell, dimension, [name]));
  }
  return found.length === 0 ? undefined : { metric: own, cells: found };
}

export interface Compared {
  readonly place: Place;
  /** Baseline and candidate, and the two that they are set against. */
  readonly sides: readonly Found[];
}

/** Everything that one claim compares in these cells. */
export function comparedBy(
  claim: Claim,
  {
    cells,
    arms,
    isOf,
  }: { readonly cells: readonly Cell[]; readonly arms: readonly string[]; readonly isOf: IsOf },
): Compared[] {
  const [first = '', second = first] = arms;
  const sides: Side[] = [...(claim.compare ?? [first, second]), ...(claim.against ?? [])];
  const within = cells.filter(
    (cell) =>
      matches(cell, 'workload', claim.workloads) &&
      matches(cell, 'network', claim.networks) &&
      matches(cell, 'server', claim.servers),
  );
  const [baseline] = sides;
  const metric = (typeof baseline === 'object' ? baseline.metric : undefined) ?? claim.metric;
  const open = dimensions.filter(
    (dimension) =>
      !(dimension === 'workload' && claim.pool === true) &&
      (dimension === 'server' ||
        sides.some(
          (side) => typeof side === 'string' || (side as Record<string, Name>)[dimension] === undefined,
        )),
  );
  const places = new Map<string, Place>();
  for (const cell of within)
    if (isOf(cell, metric) && matches(cell, 'client', claim.clients)) {
      const place = Object.fromEntries(open.map((dimension) => [dimension, cell[dimension]]));
      places.set(JSON.stringify(place), place);
    }
  return [...places.values()].flatMap((place) => {
    const found = sides.map((side) => sideAt(side, claim.metric, { cells: within, place, isOf }));
    const all = found.filter((side) => side !== undefined);
    if (all.length < sides.length) return [];
    const [a, b, c, d] = all;
    const isItself =
      c !== undefined && c.cells[0] === a?.cells[0] && d?.cells[0] === b?.cells[0] && c.metric === a?.metric;
    return isItself ? [] : [{ place, sides: all }];
  });
}
