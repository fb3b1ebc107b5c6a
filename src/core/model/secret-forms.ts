import { decodings } from './decoded-text.ts';

/** A way in which a text may have a secret, decoded as far as it goes. */
export interface SecretForm {
  readonly text: string;
  /** Whether it is base64, whose letters differ by case. */
  readonly isBase64: boolean;
  /** Whether the base64 letter before it, and the one after it, has bits of the secret as well. */
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
}

/** Long secrets, such as what a page stores, are looked for by parts: a page shows one, and each is found in bounded time. */
const maxPartCharacters = 128;
/** Parts share what base64 needs to have a whole group of each. */
const overlap = 8;

/** In hexadecimal and base64, fewer characters stand in many places by chance. */
const minEncoded = 6;

/** The secret, or the parts of a long one, all alike long. */
export function partsOf(secret: string): string[] {
  if (secret.length <= maxPartCharacters) return [secret];
  const characters = [...secret];
  const count = Math.ceil(characters.length / (maxPartCharacters - overlap));
  const length = Math.ceil(characters.length / count) + overlap;
  const steps = Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round((index * (characters.length - length)) / steps);
    return characters.slice(Math.max(0, start), start + length).join('');
  });
}

/** As one character a byte. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
const isOfBytes = (text: string): boolean => [...text].every((character) => character.charCodeAt(0) <= 0xff);
const hexOf = (bytes: string): string =>
  [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

const plain = (text: string): SecretForm => ({ text, isBase64: false, hasBefore: false, hasAfter: false });

/** What base64 makes of bytes that begin with the first, second or third byte of a group, as far as nothing else decides it. */
function base64Of(bytes: string): SecretForm[] {
  return [0, 1, 2].map((before) => {
    const letters = btoa('\0'.repeat(before) + bytes);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return {
      text: letters.slice(first, end),
      isBase64: true,
      hasBefore: before > 0,
      hasAfter: (before + bytes.length) % 3 > 0,
    };
  });
}

const inHtml: Readonly<Record<string, string>> = {
  '"': '&quot;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** In a quoted cell of CSV (RFC 4180, 2). */
const inTable = (text: string): string => text.replaceAll('"', '""');

/** As programs write JSON that keep to ASCII. */
const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A secret in every form that decoding what is escaped does not lead back to itself: as it is, as programs show it that take its
 * bytes for characters, in hexadecimal, and in base64 at any place of a longer text, itself or escaped before.
 */
export function formsOf(secret: string): readonly SecretForm[] {
  // What is kept escaped, such as the value of a cookie, is shown decoded.
  const decoded = [...decodings(secret, 1)].map(({ text }) => text);
  const each = decoded.filter((text, index) => index === 0 || text.length >= minEncoded);
  return each.flatMap(partsOf).flatMap((part) => {
    const text = part.toWellFormed();
    const inBytes = new Set([bytesOf(text), ...(isOfBytes(text) ? [text] : [])]);
    const asItIs = [...new Set([part, text, ...inBytes])].map(plain);
    if (text.length < minEncoded) return asItIs;
    const escapedBefore = [
      encodeURIComponent(text),
      new URLSearchParams([['', text]]).toString().slice(1),
      JSON.stringify(text).slice(1, -1),
      asciiJson(text),
      asciiJson(text).replaceAll('/', '\\/'),
      text.replaceAll(/["'&<>]/g, (sign) => inHtml[sign] ?? sign),
      inTable(text),
    ].map(bytesOf);
    const once = [...new Set([...inBytes, ...escapedBefore])].flatMap(base64Of);
    return [
      ...asItIs,
      plain(inTable(text)),
      ...[...inBytes].map((bytes) => plain(hexOf(bytes))),
      ...once,
      // What stands next to it in the inner one is not known, and so nothing but its letters is.
      ...once.flatMap((inner) => base64Of(inner.text)),
    ];
  });
}
