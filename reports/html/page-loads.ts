import type { Har } from '../../src/core/model/har.ts';
import { isOfCondition } from '../../src/core/model/factor.ts';
import { numericMetric } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import type { Stretch } from '../../src/core/model/schedule-course.ts';
import { isNumber } from '../format/numbers.ts';

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
  /** What a schedule set towards the client, ms after navigation start; absent: its link follows none. */
  readonly linkSchedule?: readonly Stretch[];
  /** Pictures of the viewport in order of time: ms after navigation start, and the JPEG. */
  readonly frames?: readonly { readonly tMs: number; readonly jpeg: Uint8Array }[];
  /** The curve of visual progress, `[tMs, percent]`; costs a decode per frame, so it is asked for where it is shown. */
  readonly progress?: () => readonly (readonly [number, number])[];
}

function isSinglePage({ workload, workloadKind }: Comparison): boolean {
  return workloadKind === 'page' && workload !== 'pooled';
}

/** Blocks of one page that a reader can choose from. */
const maxBlocksPerPage = 4;
/** Blocks read beyond the first of every page; each costs two HARs to read. */
const maxFurtherBlocks = 24;

/** How far the candidate loses, as a logarithm; what has no ratio comes last. */
function loss({ ratio, higherIsBetter }: Comparison): number {
  if (!isNumber(ratio) || ratio <= 0) return -Infinity;
  return higherIsBetter ? -Math.log(ratio) : Math.log(ratio);
}

/** Recorded blocks of a comparison with a valid load in both arms, the one most like all of them first. */
function blocksByCloseness(comparison: Comparison, records: readonly TrialRecord[]): number[] {
  const { metric, baseline, candidate } = comparison;
  const own = records.filter(
    (record) =>
      record.instrumentation === 'instrumented' &&
      record.status === 'ok' &&
      isOfCondition(comparison, record),
  );
  const effects = [...Map.groupBy(own, ({ blockIndex }) => blockIndex)].flatMap(([block, inBlock]) => {
    const [before, after] = [baseline.arm, candidate.arm].map((arm) =>
      numericMetric(inBlock.find((record) => record.arm === arm)?.metrics ?? {}, metric),
    );
    return before && after ? [{ block, effect: Math.log(after / before) }] : [];
  });
  const middle = effects.map(({ effect }) => effect).toSorted((a, b) => a - b)[effects.length >> 1] ?? 0;
  return effects
    .toSorted((a, b) => Math.abs(a.effect - middle) - Math.abs(b.effect - middle) || a.block - b.block)
    .map(({ block }) => block);
}

/**
 * The trials worth reading from the run directory for the report, by the primary metric of pages: of every page in
 * every condition, the worst first, the recorded block that is most like all of these, then further ones as far as there is room.
 */
export function pageLoadsToShow(summary: Summary, records: readonly TrialRecord[]): PageLoadChoice[] {
  const primary = summary.comparisons.find(
    (comparison) => comparison.primary && comparison.workloadKind === 'page',
  );
  const metric = primary?.metric ?? 'pltMs';
  const pages = summary.comparisons
    .filter((comparison) => isSinglePage(comparison) && comparison.metric === metric)
    .toSorted((a, b) => loss(b) - loss(a))
    .map((comparison) => ({ comparison, blocks: blocksByCloseness(comparison, records) }));
  const rounds = Array.from({ length: maxBlocksPerPage }, (_, round) =>
    pages.flatMap(({ comparison, blocks }): PageLoadChoice[] => {
      const blockIndex = blocks[round];
      if (blockIndex === undefined) return [];
      const { workload, client, network, server, baseline, candidate } = comparison;
      return [{ workload, client, network, server, blockIndex, arms: [baseline.arm, candidate.arm] }];
    }),
  );
  const [first = [], ...further] = rounds;
  return [...first, ...further.flat().slice(0, maxFurtherBlocks)];
}
