import { open } from 'node:fs/promises';
import { topLevelBoxes } from '../encoder/mp4-boxes.ts';

const freeHeaderBytes = 8;

/** One `moof` with its `mdat`, and how many bytes of `free` boxes follow it. */
export interface SegmentPart {
  readonly offset: number;
  readonly mediaBytes: number;
  /** 0, or at least the 8 bytes of a box's header. */
  readonly paddingBytes: number;
}

/**
 * The fragments of a segment on disk, as they are sent one by one. What fills a padded segment up at its end is spread
 * over its parts, so that each second of a broadcast carries its share of the rate; all parts together are as long as
 * the file. @throws H2h3Error `bad-input` for a file that is no segment
 */
export async function segmentParts(file: string): Promise<readonly SegmentPart[]> {
  const handle = await open(file, 'r');
  try {
    const boxes = await topLevelBoxes(handle, file);
    const fragments = boxes.flatMap((box, index) => {
      const next = boxes[index + 1];
      return box.type === 'moof' && next?.type === 'mdat'
        ? [{ offset: box.offset, mediaBytes: box.size + next.size }]
        : [];
    });
    const last = boxes.at(-1);
    return spread(fragments, last === undefined ? 0 : last.offset + last.size);
  } finally {
    await handle.close();
  }
}

type Fragment = Pick<SegmentPart, 'offset' | 'mediaBytes'>;

function spread(fragments: readonly Fragment[], totalBytes: number): SegmentPart[] {
  const mediaBytes = fragments.reduce((sum, fragment) => sum + fragment.mediaBytes, 0);
  let spareBytes = totalBytes - mediaBytes;
  let sentBytes = 0;
  return fragments.map((fragment, index) => {
    const share = Math.round((totalBytes * (index + 1)) / fragments.length);
    const isLast = index === fragments.length - 1;
    const wanted = isLast ? spareBytes : share - sentBytes - fragment.mediaBytes;
    // What is left must be nothing or have room for a header of its own.
    const leaves = spareBytes - wanted;
    const fits = wanted >= freeHeaderBytes && (leaves === 0 || leaves >= freeHeaderBytes);
    const paddingBytes = fits ? wanted : 0;
    spareBytes -= paddingBytes;
    sentBytes += fragment.mediaBytes + paddingBytes;
    return { ...fragment, paddingBytes };
  });
}
