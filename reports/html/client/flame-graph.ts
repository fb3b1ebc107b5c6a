/** A frame as the library for flame graphs takes it. */
export interface FlameDatum {
  readonly name: string;
  /** Its width, with all that it called. */
  readonly value: number;
  readonly fill: string;
  readonly words: string;
  readonly children: readonly FlameDatum[];
}

/** As much of a selection of D3 as the library needs of its callers. */
interface Selection {
  datum(): unknown;
  datum(value: FlameDatum): Selection;
  call(draw: FlameChart): Selection;
}

/** As much of the library as is used; its own types are loose. */
interface FlameChart {
  (selection: unknown): unknown;
  width(px: number): FlameChart;
  cellHeight(px: number): FlameChart;
  minFrameSize(px: number): FlameChart;
  transitionDuration(ms: number): FlameChart;
  inverted(isRootOnTop: boolean): FlameChart;
  label(words: (placed: Placed) => string): FlameChart;
  setColorMapper(fill: (placed: Placed) => string): FlameChart;
  onClick(clicked: () => void): FlameChart;
  resetZoom(): void;
}

declare const d3: { select(element: Element): Selection };
declare const flamegraph: () => FlameChart;

const frameHeightPx = 18;
/** Narrower frames cannot be seen, and make the page slow. */
const narrowestPx = 1.5;

/** A frame as the library keeps it. */
interface Placed {
  readonly data: FlameDatum;
  readonly parent: Placed | null;
  readonly children?: readonly Placed[];
}

function placedOf(frame: Element): Placed {
  return d3.select(frame).datum() as Placed;
}

function frames(holder: HTMLElement): Map<Placed, SVGGElement> {
  return new Map(
    [...holder.querySelectorAll<SVGGElement>('g.frame')].map((frame) => [placedOf(frame), frame]),
  );
}

/** Frames are buttons with their words; one of them is reached by Tab, the others from it by arrows. */
function makeReachable(holder: HTMLElement, current: SVGGElement | undefined): void {
  const all = frames(holder);
  const first = current?.isConnected === true ? current : [...all.values()][0];
  for (const [{ data }, frame] of all) {
    frame.setAttribute('role', 'button');
    frame.setAttribute('aria-label', data.words);
    frame.setAttribute('tabindex', frame === first ? '0' : '-1');
  }
}

/** The next frame in the direction of an arrow that is on the screen. */
function neighbour(placed: Placed, key: string, shown: ReadonlyMap<Placed, SVGGElement>): Placed | undefined {
  const siblings = (placed.parent?.children ?? []).filter((placed) => shown.has(placed));
  switch (key) {
    case 'ArrowDown':
      return (placed.children ?? []).find((placed) => shown.has(placed));
    case 'ArrowUp':
      return placed.parent ?? undefined;
    case 'ArrowLeft':
      return siblings[siblings.indexOf(placed) - 1];
    case 'ArrowRight':
      return siblings[siblings.indexOf(placed) + 1];
    default:
      return undefined;
  }
}

/** Draws a graph into an empty element; `onSeen` is told the words of the frame that the reader looks at. */
export function drawFlames(
  holder: HTMLElement,
  root: FlameDatum,
  { widthPx, onSeen }: { readonly widthPx: number; readonly onSeen: (words: string) => void },
): void {
  let current: SVGGElement | undefined;
  const chart = flamegraph()
    .width(widthPx)
    .cellHeight(frameHeightPx)
    .minFrameSize(narrowestPx)
    .transitionDuration(0)
    // What is cut off below a tall graph is its narrowest end.
    .inverted(true)
    .label(({ data }: Placed) => data.words)
    .setColorMapper(({ data }: Placed) => data.fill)
    .onClick(() => makeReachable(holder, current));
  d3.select(holder).datum(root).call(chart);
  makeReachable(holder, undefined);
  holder.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof SVGGElement)) return;
    current?.setAttribute('tabindex', '-1');
    current = target;
    current.setAttribute('tabindex', '0');
    onSeen(current.getAttribute('aria-label') ?? '');
  });
  holder.addEventListener('mouseover', ({ target }) => {
    const frame = target instanceof Element ? target.closest('g.frame') : null;
    if (frame !== null) onSeen(frame.getAttribute('aria-label') ?? '');
  });
  holder.addEventListener('keydown', (event) => {
    if (current === undefined) return;
    const shown = frames(holder);
    if (event.key === 'Enter' || event.key === ' ') current.dispatchEvent(new MouseEvent('click'));
    else if (event.key === 'Escape') chart.resetZoom();
    else {
      const next = neighbour(placedOf(current), event.key, shown);
      const frame = next && shown.get(next);
      if (frame === undefined) return;
      frame.focus();
    }
    event.preventDefault();
  });
}
