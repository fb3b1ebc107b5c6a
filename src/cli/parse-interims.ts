import { Option } from 'commander';
import type { Progress } from '../app/app-context.ts';
import { H2h3Error } from '../core/model/errors.ts';

export interface InterimFlags {
  readonly interims?: string;
  /** As `--interims` was called before. */
  readonly looks?: string;
}

/** The former name of `--interims`, which no help shows. */
export const formerInterimsOption = (): Option => new Option('--looks <list>').hideHelp();

/** Blocks after which a run is judged; undefined where no flag says so. @throws H2h3Error as `parseInterims` */
export function interimsOf(
  { interims, looks }: InterimFlags,
  progress: Pick<Progress, 'say'>,
): number[] | undefined {
  if (looks !== undefined) progress.say('h2h3: --looks is now --interims. The old name is still read.');
  const text = interims ?? looks;
  return text === undefined ? undefined : parseInterims(text);
}

/** `12,16,20` as numbers of blocks. @throws H2h3Error `usage` for anything but ascending numbers from four on */
export function parseInterims(text: string): number[] {
  const interims = text.split(',').map(Number);
  const ascending = interims.every(
    (blocks, index) => Number.isInteger(blocks) && blocks >= 4 && blocks > (interims[index - 1] ?? 0),
  );
  if (ascending) return interims;
  throw new H2h3Error('usage', `--interims wants ascending numbers of blocks from 4 on, got "${text}"`);
}
