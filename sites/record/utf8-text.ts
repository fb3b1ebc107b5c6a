import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { headerOf, type Header } from '../archive/headers.ts';
import { applyEdits } from '../localise/text-edits.ts';

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
  const type = headerOf(headers, 'content-type') ?? mimeType;
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

const charsetParameter = /;\s*charset\s*=\s*["']?([^\s"';]+)["']?/i;

function charsetOf(type: string): string | undefined {
  return charsetParameter.exec(type)?.[1];
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

/** Where a text names its charset. */
interface OwnWord {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

function inUtf8({ start, end }: OwnWord): OwnWord & { readonly text: string } {
  return { label: 'utf-8', start, end, text: 'utf-8' };
}

const xmlDeclaration = /^\uFEFF?\s*<\?xml\b[^>]*?\bencoding\s*=\s*(["'])([^"']+)\1/d;
const styleDeclaration = /^\uFEFF?@charset "([^"]+)"/d;

function ownWordsIn(text: string, type: string): OwnWord[] {
  if (/css/i.test(type)) return ofMatch(styleDeclaration.exec(text), 1);
  const ofXml = /xml|html/i.test(type) ? ofMatch(xmlDeclaration.exec(text), 2) : [];
  return /html/i.test(type) ? [...ofXml, ...metasIn(text)] : ofXml;
}

function ofMatch(match: RegExpExecArray | null, group: number): OwnWord[] {
  const [start = 0, end = 0] = match?.indices?.[group] ?? [];
  const label = match?.[group];
  return label === undefined ? [] : [{ label, start, end }];
}

function metasIn(html: string): OwnWord[] {
  const metas = elementsOf(parse(html, { sourceCodeLocationInfo: true }), 'meta');
  return metas.flatMap((meta) => {
    const isType = meta.attrs.some(
      ({ name, value }) => name === 'http-equiv' && /^content-type$/i.test(value.trim()),
    );
    return meta.attrs.flatMap(({ name }) => {
      const { startOffset = 0, endOffset = 0 } = meta.sourceCodeLocation?.attrs?.[name] ?? {};
      const source = html.slice(startOffset, endOffset);
      const place = { charset: charsetAttribute, content: isType ? typeAttribute : null }[name] ?? null;
      return ofMatch(place?.exec(source) ?? null, 1).map(({ label, start, end }) => ({
        label,
        start: startOffset + start,
        end: startOffset + end,
      }));
    });
  });
}

const charsetAttribute = /=\s*["']?\s*([^\s"'>]+)/d;
const typeAttribute = /charset\s*=\s*["']?\s*([^\s"';>]+)/di;

function elementsOf(node: DefaultTreeAdapterTypes.Node, tagName: string): DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('tagName' in next && next.tagName === tagName) found.push(next);
    if ('childNodes' in next) open.push(...next.childNodes.toReversed());
  }
  return found;
}
