import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import type { Names } from '../../core/model/names.ts';
import { textAt } from '../../core/model/published.ts';
import type {
  Agreement,
  PublishedComparison,
  PublishedFigure,
  PublishedResult,
} from '../../core/model/published.ts';
import type { StudyCell } from '../../core/model/study-run.ts';
import { comparePublished, type OverheadBound } from './compare-published.ts';
import { publishedPlaces, type PublishedPlace } from './published-places.ts';
import { sizeAgrees, sizeWords } from './published-size.ts';
import { absentPrecondition } from './preconditions.ts';
import { clientFamily } from './study-cells.ts';

/** What a run has to say of published results. */
export interface MeasuredRun {
  readonly cells: readonly StudyCell[];
  /** Labels in the plan's order. */
  readonly arms: readonly string[];
  readonly names: Names;
  readonly boundOf: OverheadBound;
  readonly scale: string | null;
  /** Blocks that were run. */
  readonly blocks: number;
  /** What a block of the run took, ms; null where that is not known. */
  readonly blockMs: number | null;
  readonly machine: string;
}

/**
 * All comparisons of one result together: what most of them say. None is adjusted. Each is wrong in at most 5 %, so that chance makes
 * most of them agree in at most 10 % (Markov), and far more rarely where they do not hang together.
 */
export function agreementOf(ours: readonly Pick<PublishedComparison, 'outcome' | 'blocks'>[]): Agreement {
  if (ours.every(({ blocks }) => blocks === 0)) return 'not measured';
  const count = countsOf(ours);
  if (count.none > 0) return 'no direction';
  if (2 * count.same > ours.length) return 'same';
  return 2 * count.other > ours.length ? 'other' : 'undecided';
}

function countsOf(
  ours: readonly Pick<PublishedComparison, 'outcome'>[],
): Record<PublishedComparison['outcome'], number> {
  const count = { same: 0, other: 0, undecided: 0, none: 0 };
  for (const { outcome } of ours) count[outcome]++;
  return count;
}

/** Of several comparisons how many agree and how many do not; nothing where they all say the same. */
function sidesOf(ours: readonly PublishedComparison[]): PublishedResult['sides'] {
  const { same, other } = countsOf(ours);
  const isOne = [same, other, ours.length - same - other].includes(ours.length);
  return isOne ? undefined : { same, other, of: ours.length };
}

/** A scale of the experiment, as it would be run. */
export interface PlannedScale {
  readonly scale: string;
  /** Without values. */
  readonly cells: readonly StudyCell[];
  readonly arms: readonly string[];
  /** What its trials over these networks should take, in words. */
  readonly timeOver: (networks: readonly string[]) => string;
}

/**
 * Each published result with the comparison of this run that asks the same.
 *
 * @param scales all that the experiment has, the smallest first; none where only the run itself is asked
 */
export function publishedResults(
  figures: readonly PublishedFigure[],
  run: MeasuredRun,
  scales: readonly PlannedScale[] = [],
): PublishedResult[] {
  return figures.map((figure) => {
    const places = publishedPlaces(figure, run.cells, run.arms);
    const asksOther = textAt(figure.instead, run.scale) !== undefined;
    const absent = asksOther ? undefined : absentPrecondition(figure, places, run.cells);
    const judged = asksOther || absent !== undefined ? withoutClaim(figure) : figure;
    const namesServer = new Set(places.map(({ shared }) => shared.server)).size > 1;
    const ours = places.map((place) => comparePublished(judged, place, { ...run, namesServer }));
    const agreement = asksOther
      ? 'not measured'
      : absent === undefined
        ? agreementOf(ours)
        : 'precondition absent';
    const sides = judged === figure ? sidesOf(ours) : undefined;
    const planned = scales.map((each) => ({ ...each, places: plannedPlaces(figure, each) }));
    const all = Math.max(0, ...planned.map(({ places: those }) => those.length));
    const open = judged !== figure || agreement === 'not measured' ? undefined : priceOf(ours, run);
    const price = open?.words ?? (agreement === 'not measured' ? priceOfScale(figure, planned) : undefined);
    return {
      ...figure,
      ours,
      agreement,
      sizeWords: sizeWords(figure, ours, run.scale),
      sizeAgrees: sizeAgrees(figure, ours, run.scale),
      ...(sides !== undefined && { sides }),
      ...(absent !== undefined && { absent }),
      ...(isOfOneClient(figure, places) && { oneClient: true as const }),
      ...(price !== undefined && { price }),
      ...(open?.decision !== undefined && { decision: open.decision }),
      ...(isClaimed(agreement) && ours.length < all && { part: { here: ours.length, all } }),
      ourMachine: run.machine,
    };
  });
}

