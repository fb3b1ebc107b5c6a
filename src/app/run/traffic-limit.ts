import type { Har } from '../../core/model/har.ts';
import { linkBytes } from '../../core/model/link-bytes.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { sizeTitle } from '../../core/model/units.ts';
import { contentOf } from '../plan/arm-addresses.ts';

/** What a run has loaded, and what its next block may. */
export interface Traffic {
  readonly records: readonly TrialRecord[];
  readonly block: readonly PlannedTrial[];
  /** What each live address loaded before the first trial, by content. */
  readonly scouted: ReadonlyMap<string, Har>;
}

/**
 * Why no further block begins: an arm has loaded nearly as much as it may, and its next trial could load more, taking as much as its
 * largest so far. Null where there is room.
 */
export function trafficReached({ records, block, scouted }: Traffic, maxArmBytes: number): Reason | null {
  for (const trial of block) {
    const loaded = records.filter(({ arm }) => arm === trial.arm).map(linkBytes);
    const soFarBytes = loaded.reduce((sum, bytes) => sum + bytes, 0);
    const nextBytes = loaded.length > 0 ? Math.max(...loaded) : bytesOf(scouted.get(contentOf(trial)));
    if (soFarBytes + nextBytes <= maxArmBytes) continue;
    const most = sizeTitle(Math.round(maxArmBytes));
    return reasonOf(
      'traffic',
      `${trial.arm} has loaded ${megabytes(soFarBytes)}, and its next trial about ${megabytes(nextBytes)} more: the limit is ${most}`,
      { loadedBytes: soFarBytes, nextBytes, maxBytes: maxArmBytes },
    );
  }
  return null;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Of a load that was recorded; of one that was not nothing is known. */
function bytesOf(har: Har | undefined): number {
  const entries = har?.log.entries ?? [];
  return entries.reduce((sum, { response }) => sum + Math.max(0, response.bodySize), 0);
}
