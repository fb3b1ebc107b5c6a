/** What is kept between the two calls; nothing of it is left in the page's own scope. */
const key = Symbol.for('h2h3 shown texts');

type Shown = Text | HTMLInputElement | HTMLTextAreaElement;

/** Whose content nobody but their own document knows, or that is no text. */
const unread = 'iframe, frame, object, embed, canvas, video';

function textsBelow(root: Document | ShadowRoot, found: Shown[], opaque: Element[]): void {
  const walker = root.ownerDocument ?? root;
  const nodes = walker.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (node instanceof Text) found.push(node);
    if (!(node instanceof Element)) continue;
    if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) found.push(node);
    if (node.matches(unread)) opaque.push(node);
    if (node.shadowRoot !== null) textsBelow(node.shadowRoot, found, opaque);
    // A root that is closed to scripts cannot be read.
    else if (customElements.get(node.localName) !== undefined) opaque.push(node);
  }
}

const textOf = (shown: Shown): string => (shown instanceof Text ? shown.data : shown.value);

/** The address of the page, and every text that it shows, in its order. */
export function readShownTexts(): string {
  const found: Shown[] = [];
  const opaque: Element[] = [];
  textsBelow(document, found, opaque);
  (globalThis as unknown as Record<symbol, unknown>)[key] = { found, opaque };
  return JSON.stringify({ url: location.href, texts: found.map(textOf) });
}

/** Covers those of the texts, and what could not be read. @param places of the texts in the list that was read */
export function coverTexts(places: readonly number[]): boolean {
  const kept = (globalThis as unknown as Record<symbol, { found: Shown[]; opaque: Element[] }>)[key];
  if (kept === undefined) return false;
  for (const place of places) {
    const shown = kept.found[place];
    if (shown instanceof Text) shown.data = '█'.repeat(8);
    else if (shown !== undefined) shown.value = '';
  }
  // What styles write is no text of the page. A page's policy may forbid elements of style, and forbids no sheet of this kind.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*::before, *::after { content: none !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const element of kept.opaque)
    (element as HTMLElement).style.setProperty('visibility', 'hidden', 'important');
  return true;
}
