import type { Har } from '../../src/model/har.ts';
import type { Comparison, Summary } from '../../src/model/summary.ts';
import { isNumber } from '../format/numbers.ts';
import { distanceFromMiddle } from './middle-block.ts';

/** Which trials of a page a report shows from inside: both arms of one block. */
export interface PageLoadChoice {
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly server: string;
  readonly blockIndex: number;
  readonly arms: readonly string[];
}

/** One trial of a page from inside. */
export interface PageLoadEvidence extends Omit<PageLoadChoice, 'arms'> {
  readonly trialId: string;
  readonly arm: string;
  readonly har: Har;
  /** First and largest contentful paint, ms after navigation start; null or absent where they were not measured. */
  readonly paints?: { readonly fcpMs: number | null; readonly lcpMs: number | null };
  /** Pictures of the viewport in order of time: ms after navigation start, and the JPEG. */
  readonly frames?: readonly { readonly tMs: number; readonly jpeg: Uint8Array }[];
  /** The curve of visual progress, `[tMs, percent]`; costs a decode per frame, so it is asked for where it is shown. */
  readonly progress?: () => readonly (readonly [number, number])[];
}

function isSinglePage({ workload, workloadKind }: Comparison): boolean {
  return workloadKind === 'page' && workload !== 'pooled';
}

/** Blocks of one page that a reader can choose from. */
const mostBlocksPerPage = 4;
/** Blocks read beyond the first of every page; each costs two HARs to read. */
const mostFurtherBlocks = 24;

/** How far the candidate loses, as a logarithm; what has no ratio comes last. */
function loss({ ratio, higherIsBetter }: Comparison): number {
  if (!isNumber(ratio) || ratio <= 0) return -Infinity;
  return higherIsBetter ? -Math.log(ratio) : Math.log(ratio);
}

/** Blocks of a comparison that have a value in both arms, the one most like the overall result first. */
function blocksByCloseness(comparison: Comparison): number[] {
  return comparison.values
    .map(([block]) => ({ block, distance: distanceFromMiddle(comparison, block) }))
    .filter(({ distance }) => isNumber(distance))
    .sort((a, b) => a.distance - b.distance || a.block - b.block)
    .map(({ block }) => block);
}

/**
 * The trials worth reading from the run directory for the report, by the primary metric of pages: of every page in
 * every condition, the worst first, the block that is most like the overall result, then further blocks as far as there is room.
 */
export function pageLoadsToShow(summary: Summary): PageLoadChoice[] {
  const primary = summary.comparisons.find((one) => one.primary && one.workloadKind === 'page');
  const metric = primary?.metric ?? 'pltMs';
  const pages = summary.comparisons
    .filter((comparison) => isSinglePage(comparison) && comparison.metric === metric)
    .toSorted((a, b) => loss(b) - loss(a))
    .map((comparison) => ({ comparison, blocks: blocksByCloseness(comparison) }));
  const rounds = Array.from({ length: mostBlocksPerPage }, (_, round) =>
    pages.flatMap(({ comparison, blocks }): PageLoadChoice[] => {
      const blockIndex = blocks[round];
      if (blockIndex === undefined) return [];
      const { workload, client, network, server, baseline, candidate } = comparison;
      return [{ workload, client, network, server, blockIndex, arms: [baseline.arm, candidate.arm] }];
    }),
  );
  const [first = [], ...further] = rounds;
  return [...first, ...further.flat().slice(0, mostFurtherBlocks)];
}
