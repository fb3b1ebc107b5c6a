import type { Har } from '../../src/model/har.ts';
import type { Comparison, Summary } from '../../src/model/summary.ts';
import { middleBlock } from './middle-block.ts';

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
  /** Pictures of the viewport in order of time: ms after navigation start, and the JPEG. */
  readonly frames?: readonly { readonly tMs: number; readonly jpeg: Uint8Array }[];
}

function isSinglePage({ workload, workloadKind }: Comparison): boolean {
  return workloadKind === 'page' && workload !== 'pooled';
}

/**
 * The trials worth reading from the run directory for the report: of every page in every condition the block that is
 * most like the overall result, by the primary metric of pages.
 */
export function pageLoadsToShow(summary: Summary): PageLoadChoice[] {
  const primary = summary.comparisons.find((one) => one.primary && one.workloadKind === 'page');
  const metric = primary?.metric ?? 'pltMs';
  return summary.comparisons
    .filter((comparison) => isSinglePage(comparison) && comparison.metric === metric)
    .flatMap((comparison) => {
      const blockIndex = middleBlock(comparison);
      if (blockIndex === undefined) return [];
      const { workload, client, network, server, baseline, candidate } = comparison;
      return [{ workload, client, network, server, blockIndex, arms: [baseline.arm, candidate.arm] }];
    });
}