const isClaimed = (agreement: Agreement): boolean =>
  !['not measured', 'no direction', 'precondition absent'].includes(agreement);

/** A claim about several clients that was looked for with one. */
function isOfOneClient({ overClients }: PublishedFigure, places: readonly PublishedPlace[]): boolean {
  const clients = places.flatMap(({ compare }) =>
    compare.flatMap(({ cells }) => cells.map(({ client }) => clientFamily(client))),
  );
  return overClients === true && new Set(clients).size === 1;
}

function withoutClaim(figure: PublishedFigure): PublishedFigure {
  return { ...figure, expects: undefined };
}

/** A scale that asks something else has none of the study's comparisons. */
function plannedPlaces(figure: PublishedFigure, { scale, cells, arms }: PlannedScale): PublishedPlace[] {
  return textAt(figure.instead, scale) === undefined ? publishedPlaces(figure, cells, arms) : [];
}

/** What the smallest scale that has the comparison is told to run it, and its time. */
function priceOfScale(
  { expects }: PublishedFigure,
  planned: readonly (PlannedScale & { readonly places: readonly PublishedPlace[] })[],
): string | undefined {
  if (expects === undefined || planned.length === 0) return undefined;
  const smallest = planned.find(({ places }) => places.length > 0);
  if (smallest === undefined) return 'no scale has it';
  const { scale, places, timeOver } = smallest;
  const networks = [
    ...new Set(
      places.flatMap(({ compare, against = [] }) =>
        [...compare, ...against].flatMap(({ cells }) => cells.map(({ network }) => network)),
      ),
    ),
  ];
  return `--scale ${scale} --network ${networks.join(',')}, about ${timeOver(networks)}`;
}

/**
 * What it costs to decide all that is undecided; undefined where everything is decided, or where more blocks alone do not
 * decide. Blocks are of the whole run, of which a comparison that lost trials has fewer.
 */
function priceOf(
  ours: readonly PublishedComparison[],
  { blocks, blockMs }: Pick<MeasuredRun, 'blocks' | 'blockMs'>,
): { readonly words: string; readonly decision?: PublishedResult['decision'] } | undefined {
  const open = ours.filter(({ blocksNeeded }) => blocksNeeded !== undefined);
  if (open.length === 0) return undefined;
  const run = Math.max(blocks, ...open.map((each) => each.blocks));
  const times = Math.max(...open.map((each) => (each.blocksNeeded ?? Infinity) / each.blocks));
  const needed = Math.max(run + 1, Math.ceil(run * times));
  const most = Math.max(run, maxBlocksNeeded);
  const minutes = (all: number): number => Math.ceil(((all - run) * (blockMs ?? 0)) / 60_000);
  if (needed > most)
    return {
      words: `more than ${most} blocks${blockMs === null ? '' : `, more than ${minutes(most)} min`}`,
    };
  const about = open.some(({ interval }) => interval === null) ? 'at least' : 'about';
  const more = minutes(needed);
  return blockMs === null
    ? { words: `${about} ${needed} blocks` }
    : {
        words: `${about} ${needed} blocks, ${more} min more`,
        decision: { blocks: needed, minutes: more },
      };
}
