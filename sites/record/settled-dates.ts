/** Nothing was sent over HTTP before: such a date is a clock that was never set, or a count that stands for one. */
const firstWebEpochMs = Date.UTC(1991, 7, 6);

/** Milliseconds since 1970 of a date as HAR and WARC files have it; null where it cannot be true, or read. */
export function readDate(text: string): number | null {
  const ofArc = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text.trim());
  const [, year, month, day, hour, minute, second] = ofArc ?? [];
  const epochMs = Date.parse(ofArc === null ? text : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return epochMs >= firstWebEpochMs ? epochMs : null;
}

export interface SettledDates {
  /** In the order of what was dated, ms since 1970. */
  readonly epochMs: readonly number[];
  readonly firstMs: number;
  readonly warnings: readonly string[];
}

export interface Dated {
  readonly address: string;
  readonly date: string;
}

/** Dates of a file's exchanges: those that cannot be read get the median of the others, or the present. */
export function settledDates(dated: readonly Dated[]): SettledDates {
  const read = dated.map(({ date }) => readDate(date));
  const known = read.filter((epochMs) => epochMs !== null).sort((a, b) => a - b);
  const standIn = known[Math.floor((known.length - 1) / 2)] ?? Date.now();
  const unread = dated.filter((_, at) => read[at] === null);
  const named = unread.map(({ address, date }) => `${address} ("${date.slice(0, 40)}")`).join(', ');
  const when = new Date(standIn).toISOString();
  const of = known.length === 0 ? 'the present' : 'the median of the others';
  return {
    epochMs: read.map((epochMs) => epochMs ?? standIn),
    firstMs: known[0] ?? standIn,
    warnings:
      unread.length === 0
        ? []
        : [`dates that cannot be read: ${unread.length}; ${of}, ${when}, stands for them: ${named}`],
  };
}
