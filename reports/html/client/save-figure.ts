import { csvOf } from './copy.ts';
import { make } from './read-page.ts';
import { escaped, splitOpacity } from './svg-context.ts';
import { colour } from './theme.ts';

/** A figure as it leaves the page. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Elements of SVG. */
  readonly content: string;
}

/** What a file of it says of itself. */
export interface PictureWords {
  readonly title: string;
  readonly takeaway: string;
  /** The numbers behind it; the first row is the head. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A file of SVG on a ground of its own, with its sentence, and its numbers as CSV in its metadata. */
export function svgFile(
  { widthPx, heightPx, content }: Picture,
  { title, takeaway, rows }: PictureWords,
): string {
  const size = `width="${widthPx}" height="${heightPx}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${widthPx} ${heightPx}" role="img">`,
    `<title>${escaped(title)}</title><desc>${escaped(takeaway)}</desc>`,
    `<metadata><data xmlns="https://www.rfc-editor.org/rfc/rfc4180">${escaped(csvOf(rows))}</data></metadata>`,
    `<rect ${size} fill="${escaped(splitOpacity(colour('surface'))[0])}"/>`,
    content,
    '</svg>',
    '',
  ].join('\n');
}

export function saveSvg(svg: string, name: string): void {
  const href = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  make('a', { href, download: `${name}.svg` }).click();
  // The browser has taken it by the next task.
  setTimeout(() => URL.revokeObjectURL(href));
}

/** Opens the print dialog for this figure alone, on a page of its size: its PDF has lines and letters, not dots. */
export function printAlone(svg: string, { widthPx, heightPx }: Picture): void {
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const holder = make('div', { class: 'printed-figure' }, documentElement);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${widthPx}px ${heightPx}px; margin: 0; }`);
  document.adoptedStyleSheets.push(sheet);
  document.body.append(holder);
  document.body.classList.add('prints-figure');
  const end = (): void => {
    document.body.classList.remove('prints-figure');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    holder.remove();
  };
  addEventListener('afterprint', end, { once: true });
  print();
}

/** Whether one figure is being printed, and the page is not. */
export function printsFigure(): boolean {
  return document.body.classList.contains('prints-figure');
}

/** An opacity before its colour, which may have one of its own. */
const properties = [
  'fill-opacity',
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

function asDrawn(element: Element): void {
  const style = getComputedStyle(element);
  for (const name of properties) {
    const value = style.getPropertyValue(name);
    if (value === '') continue;
    const isColour = name === 'fill' || name === 'stroke';
    const [plain, opacity] = isColour && value !== 'none' ? splitOpacity(value) : [value, 1];
    element.setAttribute(name, plain);
    if (opacity < 1) element.setAttribute(`${name}-opacity`, String(opacity));
  }
}

/** Roughly, of a letter of the page. */
const letterWidthShare = 0.55;

/** A label of HTML as text, cut to its room: programs for pictures know no HTML. */
function asText(label: Element): Element | null {
  const { fontSize, color, fontFamily } = getComputedStyle(label.firstElementChild ?? label);
  const sizePx = parseFloat(fontSize);
  const room = Math.floor(Number(label.getAttribute('width')) / (sizePx * letterWidthShare));
  const words = label.textContent.trim();
  if (room < 3 || words === '') return null;
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.textContent = words.length > room ? `${words.slice(0, room - 1)}…` : words;
  text.setAttribute('x', '4');
  text.setAttribute('y', String(Number(label.getAttribute('height')) / 2 + sizePx * 0.35));
  text.setAttribute('fill', splitOpacity(color)[0]);
  text.setAttribute('font-family', fontFamily);
  text.setAttribute('font-size', fontSize);
  return text;
}

/** A drawing of the page with the colours and letters that its style sheets give it. */
export function drawingOf(drawing: SVGSVGElement): Picture {
  const { width, height } = drawing.getBoundingClientRect();
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  // Styles are known of what is on the page only.
  const shelf = make('div', { class: 'sr' }, copy);
  drawing.parentElement?.append(shelf);
  for (const label of copy.querySelectorAll('foreignObject')) {
    const text = asText(label);
    if (text === null) label.remove();
    else label.replaceWith(text);
  }
  for (const element of [copy, ...copy.querySelectorAll('g, rect, path, circle, line, text')]) {
    if (element !== copy && element.tagName !== 'g') asDrawn(element);
    for (const name of ['class', 'style', 'tabindex', 'role', 'aria-label', 'name'])
      element.removeAttribute(name);
  }
  shelf.remove();
  const content = new XMLSerializer().serializeToString(copy);
  return { widthPx: Math.ceil(width), heightPx: Math.ceil(height), content };
}
