import type { Chart as ChartClass, ChartConfiguration, Plugin } from 'chart.js';
import type { Verdict } from '../../../src/core/model/summary.ts';
import { verdictSigns } from '../../format/verdict-words.ts';
import { afterPaint } from './after-paint.ts';
import { savePng } from './copy.ts';
import { exportMenu } from './export-menu.ts';
import { make } from './read-page.ts';
import { printAlone, printsFigure, saveSvg, svgFile, type Picture } from './save-figure.ts';
import { SvgContext } from './svg-context.ts';
import { colour, onThemeChange } from './theme.ts';

declare const Chart: typeof ChartClass;

/** What a box-and-whisker item of the plug-in holds; it is not typed by Chart.js itself. */
export type AnyConfiguration = ChartConfiguration<'line' | 'bar', unknown[], string>;

/** One plot with its sentence and its numbers. */
export interface FigureSpec {
  readonly title: string;
  readonly takeaway: string;
  /** Verdict whose sign stands before the title. */
  readonly sign?: Verdict;
  readonly heightPx: number;
  /** Made anew at each drawing, with the colours of the moment. */
  readonly chartConfiguration: () => AnyConfiguration;
  /** The numbers behind the plot; the first row is the head. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly fileName: string;
}

interface Drawing {
  readonly spec: FigureSpec;
  readonly canvas: HTMLCanvasElement;
  chart: ChartClass | null;
  /** Near the screen, so that it has to show what is true now. */
  isNear: boolean;
  /** Not drawn yet, or in colours that the page no longer has. */
  isDue: boolean;
}

const drawings = new Map<Element, Drawing>();

function draw(drawing: Drawing): void {
  drawing.chart?.destroy();
  Chart.defaults.color = colour('soft');
  Chart.defaults.borderColor = colour('grid');
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawing.chart = new Chart(
    drawing.canvas,
    drawing.spec.chartConfiguration() as unknown as ChartConfiguration,
  );
  drawing.canvas.dataset['drawn'] = 'true';
  drawing.isDue = false;
}

/** Charts that are near the screen and have to be drawn. */
const waiting: Drawing[] = [];

/** Draws one chart, and the others with the frames to come: several at once would hold up the next paint. */
function drawNext(): void {
  const drawing = waiting.shift();
  if (drawing?.isDue === true && drawing.canvas.isConnected) draw(drawing);
  if (waiting.length > 0) afterPaint(drawNext);
}

function drawSoon(due: readonly Drawing[]): void {
  const isIdle = waiting.length === 0;
  waiting.push(...due.filter((drawing) => drawing.isNear && drawing.isDue && !waiting.includes(drawing)));
  if (isIdle && waiting.length > 0) afterPaint(drawNext);
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const drawing = drawings.get(target);
      if (drawing === undefined) continue;
      drawing.isNear = isIntersecting;
      drawSoon([drawing]);
    }
  },
  { rootMargin: '300px' },
);

/** The chart as it stands on the page, drawn once more as SVG. */
function pictureOf({ spec, canvas }: Drawing): Picture {
  const { clientWidth: widthPx, clientHeight: heightPx } = canvas;
  const measure = make('canvas').getContext('2d');
  if (measure === null) throw new Error('this browser has no canvas');
  const copy = make('canvas', { width: String(widthPx), height: String(heightPx) });
  const context = new SvgContext(copy, measure);
  copy.getContext = (() => context) as unknown as typeof copy.getContext;
  const { options, data, ...rest } = spec.chartConfiguration() as unknown as ChartConfiguration;
  // Lines that may be styled by parts are drawn point by point, all others as a whole that no context can read.
  const datasets = data.datasets.map((dataset) => ({ ...dataset, segment: {} }));
  const still: ChartConfiguration['options'] = {
    responsive: false,
    animation: false,
    events: [],
    devicePixelRatio: 1,
  };
  const chart = new Chart(copy, {
    ...rest,
    data: { ...data, datasets } as ChartConfiguration['data'],
    options: { ...options, ...still },
  });
  const content = context.content();
  chart.destroy();
  return { widthPx, heightPx, content };
}

function menuOf(spec: FigureSpec, drawing: Drawing): HTMLElement {
  const { title, rows, fileName } = spec;
  const drawn = (): Drawing => {
    if (drawing.isDue) draw(drawing);
    return drawing;
  };
  return exportMenu({
    title,
    rows: () => rows,
    picture: {
      savePng: () => savePng(drawn().canvas, colour('surface'), fileName),
      saveSvg: () => saveSvg(svgFile(pictureOf(drawn()), spec), fileName),
      print: () => {
        const picture = pictureOf(drawn());
        printAlone(svgFile(picture, spec), picture);
      },
    },
  });
}

function signOf({ sign }: FigureSpec): Node[] {
  if (sign === undefined) return [];
  return [make('span', { class: `sign v-${sign}`, 'aria-hidden': 'true' }, `${verdictSigns[sign]} `)];
}

/** A figure whose chart is drawn when it comes near the screen. */
export function figure(spec: FigureSpec): HTMLElement {
  const canvas = make('canvas', { role: 'img', 'aria-label': `${spec.title}. ${spec.takeaway}` });
  const chart = make('div', { class: 'chart' }, canvas);
  chart.style.height = `${spec.heightPx}px`;
  const drawing: Drawing = { spec, canvas, chart: null, isNear: false, isDue: true };
  drawings.set(chart, drawing);
  seen.observe(chart);
  return make(
    'figure',
    {},
    make('h3', {}, ...signOf(spec), spec.title),
    make('figcaption', {}, spec.takeaway),
    chart,
    menuOf(spec, drawing),
  );
}

/** Takes figures out of the page and frees their charts. */
export function removeFigures(holder: Element): void {
  for (const chart of holder.querySelectorAll('.chart')) {
    seen.unobserve(chart);
    drawings.get(chart)?.chart?.destroy();
    drawings.delete(chart);
  }
  holder.replaceChildren();
}

/** Redraws what is near the screen when colours change, and draws everything before print. */
export function startFigures(): void {
  onThemeChange(() => {
    for (const drawing of drawings.values()) drawing.isDue = true;
    drawSoon([...drawings.values()]);
  });
  addEventListener('beforeprint', () => {
    if (printsFigure()) return;
    for (const drawing of drawings.values()) draw(drawing);
  });
}

/** A line at `at` and a band from `low` to `high` on the x axis, behind the data. */
export function referencePlugin(id: string, at: number, low: number, high: number): Plugin {
  return {
    id,
    beforeDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const x = scales['x'];
      if (x === undefined) return;
      const clamp = (pixel: number): number => Math.max(chartArea.left, Math.min(chartArea.right, pixel));
      const left = clamp(x.getPixelForValue(low));
      const right = clamp(x.getPixelForValue(high));
      ctx.save();
      ctx.fillStyle = colour('band');
      ctx.fillRect(left, chartArea.top, right - left, chartArea.height);
      ctx.strokeStyle = colour('soft');
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      ctx.moveTo(clamp(x.getPixelForValue(at)), chartArea.top);
      ctx.lineTo(clamp(x.getPixelForValue(at)), chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
}
