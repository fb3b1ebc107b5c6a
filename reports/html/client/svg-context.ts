type Matrix = readonly [number, number, number, number, number, number];

/** Centre, radius, angles, and whether it goes against the clock. */
type Arc = readonly [number, number, number, number, number, boolean?];

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** As much of a canvas's 2D context as knows how wide and high text is. */
export type TextMeasure = Pick<CanvasRenderingContext2D, 'font' | 'textBaseline' | 'measureText'>;

const round = (value: number): number => Math.round(value * 100) / 100;

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A colour without its opacity, and that opacity: SVG has an attribute for each. */
export function splitOpacity(colour: string): readonly [string, number] {
  if (colour === 'transparent') return ['none', 1];
  const [kind, ...channels] = colour.match(/^(?:rgba?|color)\(|srgb|[\d.]+%?/g) ?? [];
  if (kind === undefined || !kind.endsWith('(')) return [colour, 1];
  const isShare = channels[0] === 'srgb';
  const [red = 0, green = 0, blue = 0, opacity = 1] = channels.slice(isShare ? 1 : 0).map(parseFloat);
  const bytes = [red, green, blue].map((channel) => Math.round(isShare ? channel * 255 : channel));
  return [`rgb(${bytes.join(', ')})`, opacity];
}

const anchors: Readonly<Record<string, string>> = { center: 'middle', right: 'end', end: 'end' };

/** The fields that `save` keeps. */
const savedFields = [
  'fillStyle',
  'strokeStyle',
  'lineWidth',
  'lineDashOffset',
  'lineCap',
  'lineJoin',
  'font',
  'textAlign',
  'textBaseline',
  'globalAlpha',
  'dash',
  'matrix',
  'clips',
] as const;

/**
 * As much of a canvas context as the charts of a report use. It keeps what is drawn as SVG. Its transformations keep circles round.
 */
export class SvgContext {
  readonly canvas: HTMLCanvasElement;
  fillStyle = '#000000';
  strokeStyle = '#000000';
  lineWidth = 1;
  lineDashOffset = 0;
  lineCap = 'butt';
  lineJoin = 'miter';
  font = '10px sans-serif';
  textAlign = 'start';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  globalAlpha = 1;
  /** Kept by `save`; only the methods below change it. */
  dash: readonly number[] = [];
  matrix = identity;
  /** Ids of the shapes that cut what is drawn. */
  clips: readonly string[] = [];

  readonly #measure: TextMeasure;
  readonly #saved: Partial<SvgContext>[] = [];
  readonly #definitions: string[] = [];
  readonly #drawn: string[] = [];
  #path: string[] = [];
  /** Of the path's latest point, before the transformation. */
  #hasPoint = false;

  constructor(canvas: HTMLCanvasElement, measure: TextMeasure) {
    this.canvas = canvas;
    this.#measure = measure;
  }

  save(): void {
    this.#saved.push(Object.fromEntries(savedFields.map((name) => [name, this[name]])));
  }

  restore(): void {
    Object.assign(this, this.#saved.pop());
  }

  setTransform(...matrix: Matrix): void {
    this.matrix = matrix;
  }

  resetTransform(): void {
    this.matrix = identity;
  }

  translate(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  rotate(angle: number): void {
    const [a, b, c, d, e, f] = this.matrix;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }

  setLineDash(dash: readonly number[]): void {
    this.dash = [...dash];
  }

  getLineDash(): readonly number[] {
    return this.dash;
  }

  beginPath(): void {
    this.#path = [];
    this.#hasPoint = false;
  }

  moveTo(x: number, y: number): void {
    this.#add('M', [x, y]);
  }

  lineTo(x: number, y: number): void {
    this.#add(this.#hasPoint ? 'L' : 'M', [x, y]);
  }

  bezierCurveTo(...points: readonly number[]): void {
    this.#add('C', points);
  }

  quadraticCurveTo(...points: readonly number[]): void {
    this.#add('Q', points);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  closePath(): void {
    if (this.#path.length > 0) this.#path.push('Z');
  }

  /** In parts of less than half a turn, since an arc that ends where it begins is nothing in SVG. */
  arc(...[x, y, radius, from, to, counterclockwise = false]: Arc): void {
    const turn = 2 * Math.PI;
    const whole = counterclockwise ? from - to >= turn : to - from >= turn;
    const ahead = (((to - from) % turn) + turn) % turn;
    const sweep = whole
      ? counterclockwise
        ? -turn
        : turn
      : counterclockwise && ahead > 0
        ? ahead - turn
        : ahead;
    const parts = Math.max(1, Math.ceil(Math.abs(sweep) / 3));
    const at = (angle: number): readonly [number, number] => [
      x + radius * Math.cos(angle),
      y + radius * Math.sin(angle),
    ];
    this.lineTo(...at(from));
    const [a, b] = this.matrix;
    const scaled = round(radius * Math.hypot(a, b));
    for (let part = 1; part <= parts; part++) {
      const end = this.#transformed(...at(from + (sweep * part) / parts));
      this.#path.push(`A${scaled} ${scaled} 0 0 ${sweep < 0 ? 0 : 1} ${end}`);
    }
  }

  /** A whole one, upright. */
  ellipse(x: number, y: number, radiusX: number, radiusY: number): void {
    const [a, b] = this.matrix;
    const scale = Math.hypot(a, b);
    this.lineTo(x + radiusX, y);
    for (const side of [-1, 1])
      this.#path.push(
        `A${round(radiusX * scale)} ${round(radiusY * scale)} 0 0 1 ${this.#transformed(x + side * radiusX, y)}`,
      );
  }

  fill(rule?: string): void {
    this.#draw(`${this.#paint('fill', this.fillStyle)}${rule === 'evenodd' ? ' fill-rule="evenodd"' : ''}`);
  }

  stroke(): void {
    if (this.lineWidth <= 0) return;
    const [a, b] = this.matrix;
    const dashes = this.dash.length === 0 ? '' : ` stroke-dasharray="${this.dash.map(round).join(' ')}"`;
    const offset = this.lineDashOffset === 0 ? '' : ` stroke-dashoffset="${round(this.lineDashOffset)}"`;
    const ends = this.lineCap === 'butt' ? '' : ` stroke-linecap="${this.lineCap}"`;
    const corners = this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`;
    const width = ` stroke-width="${round(this.lineWidth * Math.hypot(a, b))}"`;
    this.#draw(
      `fill="none" ${this.#paint('stroke', this.strokeStyle)}${width}${dashes}${offset}${ends}${corners}`,
    );
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#separately(() => {
      this.rect(x, y, width, height);
      this.fill();
    });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#separately(() => {
      this.rect(x, y, width, height);
      this.stroke();
    });
  }

  /** What takes the picture draws the background. */
  clearRect(): void {
    this.#drawn.length = 0;
  }

  clip(): void {
    const id = `clip-${this.#definitions.length}`;
    this.#definitions.push(`<clipPath id="${id}"><path d="${this.#path.join('')}"/></clipPath>`);
    this.clips = [...this.clips, id];
  }

  measureText(text: string): TextMetrics {
    this.#measure.font = this.font;
    this.#measure.textBaseline = this.textBaseline;
    return this.#measure.measureText(text);
  }

  fillText(text: string, x: number, y: number): void {
    this.#text(text, x, y, this.#paint('fill', this.fillStyle));
  }

  strokeText(text: string, x: number, y: number): void {
    const paint = this.#paint('stroke', this.strokeStyle);
    this.#text(text, x, y, `fill="none" ${paint} stroke-width="${round(this.lineWidth)}"`);
  }

  /** Everything that was drawn, as the inside of an SVG of the canvas's size. */
  content(): string {
    const definitions = this.#definitions.length === 0 ? '' : `<defs>${this.#definitions.join('')}</defs>`;
    return definitions + this.#drawn.join('\n');
  }

  #transformed(x: number, y: number): string {
    const [a, b, c, d, e, f] = this.matrix;
    return `${round(a * x + c * y + e)} ${round(b * x + d * y + f)}`;
  }

  #add(letter: string, points: readonly number[]): void {
    const pairs = Array.from({ length: points.length / 2 }, (_, i) =>
      this.#transformed(points[2 * i] ?? 0, points[2 * i + 1] ?? 0),
    );
    this.#path.push(letter + pairs.join(' '));
    this.#hasPoint = true;
  }

  /** Draws a path of its own and leaves the one that was begun as it is. */
  #separately(draw: () => void): void {
    const path = this.#path;
    const hasPoint = this.#hasPoint;
    this.beginPath();
    draw();
    this.#path = path;
    this.#hasPoint = hasPoint;
  }

  #paint(what: 'fill' | 'stroke', style: string): string {
    const [colour, opacity] = splitOpacity(style);
    const all = round(opacity * this.globalAlpha);
    return `${what}="${escaped(colour)}"${all === 1 ? '' : ` ${what}-opacity="${all}"`}`;
  }

  #draw(attributes: string): void {
    if (this.#path.length > 0) this.#put(`<path d="${this.#path.join('')}" ${attributes}/>`);
  }

  #put(element: string): void {
    this.#drawn.push(this.clips.reduce((inside, id) => `<g clip-path="url(#${id})">${inside}</g>`, element));
  }

  /** SVG sets text on its line of writing: how far that is from where the canvas sets it, the font says. */
  #text(text: string, x: number, y: number, paint: string): void {
    const ascent = (baseline: CanvasTextBaseline): number => {
      this.#measure.font = this.font;
      this.#measure.textBaseline = baseline;
      return this.#measure.measureText(text).fontBoundingBoxAscent;
    };
    const down = ascent('alphabetic') - ascent(this.textBaseline);
    const [, before = '', size = '10', family = 'sans-serif'] =
      /^(.*?)([\d.]+)px(?:\/\S+)? (.*)$/.exec(this.font) ?? [];
    const weight = /\b(?:bold|[1-9]00)\b/.exec(before)?.[0];
    const anchor = anchors[this.textAlign];
    const attributes = [
      `font-family="${escaped(family)}" font-size="${size}"`,
      ...(weight === undefined ? [] : [`font-weight="${weight}"`]),
      ...(before.includes('italic') ? ['font-style="italic"'] : []),
      ...(anchor === undefined ? [] : [`text-anchor="${anchor}"`]),
      paint,
    ];
    const isTurned = this.matrix.some((value, i) => value !== identity[i]);
    const turned = isTurned
      ? ` transform="matrix(${this.matrix.map((value) => Number(value.toFixed(5))).join(' ')})"`
      : '';
    this.#put(
      `<text x="${round(x)}" y="${round(y + down)}"${turned} ${attributes.join(' ')}>${escaped(text)}</text>`,
    );
  }
}
