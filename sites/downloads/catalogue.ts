import type { Workload } from '../../src/core/model/workload.ts';
import { bytesOfSize } from '../../src/core/model/units.ts';
import { downloadWorkload } from './download-workload.ts';

/** What ships; a name may say any other size. */
const sizes = ['1mb', '10mb', '100mb', '1gb'];
const streamCounts = [1, 4, 16];

/** Bulk downloads: `download-<size>`, and `download-<size>-x<k>` with k parallel requests for the whole body each. */
export function downloadWorkloads(): readonly Workload[] {
  return sizes.flatMap((size) =>
    streamCounts.map((streams) => {
      const id = `download-${size}${streams === 1 ? '' : `-x${streams}`}`;
      return downloadWorkload({ id, sizeBytes: bytesOfSize(size), streams });
    }),
  );
}

const maxBytes = 2e9;
const maxStreams = 1000;

/**
 * A download by its name, of any size to 2 GB (0 KB: the answer has no body) and number of parallel bodies, perhaps after so many
 * seconds of rest, or next to another body that is left unread: `download-<n>kb|mb|gb[-x<k>][-rest<s>s|-unread<n>mb]`; else undefined.
 */
export function downloadWorkloadNamed(id: string): Workload | undefined {
  const [, size, count, rest, unread] =
    /^download-((?:0|[1-9]\d*)(?:kb|mb|gb))(?:-x([1-9]\d*))?(?:-rest([1-9]\d?)s|-unread([1-9]\d?mb))?$/.exec(
      id,
    ) ?? [];
  if (size === undefined) return undefined;
  const sizeBytes = bytesOfSize(size);
  const streams = Number(count ?? 1);
  if (sizeBytes > maxBytes || streams > maxStreams) return undefined;
  const restMs = rest === undefined ? undefined : Number(rest) * 1000;
  const unreadBytes = unread === undefined ? undefined : bytesOfSize(unread);
  return downloadWorkload({ id, sizeBytes, streams, restMs, unreadBytes });
}
