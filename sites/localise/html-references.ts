import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { rewriteCss } from './css-references.ts';
import { blankImage, needsNoServer, type ReferenceUse, type RewriteReference } from './reference.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Link relations that make a browser fetch; every other fetching relation (icons, manifest, hints) is removed. */
const keptRelations: Readonly<Record<string, ReferenceUse>> = {
  stylesheet: 'style',
  preload: 'other',
  modulepreload: 'module',
};
const removedRelations =
  /^(icon|shortcut|apple-touch-icon|apple-touch-icon-precomposed|mask-icon|fluid-icon|manifest|preconnect|dns-prefetch|prefetch|prerender)$/;

/** Attributes that make a browser fetch, by element. */
const fetchingAttributes: Readonly<Record<string, readonly (readonly [string, ReferenceUse])[]>> = {
  img: [['src', 'image']],
  input: [['src', 'image']],
  source: [['src', 'other']],
  video: [
    ['src', 'other'],
    ['poster', 'image'],
  ],
  audio: [['src', 'other']],
  track: [['src', 'other']],
  embed: [['src', 'other']],
  iframe: [['src', 'frame']],
  object: [['data', 'other']],
};

const icon = '<link rel="icon" href="data:,">';

export interface HtmlRules {
  readonly rewrite: RewriteReference;
  /** Whether an inline script is removed (analytics, beacons). */
  readonly removesScript: (text: string) => boolean;
}

/**
 * Rewrites what a page makes a browser fetch and leaves every other byte as it was. Site icons are replaced by an
 * empty one: browsers differ in whether they ask for them.
 */
export function rewriteHtml(html: string, rules: HtmlRules): string {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const edits: TextEdit[] = [];
  for (const element of elementsOf(document)) edits.push(...editsOf(element, rules));
  const head = elementsOf(document).find((element) => element.tagName === 'head');
  const headStart = head?.sourceCodeLocation?.startTag?.endOffset;
  if (headStart !== undefined) edits.push({ start: headStart, end: headStart, text: icon });
  return applyEdits(html, edits);
}

function editsOf(element: Element, rules: HtmlRules): TextEdit[] {
  const styles = styleEdits(element, rules.rewrite);
  switch (element.tagName) {
    case 'link':
      return [...linkEdits(element, rules.rewrite), ...styles];
    case 'script':
      return scriptEdits(element, rules);
    case 'meta':
      return attribute(element, 'http-equiv')?.toLowerCase() === 'refresh' ? removal(element) : [];
    default: {
      const plain = (fetchingAttributes[element.tagName] ?? []).flatMap(([name, use]) =>
        attributeEdits(element, name, use, rules.rewrite),
      );
      return [...plain, ...srcsetEdits(element, rules.rewrite), ...styles];
    }
  }
}

function linkEdits(element: Element, rewrite: RewriteReference): TextEdit[] {
  const relations = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/);
  if (relations.some((relation) => removedRelations.test(relation))) return removal(element);
  const use = relations.map((relation) => keptRelations[relation]).find((found) => found !== undefined);
  const href = attribute(element, 'href');
  if (use === undefined || href === undefined || needsNoServer(href)) return [];
  return withoutIntegrity(element, 'href', href, rewrite(href, use));
}

function scriptEdits(element: Element, rules: HtmlRules): TextEdit[] {
  const src = attribute(element, 'src');
  if (src === undefined) return rules.removesScript(textOf(element)) ? removal(element) : [];
  if (needsNoServer(src)) return [];
  const use = attribute(element, 'type') === 'module' ? 'module' : 'script';
  return withoutIntegrity(element, 'src', src, rules.rewrite(src, use));
}

/** A changed file no longer matches its integrity hash, and some browsers refuse it across hosts without CORS. */
function withoutIntegrity(
  element: Element,
  name: string,
  reference: string,
  changed: string | null | undefined,
): TextEdit[] {
  if (changed === null) return removal(element);
  const edits = [setAttribute(element, name, changed ?? reference), setAttribute(element, 'integrity', null)];
  return edits.flat();
}

function attributeEdits(
  element: Element,
  name: string,
  use: ReferenceUse,
  rewrite: RewriteReference,
): TextEdit[] {
  const reference = attribute(element, name);
  if (reference === undefined || needsNoServer(reference)) return [];
  const changed = rewrite(reference, use);
  if (changed === undefined) return [];
  const blank = use === 'image' ? blankImage : use === 'frame' ? 'about:blank' : 'data:,';
  return setAttribute(element, name, changed ?? blank);
}

function srcsetEdits(element: Element, rewrite: RewriteReference): TextEdit[] {
  const srcset = attribute(element, 'srcset');
  if (srcset === undefined || !['img', 'source'].includes(element.tagName)) return [];
  const candidates = srcset.split(/,\s+/).map((candidate) => {
    const [reference = '', ...descriptor] = candidate.trim().split(/\s+/);
    if (needsNoServer(reference)) return candidate.trim();
    const changed = rewrite(reference, 'image');
    return [changed === undefined ? reference : (changed ?? blankImage), ...descriptor].join(' ');
  });
  return setAttribute(element, 'srcset', candidates.join(', '));
}

function styleEdits(element: Element, rewrite: RewriteReference): TextEdit[] {
  if (element.tagName === 'style') {
    const text = element.childNodes[0];
    const location = text?.sourceCodeLocation;
    if (text === undefined || location === null || location === undefined) return [];
    const css = textOf(element);
    return [{ start: location.startOffset, end: location.endOffset, text: rewriteCss(css, rewrite) }];
  }
  const style = attribute(element, 'style');
  if (style === undefined || !style.includes('url(')) return [];
  return setAttribute(element, 'style', rewriteCss(style, rewrite));
}

function setAttribute(element: Element, name: string, value: string | null): TextEdit[] {
  const location = element.sourceCodeLocation?.attrs?.[name];
  if (location === undefined) return [];
  const text = value === null ? '' : `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  return [{ start: location.startOffset, end: location.endOffset, text }];
}

function removal(element: Element): TextEdit[] {
  const location = element.sourceCodeLocation;
  return location ? [{ start: location.startOffset, end: location.endOffset, text: '' }] : [];
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((entry) => entry.name === name)?.value;
}

function textOf(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

function elementsOf(root: Node): Element[] {
  const found: Element[] = [];
  const visit = (node: Node): void => {
    if ('tagName' in node) found.push(node);
    if ('content' in node) visit(node.content);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(root);
  return found;
}
