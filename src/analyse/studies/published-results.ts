import { mostBlocksNeeded } from '../../model/blocks-needed.ts';
import type { Names } from '../../model/names.ts';
import type {
  Agreement,
  PublishedComparison,
  PublishedFigure,
  PublishedResult,
} from '../../model/published.ts';
import type { StudyCell } from '../../model/study-run.ts';
import { comparePublished, type WatchingBound } from './compare-published.ts';
import { publishedPlaces } from './published-places.ts';
import { sizeWords } from './published-size.ts';

/** What a run has to say of published results. */
export interface MeasuredRun {
  readonly cells: readonly StudyCell[];
  /** Labels in the plan's order. */
  readonly arms: readonly string[];
  readonly names: Names;
  readonly boundOf: WatchingBound;
  readonly scale: string | null;
  /** Blocks that were run. */
  readonly blocks: number;
  /** What a block of the run took, ms; null where that is not known. */
  readonly blockMs: number | null;
  readonly machine: string;
}

/**
 * All comparisons of one result together. Each must hold, so each is tested at 5 % and none is adjusted: that all hold by
 * chance is then no more likely than 5 % (intersection–union).
 */
export function agreementOf(ours: readonly Pick<PublishedComparison, 'outcome' | 'blocks'>[]): Agreement {
  if (ours.every(({ blocks }) => blocks === 0)) return 'not measured';
  const outcomes = ours.map(({ outcome }) => outcome);
  if (outcomes.includes('none')) return 'no direction';
  if (outcomes.every((outcome) => outcome === 'same')) return 'same';
  if (outcomes.includes('same')) return 'partly';
  return outcomes.includes('other') ? 'other' : 'undecided';
}

/** Each published result with the comparison of this run that asks the same. */
export function publishedResults(figures: readonly PublishedFigure[], run: MeasuredRun): PublishedResult[] {
  return figures.map((figure) => {
    const places = publishedPlaces(figure, run.cells, run.arms);
    const ours = places.map((place) => comparePublished(figure, place, run));
    const price = priceOf(ours, run);
    return {
      ...figure,
      ours,
      agreement: agreementOf(ours),
      sizeWords: sizeWords(figure, ours, run.scale),
      ...(price !== undefined && { price }),
      ourMachine: run.machine,
    };
  });
}

/**
 * What it costs to decide all that is undecided; undefined where everything is decided, or where more blocks alone do not
 * decide. Blocks are of the whole run, of which a comparison that lost trials has fewer.
 */
function priceOf(
  ours: readonly PublishedComparison[],
  { blocks, blockMs }: Pick<MeasuredRun, 'blocks' | 'blockMs'>,
): string | undefined {
  const open = ours.filter(({ blocksNeeded }) => blocksNeeded !== undefined);
  if (open.length === 0) return undefined;
  const run = Math.max(blocks, ...open.map((each) => each.blocks));
  const times = Math.max(...open.map((each) => (each.blocksNeeded ?? Infinity) / each.blocks));
  const needed = Math.max(run + 1, Math.ceil(run * times));
  const most = Math.max(run, mostBlocksNeeded);
  const minutes = (all: number): number => Math.ceil(((all - run) * (blockMs ?? 0)) / 60_000);
  if (needed > most)
    return `more than ${most} blocks${blockMs === null ? '' : `, more than ${minutes(most)} min`}`;
  const about = open.some(({ interval }) => interval === null) ? 'at least' : 'about';
  return `${about} ${needed} blocks${blockMs === null ? '' : `, ${minutes(needed)} min more`}`;
}
