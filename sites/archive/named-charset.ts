import { parse, type DefaultTreeAdapterTypes } from 'parse5';

/** The `charset` of a content type. */
export const charsetParameter = /;\s*charset\s*=\s*["']?([^\s"';]+)["']?/i;

/** The charset that a content type names; undefined where it names none. */
export function charsetOf(type: string): string | undefined {
  return charsetParameter.exec(type)?.[1];
}

/** Where a text names its charset. */
export interface NamedCharset {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** What a pattern with the flag `d` has in one of its groups. */
export function charsetIn(match: RegExpExecArray | null, group: number): NamedCharset[] {
  const [start = 0, end = 0] = match?.indices?.[group] ?? [];
  const label = match?.[group];
  return label === undefined ? [] : [{ label, start, end }];
}

const charsetAttribute = /=\s*["']?\s*([^\s"'>]+)/d;
const typeAttribute = /charset\s*=\s*["']?\s*([^\s"';>]+)/di;

/** The charsets that `meta` elements of a page name, in their order (HTML, 13.2.3.2). */
export function charsetsOfMetas(html: string): NamedCharset[] {
  const metas = elementsOf(parse(html, { sourceCodeLocationInfo: true }), 'meta');
  return metas.flatMap((meta) => {
    const isType = meta.attrs.some(
      ({ name, value }) => name === 'http-equiv' && /^content-type$/i.test(value.trim()),
    );
    return meta.attrs.flatMap(({ name }) => {
      const { startOffset = 0, endOffset = 0 } = meta.sourceCodeLocation?.attrs?.[name] ?? {};
      const source = html.slice(startOffset, endOffset);
      const place = { charset: charsetAttribute, content: isType ? typeAttribute : null }[name] ?? null;
      return charsetIn(place?.exec(source) ?? null, 1).map(({ label, start, end }) => ({
        label,
        start: startOffset + start,
        end: startOffset + end,
      }));
    });
  });
}

function elementsOf(node: DefaultTreeAdapterTypes.Node, tagName: string): DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('tagName' in next && next.tagName === tagName) found.push(next);
    if ('childNodes' in next) open.push(...next.childNodes.toReversed());
  }
  return found;
}
