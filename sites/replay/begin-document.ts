import { parse } from 'parse5';
import { charsetOf, charsetsOfMetas } from '../archive/named-charset.ts';

/** A document of a site with a script of ours in it. */
export interface BegunDocument {
  readonly body: Buffer;
  /**
   * Encoding that the document says of itself, in a place that the script may have moved out of a browser's sight (HTML,
   * 13.2.3.2: its first 1024 bytes); undefined where that decides nothing.
   */
  readonly charset: string | undefined;
}

const xmlType = /^\s*(?:application\/xhtml\+xml|(?:text|application)\/xml)\s*(?:;|$)/i;

/** Start tags come early; what is longer before them is not looked through. */
const headCharacters = 65_536;

/**
 * Puts a script in front of all others of a document, behind what its parser must meet first: byte order mark, XML
 * declaration, doctype, and the root's start tag. Null where the document is no page.
 *
 * @param type its `content-type`
 * @param source script without `</script`
 */
export function beginDocument(document: Buffer, type: string, source: string): BegunDocument | null {
  if (document.length === 0) return null;
  const isXml = xmlType.test(type);
  const told = charsetOf(type);
  const wide = wideEncoding(document, told);
  const text = textOf(document.subarray(0, headCharacters), wide);
  const mark = /^(?:\uFEFF|\xef\xbb\xbf)/.exec(text)?.[0].length ?? 0;
  const place = (isXml ? placeInXml : placeInHtml)(text.slice(mark));
  if (place === null) return null;
  const element = isXml
    ? `<script xmlns="http://www.w3.org/1999/xhtml">${escapedXml(source)}</script>`
    : `<script>${source}</script>`;
  const at = (mark + place) * (wide === null ? 1 : 2);
  const isOpen = told === undefined && mark === 0 && !isXml;
  return {
    body: Buffer.concat([document.subarray(0, at), bytesOf(element, wide), document.subarray(at)]),
    charset: isOpen ? ownCharset(text.slice(0, prescanBytes)) : undefined,
  };
}

type WideEncoding = 'utf-16le' | 'utf-16be';

/** UTF-16 by a document's byte order mark, which goes before its header (HTML, 13.2.3.2); null: another encoding. */
function wideEncoding(document: Buffer, told: string | undefined): WideEncoding | null {
  const [first, second] = document;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const hasUtf8Mark = first === 0xef && second === 0xbb;
  const known = told === undefined || hasUtf8Mark ? null : encodingOf(told);
  return known === 'utf-16le' || known === 'utf-16be' ? known : null;
}

/** The name of the encoding that browsers know by a label; null where they know none. */
function encodingOf(label: string): string | null {
  if (/^x-user-defined$/i.test(label)) return 'x-user-defined';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Browsers look for a page's own word on its encoding no further. */
const prescanBytes = 1024;

/** The first encoding that a `meta` element names and browsers know. */
function ownCharset(text: string): string | undefined {
  const known = charsetsOfMetas(text)
    .map(({ label }) => encodingOf(label))
    .find((encoding) => encoding !== null);
  // What was read so far as ASCII is not UTF-16, and `x-user-defined` counts for scripts alone.
  if (known?.startsWith('utf-16') === true) return 'utf-8';
  return known === 'x-user-defined' ? 'windows-1252' : known;
}

/** A character for each byte, or for each two of UTF-16; all other encodings of the Web write tags as ASCII does. */
function textOf(bytes: Buffer, wide: WideEncoding | null): string {
  if (wide === null) return bytes.toString('latin1');
  return wide === 'utf-16le' ? bytes.toString('utf16le') : swapped(bytes).toString('utf16le');
}

function bytesOf(text: string, wide: WideEncoding | null): Buffer {
  if (wide === null) return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return wide === 'utf-16le' ? bytes : swapped(bytes);
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

function placeInHtml(text: string): number {
  const { childNodes } = parse(text, { sourceCodeLocationInfo: true });
  const html = childNodes.find((node) => 'tagName' in node);
  const head = html?.childNodes.find((node) => 'tagName' in node && node.tagName === 'head');
  const doctype = childNodes.find(({ nodeName }) => nodeName === '#documentType');
  const startOf = (node: typeof html | typeof head): number | undefined =>
    node !== undefined && 'tagName' in node ? node.sourceCodeLocation?.startTag?.endOffset : undefined;
  return startOf(head) ?? startOf(html) ?? doctype?.sourceCodeLocation?.endOffset ?? 0;
}

const attributeText = String.raw`"[^"]*"|'[^']*'`;
/** XML 1.0, productions 22 and 28, and the start tag of XHTML's root, with a prefix or without. */
const xmlBeforeContent = new RegExp(
  [
    String.raw`^(?:\s|<\?(?:(?!\?>)[^])*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE(?:${attributeText}|\[[^\]]*\]|[^"'[>])*>)*`,
    String.raw`<(?:[\w.-]+:)?html(?=[\s/>])(?:${attributeText}|[^"'/>])*>`,
  ].join(''),
);

function placeInXml(text: string): number | null {
  return xmlBeforeContent.exec(text)?.[0].length ?? null;
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapedXml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => references[character] ?? character);
}
