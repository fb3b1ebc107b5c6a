/** How values of a kind are written. */
export interface Form<Value> {
  /** What was expected, where a text is no value; undefined: every text is one. */
  readonly words?: string;
  /** Undefined for a text that is no value. */
  read(text: string): Value | undefined;
  write(value: Value): string;
}

/** One of these words. */
export function oneOf<const Word extends string>(first: Word, ...others: readonly Word[]): Form<Word> {
  const all: readonly Word[] = [first, ...others];
  const last = others.at(-1);
  return {
    words: last === undefined ? first : `${all.slice(0, -1).join(', ')} or ${last}`,
    read: (text) => all.find((word) => word === text),
    write: (word) => word,
  };
}

/** A form of other words for people. */
export function inWords<Value>(words: string, form: Form<Value>): Form<Value> {
  return { ...form, words };
}

/** Any text, such as a name that others judge. */
export const anyText: Form<string> = {
  read: (text) => text,
  write: (text) => text,
};

/** Names of one thing for each hop or link, from the client on, apart at slashes. */
export const namesByHop: Form<readonly string[]> = {
  read: (text) => text.split('/'),
  write: (names) => names.join('/'),
};

/** A number without sign or fraction, perhaps with a unit behind it; undefined where the text has another form. */
export function wholeNumberIn(text: string, unit = ''): number | undefined {
  const digits = text.endsWith(unit) ? text.slice(0, text.length - unit.length) : '';
  return /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined;
}

/** A number of bytes behind which `kb` or `mb` stands, each so many bytes; undefined where the text has another form. */
export function sizeIn(text: string, kiloBytes: 1000 | 1024): number | undefined {
  const kilo = wholeNumberIn(text, 'kb');
  const mega = wholeNumberIn(text, 'mb');
  if (kilo !== undefined) return kilo * kiloBytes;
  return mega === undefined ? undefined : mega * kiloBytes ** 2;
}

/** The same back, in the largest unit that leaves no fraction. */
export function sizeText(bytes: number, kiloBytes: 1000 | 1024): string {
  return bytes % kiloBytes ** 2 === 0 ? `${bytes / kiloBytes ** 2}mb` : `${bytes / kiloBytes}kb`;
}

/** A time such as `2s`, `1.5s` or `500ms`, in ms; undefined where the text has another form. */
export function durationIn(text: string): number | undefined {
  const { number = '', unit = '' } =
    /^(?<number>(?:0|[1-9]\d*)(?:\.\d{1,3})?)(?<unit>ms|s)$/.exec(text)?.groups ?? {};
  if (number === '') return undefined;
  return unit === 's' ? Math.round(Number(number) * 1e6) / 1000 : Number(number);
}

/** The same back, in whole seconds where it can be. */
export function durationText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** The same to read: `2 s`, `1500 ms`. */
export function durationWords(ms: number): string {
  return durationText(ms).replace(/\D+$/, ' $&');
}

const maxWaitMs = 60_000;

/** How much later something comes. */
export const laterForm: Form<{ readonly lateMs: number }> = {
  words: 'how much later they are answered, such as +300ms (at most 60s)',
  read: (text) => {
    const lateMs = text.startsWith('+') ? durationIn(text.slice(1)) : undefined;
    return lateMs === undefined || lateMs === 0 || lateMs > maxWaitMs ? undefined : { lateMs };
  },
  write: ({ lateMs }) => `+${durationText(lateMs)}`,
};

/** A share of packets, at most half of them. */
export const shareForm: Form<{ readonly percent: number }> = {
  words: 'a share of the packets such as 2% or 0.5%, at most 50%',
  read: (text) => {
    const percent = /^(?:0|[1-9]\d?)(?:\.\d{1,3})?%$/.test(text) ? Number(text.slice(0, -1)) : 0;
    return percent === 0 || percent > 50 ? undefined : { percent };
  },
  write: ({ percent }) => `${percent}%`,
};
