import { linkBytes } from '../../core/model/link-bytes.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Senders } from '../../core/model/senders.ts';
import { senderProperties } from './properties.ts';
import { disturbanceOf } from './sender-path.ts';

/**
 * What a property of a server may load in the trials that are made for it, over both protocols: those of the first disturbance in which
 * it is read. Others that tell it too are made for other properties, and count there.
 */
export const maxPropertyBytes = 200_000_000;

/** The same for one protocol, by which trials are arms of a plan. */
export const maxArmBytes = maxPropertyBytes / 2;

/** What the property that loaded most has loaded, of each server alone; undefined where nothing was measured. */
export function trafficOf(
  servers: readonly string[],
  records: readonly TrialRecord[],
): NonNullable<Senders['traffic']> | undefined {
  const loaded = servers.flatMap((server) => {
    const own = records.filter(({ factors }) => factors.server === server);
    return senderProperties.map(({ title, readIn }) => ({
      title,
      bytes: own
        .filter((trial) => disturbanceOf(trial) === readIn[0])
        .reduce((sum, trial) => sum + linkBytes(trial), 0),
    }));
  });
  const [most] = loaded.toSorted((a, b) => b.bytes - a.bytes);
  if (most === undefined || most.bytes === 0) return undefined;
  return { limitBytes: maxPropertyBytes, loadedBytes: most.bytes, property: most.title };
}
