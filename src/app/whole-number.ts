import { H2h3Error } from '../core/model/errors.ts';

/** `--flag` as a whole number within bounds. @throws H2h3Error `usage` */
export function wholeNumber(flag: string, text: string, least: number, most?: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && !(value > (most ?? Infinity)))
    return value;
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new H2h3Error('usage', `--${flag} wants a whole number ${range}, got "${text}"`);
}
