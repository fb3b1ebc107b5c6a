import { formatNumber, formatShare, formatSigned } from '../../format/numbers.ts';
import type { PageDiagnosis, PageFlameFrame, PageFlameGraph } from '../page-data.ts';
import { exportMenu } from './export-menu.ts';
import { drawFlames } from './flame-graph.ts';
import type { FlameDatum } from './flame-graph.ts';
import { make } from './read-page.ts';
import { drawingOf, printAlone, saveSvg, svgFile, type Picture } from './save-figure.ts';

type View = 'baseline' | 'candidate' | 'difference';

/** Frames in the table of values: those in which most time was spent. */
const maxRows = 60;
/** How strongly a frame is coloured; its name must stay readable. */
const maxColourPercent = 42;

interface Whole {
  readonly baselineMs: number;
  readonly candidateMs: number;
  /** The largest difference of any frame below the root. */
  readonly maxMs: number;
}

function maxDifference([, baselineMs, candidateMs, children = []]: PageFlameFrame): number {
  return children.reduce(
    (most, child) => Math.max(most, maxDifference(child)),
    Math.abs(candidateMs - baselineMs),
  );
}

function wordsOf([name, baselineMs, candidateMs]: PageFlameFrame, whole: Whole, arms: PageDiagnosis): string {
  const share = (ms: number, ofMs: number): string => (ofMs > 0 ? ` (${formatShare(ms / ofMs)})` : '');
  return `${name}: ${formatNumber(baselineMs)} ms${share(baselineMs, whole.baselineMs)} with ${arms.baseline}, ${formatNumber(candidateMs)} ms${share(candidateMs, whole.candidateMs)} with ${arms.candidate}, ${formatSigned(candidateMs - baselineMs)} ms`;
}

/** Colours of the palette, so that the scheme may change under a graph that is drawn. */
function fillOf([name, baselineMs, candidateMs]: PageFlameFrame, view: View, { maxMs }: Whole): string {
  if (view !== 'difference') {
    // Neighbours differ a little, by their names.
    const shade = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 3;
    return `color-mix(in srgb, var(--worse) ${14 + shade * 9}%, var(--surface))`;
  }
  const ms = candidateMs - baselineMs;
  const percent = maxMs > 0 ? Math.round(maxColourPercent * Math.sqrt(Math.abs(ms) / maxMs)) : 0;
  return `color-mix(in srgb, var(--${ms > 0 ? 'worse' : 'better'}) ${percent}%, var(--sunken))`;
}

function widthOf([, baselineMs, candidateMs]: PageFlameFrame, view: View): number {
  if (view === 'difference') return baselineMs + candidateMs;
  return view === 'baseline' ? baselineMs : candidateMs;
}

function datumOf(frame: PageFlameFrame, view: View, whole: Whole, arms: PageDiagnosis): FlameDatum {
  const [name, , , callees = []] = frame;
  const children = callees
    .map((callee) => datumOf(callee, view, whole, arms))
    .filter(({ value }) => value > 0);
  // Times are rounded: what was called is never wider than what called it.
  const value = Math.max(
    widthOf(frame, view),
    children.reduce((sum, child) => sum + child.value, 0),
  );
  return { name, value, fill: fillOf(frame, view, whole), words: wordsOf(frame, whole, arms), children };
}

/** Own times of every frame name, summed over the graph, by how much they differ. */
function ownTimes(root: PageFlameFrame): readonly (readonly [string, number, number])[] {
  const times = new Map<string, [number, number]>();
  const add = ([name, baselineMs, candidateMs, children = []]: PageFlameFrame): void => {
    const [before, after] = times.get(name) ?? [0, 0];
    const own = (whole: number, arm: 1 | 2): number =>
      Math.max(0, whole - children.reduce((sum, child) => sum + child[arm], 0));
    times.set(name, [before + own(baselineMs, 1), after + own(candidateMs, 2)]);
    children.forEach(add);
  };
  add(root);
  return [...times]
    .map(([name, [before, after]]) => [name, before, after] as const)
    .toSorted((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]));
}

function menuOf(
  graph: PageFlameGraph,
  { baseline, candidate }: PageDiagnosis,
  takeaway: string,
  holder: HTMLElement,
): HTMLElement {
  const rows = (): (string | number)[][] => [
    ['own time of', `${baseline} (ms)`, `${candidate} (ms)`, 'difference (ms)'],
    ...ownTimes(graph.root)
      .slice(0, maxRows)
      .map(([name, before, after]) => [name, before, after, after - before]),
  ];
  const withPicture = (use: (svg: string, picture: Picture) => void): void => {
    const drawing = holder.querySelector('svg');
    if (drawing === null) return;
    const picture = drawingOf(drawing);
    use(svgFile(picture, { title: graph.title, takeaway, rows: rows() }), picture);
  };
  return exportMenu({
    title: graph.title,
    rows,
    picture: {
      saveSvg: () => withPicture((svg) => saveSvg(svg, 'flame-graph')),
      print: () => withPicture(printAlone),
    },
  });
}

const hint =
  'Choose a frame to zoom in, one above it to zoom out (Escape: show all). Arrow keys move from frame to frame.';

/** A flame graph of both arms: of each alone, and of their difference. */
export function flameFigure(graph: PageFlameGraph, diagnosis: PageDiagnosis): HTMLElement {
  const [, baselineMs, candidateMs] = graph.root;
  const whole = { baselineMs, candidateMs, maxMs: maxDifference(graph.root) };
  const holder = make('div', { class: 'flame-graph', role: 'group', 'aria-label': graph.title });
  const details = make('p', { class: 'flame-details', 'aria-live': 'polite' }, hint);
  const views: readonly (readonly [View, string])[] = [
    ['difference', 'Difference'],
    ['baseline', diagnosis.baseline],
    ['candidate', diagnosis.candidate],
  ];
  let shown: View = 'difference';
  let drawnPx = 0;
  const draw = (): void => {
    drawnPx = holder.clientWidth;
    if (drawnPx === 0) return;
    const place = make('div');
    holder.replaceChildren(place);
    const onSeen = (words: string): void => {
      details.textContent = words === '' ? hint : words;
    };
    drawFlames(place, datumOf(graph.root, shown, whole, diagnosis), { widthPx: drawnPx, onSeen });
  };
  const buttons: HTMLButtonElement[] = views.map(([view, name]) => {
    const button = make('button', { type: 'button', 'aria-pressed': String(view === shown) }, name);
    button.addEventListener('click', () => {
      shown = view;
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      draw();
    });
    return button;
  });
  new ResizeObserver(() => {
    if (holder.clientWidth !== drawnPx) draw();
  }).observe(holder);
  const words = `${formatNumber(baselineMs)} ms with ${diagnosis.baseline}, ${formatNumber(candidateMs)} ms with ${diagnosis.candidate}. In the difference a frame is as wide as both arms together: orange takes longer with ${diagnosis.candidate}, blue less long. Frames below ${formatShare(graph.minShare)} are part of the frame that called them.`;
  return make(
    'figure',
    { class: 'flames' },
    make('h3', {}, graph.title),
    make('figcaption', {}, words),
    make('div', { class: 'flame-views', role: 'group', 'aria-label': 'Arms' }, ...buttons),
    holder,
    details,
    menuOf(graph, diagnosis, words, holder),
  );
}
