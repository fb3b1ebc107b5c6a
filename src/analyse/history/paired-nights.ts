import type { PairedWith } from '../../core/model/history.ts';
import { formOfValues, pairedBlocks } from './night-gaps.ts';
import type { SeriesNight } from './series-night.ts';

/** The candidate against one baseline, night by night. */
export interface PairedNights {
  readonly pairedWith: PairedWith;
  /** The candidate's rows; their values are ratios or differences of the blocks that both have. */
  readonly rows: readonly SeriesNight[];
}

/**
 * The candidate against the baseline of the same run, block by block: what the machine did to both that night cancels. Every
 * baseline has its own series, because another baseline moves the ratio without anything having happened.
 *
 * @param rows one series: same machine class, browser build, protocol, workload, metric, network and server
 */
export function pairedNights(rows: readonly SeriesNight[]): PairedNights[] {
  const pairs = [...Map.groupBy(rows, ({ startedAt }) => startedAt).values()].flatMap((ofRun) => {
    const baseline = ofRun.find(({ role }) => role === 'baseline');
    const candidate = ofRun.find(({ role }) => role === 'candidate');
    if (baseline === undefined || candidate === undefined) return [];
    const blocks = pairedBlocks(baseline, candidate);
    return blocks.length === 0 ? [] : [{ baseline: baseline.version, candidate, blocks }];
  });
  return [...Map.groupBy(pairs, ({ baseline }) => baseline)].map(([baseline, nights]) => {
    const values = nights.flatMap(({ blocks }) => blocks.flatMap(({ first, second }) => [first, second]));
    const form = formOfValues(rows[0]?.metric ?? '', values);
    return {
      pairedWith: { baseline, form },
      rows: nights.map(({ candidate, blocks }) => ({
        ...candidate,
        values: blocks.map(({ first, second }) => (form === 'ratio' ? second / first : second - first)),
        blocks: blocks.map(({ block }) => block),
      })),
    };
  });
}
