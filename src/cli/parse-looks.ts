import { H2h3Error } from '../model/errors.ts';

/** `12,16,20` as numbers of blocks. @throws H2h3Error `usage` for anything but ascending numbers from six on */
export function parseLooks(text: string): number[] {
  const looks = text.split(',').map(Number);
  const ascending = looks.every(
    (blocks, index) => Number.isInteger(blocks) && blocks >= 6 && blocks > (looks[index - 1] ?? 0),
  );
  if (ascending) return looks;
  throw new H2h3Error('usage', `--looks wants ascending numbers of blocks from 6 on, got "${text}"`);
}
