import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';

/** Bytes of a file that one request carries. */
export const partBytes = 512 * 1024;

/** A path below a folder, by slashes. It leads nowhere else. */
export const innerPathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (path) => !/[\u0000\\]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part)),
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
