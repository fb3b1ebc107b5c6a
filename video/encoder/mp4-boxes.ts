import type { FileHandle } from 'node:fs/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';

/** A box of an ISO base media file (ISO/IEC 14496-12): where it lies, header included. */
export interface Mp4Box {
  readonly type: string;
  readonly offset: number;
  readonly size: number;
  readonly headerSize: number;
}

const shortHeader = 8;
const longHeader = 16;

function boxAt(header: Buffer, offset: number, end: number, file: string): Mp4Box {
  const type = header.toString('latin1', 4, 8);
  let size = header.readUInt32BE(0);
  let headerSize = shortHeader;
  if (size === 1 && header.length >= longHeader) {
    size = Number(header.readBigUInt64BE(8));
    headerSize = longHeader;
  } else if (size === 0) {
    size = end - offset;
  }
  if (size < headerSize || offset + size > end) {
    throw new H2h3Error('bad-input', 'an MP4 file is damaged or cut off', {
      context: {
        file,
        expected: `a box that ends before byte ${end}`,
        got: `"${type}" of ${size} bytes at ${offset}`,
      },
    });
  }
  return { type, offset, size, headerSize };
}

/** The top-level boxes of a file, without reading what is in them. @throws H2h3Error `bad-input` when it is cut off. */
export async function topLevelBoxes(handle: FileHandle, file: string): Promise<Mp4Box[]> {
  const { size: end } = await handle.stat();
  const boxes: Mp4Box[] = [];
  const header = Buffer.alloc(longHeader);
  for (let offset = 0; offset < end;) {
    const { bytesRead } = await handle.read(header, 0, longHeader, offset);
    if (bytesRead < shortHeader) {
      throw new H2h3Error('bad-input', 'an MP4 file is damaged or cut off', {
        context: { file, got: `${bytesRead} bytes at ${offset}` },
      });
    }
    const box = boxAt(header.subarray(0, bytesRead), offset, end, file);
    boxes.push(box);
    offset += box.size;
  }
  return boxes;
}

/** Child boxes of `bytes` from `start`; offsets are relative to `bytes`. */
function childBoxes(bytes: Buffer, start: number, end: number, file: string): Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let offset = start; offset + shortHeader <= end;) {
    const box = boxAt(bytes.subarray(offset, Math.min(end, offset + longHeader)), offset, end, file);
    boxes.push(box);
    offset += box.size;
  }
  return boxes;
}

/** Content of the box found by going down `path` from a container's first child at `start`, or undefined. */
export function boxContent(
  bytes: Buffer,
  path: readonly string[],
  file: string,
  start = 0,
): Buffer | undefined {
  const [type, ...deeper] = path;
  const box = childBoxes(bytes, start, bytes.length, file).find((child) => child.type === type);
  if (box === undefined) return undefined;
  const content = bytes.subarray(box.offset + box.headerSize, box.offset + box.size);
  return deeper.length === 0 ? content : boxContent(content, deeper, file);
}
