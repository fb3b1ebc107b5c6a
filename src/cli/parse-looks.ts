import { H2h3Error } from '../core/model/errors.ts';

/** `12,16,20` as numbers of blocks. @throws H2h3Error `usage` for anything but ascending numbers from four on */
export function parseLooks(text: string): number[] {
  const looks = text.split(',').map(Number);
  const ascending = looks.every(
    (blocks, index) => Number.isInteger(blocks) && blocks >= 4 && blocks > (looks[index - 1] ?? 0),
  );
  if (ascending) return looks;
  throw new H2h3Error('usage', `--looks wants ascending numbers of blocks from 4 on, got "${text}"`);
}
