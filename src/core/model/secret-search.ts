import { cutMark } from './cut-text.ts';
import { decodings } from './decoded-text.ts';
import { formsOf, partsOf, type SecretForm } from './secret-forms.ts';

/** Where a text has a secret. */
export interface SecretPlace {
  readonly start: number;
  /** The place behind it. */
  readonly end: number;
  /** Place in the list of secrets. */
  readonly secret: number;
}

/** What is escaped more often was not escaped by accident. */
const maxDecodings = 4;
/** Less of a secret is left where a text was cut than says anything of it. */
const minLeftOfCut = 4;

/**
 * Finds secrets in texts, in whichever form they are written there, upper and lower case alike but in base64. A text is read
 * through once for each time that something in it is escaped, however many secrets there are.
 */
export class SecretSearch {
  readonly #parts: readonly { readonly text: string; readonly secret: number }[];
  readonly #plain: FormIndex;
  readonly #base64: FormIndex;

  constructor(secrets: readonly string[]) {
    const given = [...secrets.entries()].filter(([, text]) => text !== '');
    this.#parts = given.flatMap(([secret, text]) => partsOf(text).map((part) => ({ text: part, secret })));
    const forms = given.flatMap(([secret, text]) => formsOf(text).map((form) => ({ ...form, secret })));
    this.#plain = new FormIndex(
      forms.filter(({ isBase64 }) => !isBase64),
      plainFold,
    );
    this.#base64 = new FormIndex(
      forms.filter(({ isBase64 }) => isBase64),
      base64Fold,
    );
  }

  /** In no order; they may overlap. */
  *in(text: string): Generator<SecretPlace> {
    if (this.#parts.length === 0) return;
    for (const decoded of decodings(text, maxDecodings)) {
      const found = [this.#plain, this.#base64].map((index) => index.in(decoded.text));
      for (const { start, end, secret } of [...found.flat(), ...this.#cutIn(decoded.text)]) {
        const [from, to] = decoded.placeOf(start, end);
        yield { start: from, end: to, secret };
      }
    }
  }

  /** What is left of secrets where the text was cut. */
  #cutIn(text: string): SecretPlace[] {
    const found: SecretPlace[] = [];
    for (let at = text.indexOf(cutMark); at >= 0; at = text.indexOf(cutMark, at + 1))
      for (const { text: part, secret } of this.#parts) {
        const before = leftBefore(text, at, part);
        const after = leftAfter(text, at + cutMark.length, part);
        if (before > 0) found.push({ start: at - before, end: at, secret });
        if (after > 0) found.push({ start: at + cutMark.length, end: at + cutMark.length + after, secret });
      }
    return found;
  }
}

/** How much of a secret's start stands before a place; 0 where that is too little. */
function leftBefore(text: string, end: number, secret: string): number {
  for (let length = Math.min(end, secret.length - 1); length >= minLeftOfCut; length--)
    if (text[end - length] === secret[0] && text.startsWith(secret.slice(0, length), end - length))
      return length;
  return 0;
}

/** How much of a secret's end stands behind a place; 0 where that is too little. */
function leftAfter(text: string, start: number, secret: string): number {
  for (let length = secret.length - 1; length >= minLeftOfCut; length--)
    if (text[start] === secret.at(-length) && text.startsWith(secret.slice(-length), start)) return length;
  return 0;
}

/** Codes of characters that count as one. */
type Fold = Readonly<Uint16Array>;

function foldOf(pairs: readonly (readonly [from: string, to: string])[]): Fold {
  const fold = Uint16Array.from({ length: 128 }, (_, code) => code);
  for (const [from, to] of pairs) fold[from.charCodeAt(0)] = to.charCodeAt(0);
  return fold;
}

/** Forms write a space as `+`. */
const spaceOfForms = [' ', '+'] as const;
const capitals = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [letter, letter.toLowerCase()] as const);
const plainFold = foldOf([spaceOfForms, ...capitals]);
/** Base64 has another alphabet for addresses (RFC 4648, 5). */
const base64Fold = foldOf([spaceOfForms, ['-', '+'], ['_', '/']]);

const isBase64Letter = (letter: string | undefined): boolean =>
  letter !== undefined && /^[\w+/-]$/.test(letter);

interface IndexedForm extends SecretForm {
  readonly codes: Readonly<Uint16Array>;
  readonly secret: number;
}

const maxKeyBytes = 4;
const filterSize = 0x1_00_00;

/**
 * Forms by their last characters, which differ where the first are alike, as those of tokens are (Karp and Rabin, Efficient
 * randomized pattern-matching algorithms, 1987): a number made of as many characters is kept while a text is read, and only
 * where it is one of a form's the form is compared.
 */
class FormIndex {
  readonly #fold: Fold;
  readonly #byKey = new Map<number, IndexedForm[]>();
  /** Whether any form may have a key, so that most characters cost no look-up. */
  readonly #filter = new Uint8Array(filterSize);
  readonly #keyLength: number;
  readonly #keyMask: number;

  constructor(forms: readonly (SecretForm & { readonly secret: number })[], fold: Fold) {
    this.#fold = fold;
    this.#keyLength = Math.min(maxKeyBytes, ...forms.map(({ text }) => text.length));
    this.#keyMask = this.#keyLength === maxKeyBytes ? -1 : (1 << (8 * this.#keyLength)) - 1;
    for (const form of forms) this.#add(form);
  }

  #add(form: SecretForm & { readonly secret: number }): void {
    const codes = Uint16Array.from({ length: form.text.length }, (_, index) =>
      this.#folded(form.text.charCodeAt(index)),
    );
    const key = codes.subarray(-this.#keyLength).reduce((key, code) => this.#nextKey(key, code), 0);
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { ...form, codes }]);
    this.#filter[filterPlace(key)] = 1;
  }

  #folded(code: number): number {
    return this.#fold[code] ?? code;
  }

  #nextKey(key: number, code: number): number {
    return ((key << 8) ^ code) & this.#keyMask;
  }

  in(text: string): SecretPlace[] {
    const found: SecretPlace[] = [];
    let key = 0;
    for (let index = 0; index < text.length; index++) {
      key = this.#nextKey(key, this.#folded(text.charCodeAt(index)));
      if (this.#filter[filterPlace(key)] === 0) continue;
      for (const form of this.#byKey.get(key) ?? [])
        if (this.#endsAt(form, text, index + 1)) found.push(whole(form, text, index + 1));
    }
    return found;
  }

  #endsAt({ codes }: IndexedForm, text: string, end: number): boolean {
    for (let index = 0, at = end - codes.length; index < codes.length; index++, at++)
      if (at < 0 || this.#folded(text.charCodeAt(at)) !== codes[index]) return false;
    return true;
  }
}

const filterPlace = (key: number): number => (key ^ (key >>> 15)) & (filterSize - 1);

/** With the letters next to it that have a part of the secret, and what fills its last group. */
function whole({ codes, hasBefore, hasAfter, secret }: IndexedForm, text: string, to: number): SecretPlace {
  const from = to - codes.length;
  const start = hasBefore && isBase64Letter(text[from - 1]) ? from - 1 : from;
  let end = to;
  if (hasAfter && isBase64Letter(text[end])) end++;
  while (hasAfter && text[end] === '=') end++;
  return { start, end, secret };
}
