import type { Workload } from '../../src/core/model/workload.ts';
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

const bytesPerUnit: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };
const maxBytes = 2e9;
const maxStreams = 1000;

/** A download by its name, of any size to 2 GB (0 KB: the answer has no body) and number of parallel bodies: `download-<n>kb|mb|gb[-x<k>]`; else undefined. */
export function downloadWorkloadNamed(id: string): Workload | undefined {
  const [, number, unit = '', count] = /^download-(0|[1-9]\d*)(kb|mb|gb)(?:-x([1-9]\d*))?$/.exec(id) ?? [];
  if (number === undefined) return undefined;
  const sizeBytes = Number(number) * (bytesPerUnit[unit] ?? 0);
  const streams = Number(count ?? 1);
  if (sizeBytes > maxBytes || streams > maxStreams) return undefined;
  return downloadWorkload({ id, sizeBytes, streams });
}
