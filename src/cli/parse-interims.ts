import { H2h3Error } from '../core/model/errors.ts';

/** `12,16,20` as numbers of blocks. @throws H2h3Error `usage` for anything but ascending numbers from four on */
export function parseInterims(text: string): number[] {
  const interims = text.split(',').map(Number);
  const ascending = interims.every(
    (blocks, index) => Number.isInteger(blocks) && blocks >= 4 && blocks > (interims[index - 1] ?? 0),
  );
  if (ascending) return interims;
  throw new H2h3Error('usage', `--interims wants ascending numbers of blocks from 4 on, got "${text}"`);
}
