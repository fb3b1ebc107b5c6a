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
    const price = priceOf(ours, run.blockMs);
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

/** More blocks than this are no plan. */
const mostBlocks = 200;

/** What it costs to decide all that is undecided; undefined where everything is decided, or has no interval. */
function priceOf(ours: readonly PublishedComparison[], blockMs: number | null): string | undefined {
  const open = ours.flatMap(({ blocksNeeded, blocks }) =>
    blocksNeeded === undefined ? [] : [{ needed: blocksNeeded, blocks }],
  );
  if (open.length === 0) return undefined;
  const needed = Math.max(...open.map(({ needed: count }) => count ?? Infinity));
  if (needed > mostBlocks) return `more than ${mostBlocks} blocks`;
  const blocks = Math.max(...open.map((each) => each.blocks));
  const minutes = blockMs === null ? null : Math.ceil((Math.max(0, needed - blocks) * blockMs) / 60_000);
  return `about ${needed} blocks${minutes === null ? '' : `, ${minutes} min more`}`;
}
