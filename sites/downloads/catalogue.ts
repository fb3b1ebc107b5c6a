import type { Workload } from '../../src/model/workload.ts';
import { downloadWorkload } from './download-workload.ts';

/** Body sizes by their name; 1 MB is 10^6 bytes. */
const sizesBytes: Readonly<Record<string, number>> = {
  '1mb': 1_000_000,
  '10mb': 10_000_000,
  '100mb': 100_000_000,
  '1gb': 1_000_000_000,
};
const streamCounts = [1, 4, 16];

/** Bulk downloads: `download-<size>`, and `download-<size>-x<k>` with k parallel requests for the whole body each. */
export function downloadWorkloads(): readonly Workload[] {
  return Object.entries(sizesBytes).flatMap(([size, sizeBytes]) =>
    streamCounts.map((streams) =>
      downloadWorkload({ id: `download-${size}${streams === 1 ? '' : `-x${streams}`}`, sizeBytes, streams }),
    ),
  );
}
