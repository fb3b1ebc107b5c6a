import { grouped, pDigits, percentDigits, valueDigits } from '../../src/core/model/rounding.ts';

/** What stands where a number is missing, not finite, or was never measured. */
export const missing = '–';
const minus = '\u2212';
const thinSpace = '\u202f';

/** Whether a value can be printed as a number; NaN and infinities cannot. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A value with at most three significant digits (`3.14`, `12 345`), a real minus, and groups of three from five digits on. */
export function formatNumber(value: number | null | undefined, significant = 3): string {
  if (!isNumber(value)) return missing;
  const magnitude = Math.abs(value);
  if (magnitude >= 1e15) return value.toExponential(2).replace('-', minus);
  const digits = valueDigits(value, significant);
  return (value < 0 && digits !== '0' ? minus : '') + digits;
}

/** As `formatNumber`, with a plus before what is above zero. */
export function formatSigned(value: number | null | undefined, significant = 3): string {
  if (!isNumber(value)) return missing;
  const text = formatNumber(value, significant);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

/** A share (0.031) as percent without sign: `3.1 %`. */
export function formatShare(share: number | null | undefined): string {
  return isNumber(share) ? `${percentDigits(share * 100)}${thinSpace}%` : missing;
}

/** A ratio's distance from one as signed percent: 0.93 is `−7.0 %`. */
export function formatRatioPercent(ratio: number | null | undefined): string {
  if (!isNumber(ratio)) return missing;
  const percent = (ratio - 1) * 100;
  const digits = percentDigits(percent);
  const sign = Number(digits.replaceAll(thinSpace, '')) === 0 ? '' : percent < 0 ? minus : '+';
  return `${sign}${digits}${thinSpace}%`;
}

/** Signed percent of a number that is in percent already: `+148 %`. */
export function formatSignedPercent(percent: number): string {
  return formatRatioPercent(1 + percent / 100);
}

/** From here on a time is told in seconds, and a rate in the next larger unit. */
const nextUnitFrom = 1000;

/** A measured value as people say it: `831 ms`, `1.03 s`, `20 Mbit/s`. */
export function formatMeasured(value: number | null | undefined, unit: string): string {
  if (!isNumber(value)) return missing;
  const isLarge = Math.abs(value) >= nextUnitFrom;
  if (unit === 'ms') return isLarge ? `${formatNumber(value / 1000)} s` : `${formatNumber(value)} ms`;
  if (unit === 'kbit/s' && isLarge) return `${formatNumber(value / 1000)} Mbit/s`;
  if (countedUnits.includes(unit) && Math.abs(value) >= wholeFrom) return `${formatCount(value)} ${unit}`;
  return unit === '' || unit === '1' ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

/** Units of what is counted, besides metrics whose name ends in Count. */
const countedUnits: readonly string[] = ['packets', 'calls', 'switches', 'frames'];
/** From here on half a thing, the median of an even number of blocks, says no more than a whole one. */
const wholeFrom = 10;

/** A measured value to four significant digits, without its unit; counts are whole. */
export function formatLevel(value: number | null | undefined, unit: string, metric = ''): string {
  const isCounted = countedUnits.includes(unit) || metric.endsWith('Count');
  return isCounted && isNumber(value) && Math.abs(value) >= wholeFrom
    ? formatCount(value)
    : formatNumber(value, 4);
}

/** A p value, rounded up rather than to a smaller one: `0.008`, `0.45`, `< 0.001`. */
export function formatP(value: number | null | undefined): string {
  if (!isNumber(value)) return missing;
  if (value < 0.001) return '<\u202f0.001';
  return pDigits(value);
}

/** `p = 0.042`, `p < 0.001`; `name` says which p. */
export function equalsP(value: number | null | undefined, name = 'p'): string {
  const text = formatP(value);
  return text.startsWith('<') ? `${name} ${text}` : `${name} = ${text}`;
}

/** A span of wall time in words: `45 s`, `6 min 12 s`, `2 h 5 min`. */
export function formatSpan(durationMs: number | null | undefined): string {
  if (!isNumber(durationMs) || durationMs < 0) return missing;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${durationMs < 10_000 ? formatNumber(durationMs / 1000, 2) : seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  const hours = Math.floor(minutes / 60);
  return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

const minutesPerHour = 60;

/** Both ends of a range of what was seen, once where they read alike. */
export function seenRange([least, most]: readonly [number, number], text: (value: number) => string): string {
  return [...new Set([text(least), text(most)])].join(' to ');
}

/** How long something may take, from and to; nothing where it is not known. */
export function minutesText(minutes: readonly [number, number] | null): string {
  const [from, to] = minutes ?? [];
  if (!isNumber(from) || !isNumber(to)) return '';
  if (to < minutesPerHour * 2) return from === to ? `about ${from} min` : `${from} to ${to} min`;
  const hours = (span: number): string => `${formatNumber(span / minutesPerHour, 2)} h`;
  const first = from < minutesPerHour ? `${from} min` : hours(from);
  return first === hours(to) ? `about ${first}` : `${first} to ${hours(to)}`;
}

/** Bytes with decimal prefixes: `1.5 GB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (!isNumber(bytes)) return missing;
  const step = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3));
  return `${formatNumber(bytes / 1000 ** step)} ${byteUnits[step] ?? 'bytes'}`;
}

/** A count of things, in groups of three from five digits on: `8`, `12 345`. */
export function formatCount(count: number | null | undefined): string {
  return isNumber(count)
    ? (count < 0 ? minus : '') + grouped(Math.abs(Math.round(count)).toFixed(0))
    : missing;
}

/** `1 trial`, `3 trials`. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : many}`;
}

/** A sentence in which no line ends between a number and its unit. */
export function unbroken(sentence: string): string {
  return sentence.replace(/(\d|[=<]|\bp) (?=\d|[%=<]|(?:ms|s|Mbit\/s|kbit\/s|blocks?)\b)/g, '$1\u00a0');
}
