import { headerOf, type Header } from '../archive/headers.ts';
import {
  charsetIn,
  charsetOf,
  charsetParameter,
  charsetsOfMetas,
  type NamedCharset,
} from '../archive/named-charset.ts';
import { applyEdits } from '../localise/text-edits.ts';
import { beginsAsHtml } from './start-address.ts';

export interface Utf8Text {
  readonly body: Buffer;
  readonly headers: readonly Header[];
}

/**
 * A decoded text as the bytes that a browser gets of it, which are UTF-8. Where its header, or its own word (`meta`, XML
 * declaration, `@charset`), names a charset in which these bytes are another text, they name UTF-8.
 *
 * @param mimeType for an answer whose headers do not say what it is
 */
export function utf8Text(text: string, headers: readonly Header[], mimeType: string): Utf8Text {
  const bytes = Buffer.from(text);
  const told = headerOf(headers, 'content-type') ?? mimeType;
  // Browsers look at what no type is told of.
  const type = told === '' && beginsAsHtml(bytes) ? 'text/html' : told;
  const isMisread = (label: string): boolean => readAs(bytes, label) !== bytes.toString('utf8');
  const own = ownWordsIn(text, type);
  const wrong = own.filter(({ label }) => isMisread(label));
  const label = charsetOf(type) ?? own[0]?.label ?? charsetWithout(type);
  const body = wrong.length === 0 ? bytes : Buffer.from(applyEdits(text, wrong.map(inUtf8)));
  return { body, headers: isMisread(label) ? withType(headers, inUtf8Type(type)) : headers };
}

/** Browsers take a name that they do not know for none. */
const defaultCharset = 'windows-1252';

function readAs(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder(defaultCharset).decode(bytes);
  }
}

/** What browsers read a text in of which nothing tells the charset; JSON, XML and captions are UTF-8 then. */
function charsetWithout(type: string): string {
  return /^\s*(?:text\/(?!xml|vtt|event-stream)|application\/(?:[\w-]*(?:java|ecma)script))/i.test(type)
    ? defaultCharset
    : 'utf-8';
}

function inUtf8Type(type: string): string {
  return charsetOf(type) === undefined
    ? `${type.replace(/[\s;]+$/, '')}; charset=utf-8`
    : type.replace(charsetParameter, '; charset=utf-8');
}

function withType(headers: readonly Header[], type: string): readonly Header[] {
  const isType = ([name]: Header): boolean => name.toLowerCase() === 'content-type';
  const has = headers.some(isType);
  return has
    ? headers.map((header) => (isType(header) ? [header[0], type] : header))
    : [...headers, ['content-type', type]];
}

function inUtf8({ start, end }: NamedCharset): NamedCharset & { readonly text: string } {
  return { label: 'utf-8', start, end, text: 'utf-8' };
}

const xmlDeclaration = /^\uFEFF?\s*<\?xml\b[^>]*?\bencoding\s*=\s*(["'])([^"']+)\1/d;
const styleDeclaration = /^\uFEFF?@charset "([^"]+)"/d;

function ownWordsIn(text: string, type: string): NamedCharset[] {
  if (/css/i.test(type)) return charsetIn(styleDeclaration.exec(text), 1);
  const ofXml = /xml|html/i.test(type) ? charsetIn(xmlDeclaration.exec(text), 2) : [];
  return /html/i.test(type) ? [...ofXml, ...charsetsOfMetas(text)] : ofXml;
}
