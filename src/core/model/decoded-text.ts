/**
 * One character, written as addresses (`%2F`, and `%u002F` of old scripts), JSON and scripts (`\/`, `\x2f`, `\u002f`), or HTML
 * (`&#47;`, `&sol;`) write it, or a line break within base64 (RFC 2045, 6.8). Of bytes beyond ASCII in an address those of one UTF-8 character belong together.
 */
const escaped = new RegExp(
  [
    String.raw`%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|%[\da-f]{2}`,
    String.raw`[%\\]u[\da-f]{4}|\\u\{[\da-f]{1,6}\}|\\x[\da-f]{2}|\\["'\\/bfnrt]`,
    String.raw`&#\d{1,7};|&#x[\da-f]{1,6};|&[a-z]{2,6}[1-4]{0,2};`,
    String.raw`\r?\n(?<=[\w+/-]{60}\r?\n)(?=[\w+/-])`,
  ].join('|'),
  'gi',
);
/** Names of characters in HTML: those of ASCII that are no letters, and of Latin-1, which programs that escape all they can write. */
const ascii: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  Hat: '^',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  verbar: '|',
};
/** In the order of their codes, from U+00A0 on. */
const latin1 = [
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr',
  'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml',
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig',
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml',
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
].flatMap((row) => row.split(' '));
const firstOfLatin1 = 0xa0;
const named = new Map([
  ...Object.entries(ascii),
  ...latin1.map((name, index) => [name, String.fromCharCode(firstOfLatin1 + index)] as const),
]);
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const lastCodePoint = 0x10_ff_ff;

/** A text, and where each of its parts stands in what it was decoded from. */
export interface DecodedText {
  readonly text: string;
  /** First and last but one place of a part in the text that was given, from those in this one. */
  readonly placeOf: (start: number, end: number) => readonly [start: number, end: number];
}

/** An escape, or several as one character, and the character in its place. */
interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The text as it is, and then decoded again and again, as long as there is something to decode: what stands in JSON in an
 * address in HTML was escaped three times.
 */
export function* decodings(given: string, most: number): Generator<DecodedText> {
  let decoded: DecodedText | undefined = { text: given, placeOf: (start, end) => [start, end] };
  for (let times = 0; decoded !== undefined; times++) {
    yield decoded;
    decoded = times < most ? decodedOnce(decoded) : undefined;
  }
}

/** Undefined where nothing is escaped. */
function decodedOnce({ text, placeOf }: DecodedText): DecodedText | undefined {
  const replaced: Replaced[] = [];
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  for (const { 0: escape, index } of text.matchAll(escaped)) {
    const character = characterOf(escape);
    if (character === escape) continue;
    parts.push(text.slice(from, index), character);
    const start = length + index - from;
    from = index + escape.length;
    length = start + character.length;
    replaced.push({ start, end: length, from: index, to: from });
  }
  if (replaced.length === 0) return undefined;
  parts.push(text.slice(from));
  return {
    text: parts.join(''),
    placeOf: (start, end) =>
      placeOf(placeBefore(replaced, start).first, placeBefore(replaced, end - 1).last + 1),
  };
}

function characterOf(escape: string): string {
  if (/^%[^u]/i.test(escape)) return characterOfBytes(escape);
  if (/^&\w/.test(escape)) {
    const name = escape.slice(1, -1);
    return named.get(name) ?? named.get(name.toLowerCase()) ?? escape;
  }
  if (/^\r?\n/.test(escape)) return '';
  if (/^\\[^ux]/i.test(escape)) return controls[escape.slice(1)] ?? escape.slice(1);
  const digits = escape.replaceAll(/[^\da-f]/gi, '');
  const code = Number.parseInt(digits, /^&#\d/.test(escape) ? 10 : 16);
  return code <= lastCodePoint ? String.fromCodePoint(code) : escape;
}

/** Bytes that are no UTF-8 are each a character, as old encodings have them. */
function characterOfBytes(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes.replaceAll(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

/** The first and the last place in the source of the character at a place of the decoded text. */
function placeBefore(
  replaced: readonly Replaced[],
  place: number,
): { readonly first: number; readonly last: number } {
  let low = 0;
  let high = replaced.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((replaced[middle]?.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const before = replaced[low - 1];
  if (before === undefined) return { first: place, last: place };
  if (place < before.end) return { first: before.from, last: before.to - 1 };
  const at = before.to + place - before.end;
  return { first: at, last: at };
}
