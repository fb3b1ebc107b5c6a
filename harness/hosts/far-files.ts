import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';

/** Bytes of a file that one request carries. */
export const partBytes = 512 * 1024;

/** What one trial leaves at the most, all together: the packets of a film of a minute at 200 Mbit/s have 1.5 GB. */
export const maxTrialBytes = 2_000_000_000;
export const maxTrialFiles = 5_000;

/** As file systems have it. */
const maxNameBytes = 255;
const maxPathBytes = 1024;

const isPlainName = (name: string): boolean =>
  !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= maxNameBytes;

/** A path below a folder, by slashes, of names that every file system takes. It leads nowhere else. */
export const innerPathSchema = z
  .string()
  .min(1)
  .max(maxPathBytes)
  .refine(
    (path) =>
      Buffer.byteLength(path) <= maxPathBytes &&
      !/[\p{Cc}\\]/u.test(path) &&
      path.split('/').every(isPlainName),
    'a path that stays below its folder',
  );

/** A part of a file from an offset on. */
export function readPart(path: string, offsetBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const part = Buffer.alloc(partBytes);
    return part.subarray(0, readSync(file, part, 0, partBytes, offsetBytes));
  } finally {
    closeSync(file);
  }
}
