import { sizeOfObject } from './object-size.ts';
import { smallestFontBytes } from './font-body.ts';
import type { BodyKind, LoadMeans, ReplicaObject } from './replica-object.ts';
import { scriptWork } from './script-work.ts';
import type { ShapeRequest, SiteShape } from './site-shape.ts';
import { documentRow, wavesOf, type Wave } from './waves.ts';

export interface ReplicaPlan {
  readonly site: string;
  /** All hosts lie below it. */
  readonly domain: string;
  readonly document: number;
  readonly hostCount: number;
  /** One for each row of the shape. */
  readonly objects: readonly ReplicaObject[];
  readonly waves: readonly Wave[];
  /** Sum of the work of all scripts. */
  readonly syntheticDelayMs: number;
}

/** Below this a PNG of one pixel does not fit; a GIF of one pixel stands in. */
const smallestPngBytes = 67;
/** An HTML body below this is no page that a frame could show: a redirect or a beacon. */
const smallestFrameBytes = 64;

/** Turns a shape into objects with a way to load each, a cause, and a wave. Nothing random is in it. */
export function planReplica(shape: SiteShape): ReplicaPlan {
  const document = documentRow(shape);
  const drafts = shape.requests.map((request, row) => draftOf(request, row, document));
  const backgrounds = backgroundRows(shape, drafts);
  const waves = wavesOf(shape, document, (row) => holdsLoad(drafts[row]) && !backgrounds.has(row));
  const waveOf = new Map(waves.flatMap((wave, index) => wave.rows.map((row) => [row, index] as const)));
  // Scripts that are fetched as data do not run.
  const scripts = drafts.filter(({ type, means }) => type === 'js' && means === 'element');
  const work = scriptWork(shape.site, scripts);
  const objects = drafts.map((draft): ReplicaObject => {
    const wave = waveOf.get(draft.row) ?? 0;
    const isPreloaded = isPreloadedFont({ shape, drafts, draft, document, wave });
    const cause = isPreloaded ? document : causeOf({ shape, drafts, row: draft.row, document, wave });
    const means = backgrounds.has(draft.row)
      ? 'style'
      : isPreloaded
        ? 'tag'
        : meansOf(draft, cause, document, wave);
    // A script that starts the next wave does so when it has arrived, not when the parser comes to it.
    const blocking = draft.blocking && !(waves[wave]?.triggers.includes(draft.row) ?? false);
    return { ...draft, means, wave, cause, blocking, workMs: work.get(draft.row) ?? 0 };
  });
  const label = shape.site.toLowerCase().replaceAll('.', '-');
  return {
    site: shape.site,
    domain: `${label}.h2h3.test`,
    document,
    hostCount: new Set(objects.map((object) => object.host)).size,
    objects,
    waves,
    syntheticDelayMs: objects.reduce((sum, { workMs }) => sum + workMs, 0),
  };
}

/** A font cannot be asked for by a sheet that was itself asked for less than this before. */
const minStyleMs = 20;

type Draft = Omit<ReplicaObject, 'wave' | 'cause' | 'workMs'>;

const endings: Readonly<Record<BodyKind, string>> = {
  html: 'html',
  css: 'css',
  js: 'js',
  json: 'json',
  svg: 'svg',
  png: 'png',
  gif: 'gif',
  ttf: 'ttf',
  bytes: 'bin',
};

function draftOf(request: ShapeRequest, row: number, document: number): Draft {
  const size = sizeOfObject(request);
  const body = bodyOf(request, size.wireBytes, size.rawBytes > size.wireBytes);
  const ending = request.type === 'video' ? 'mp4' : request.type === 'audio' ? 'mp3' : endings[body];
  return {
    row,
    type: request.type,
    host: request.host,
    path: row === document ? '/index.html' : `/${row}.${ending}`,
    // What came before the document (redirects, mostly) has no element of its own.
    means: row === document ? 'document' : row < document ? 'fetch' : 'element',
    body,
    wireBytes: size.wireBytes,
    rawBytes: size.rawBytes,
    blocking: isBlocking(request),
  };
}

function bodyOf(request: ShapeRequest, wireBytes: number, compressed: boolean): BodyKind {
  switch (request.type) {
    case 'html':
    case 'css':
    case 'js':
    case 'json':
      return request.type;
    case 'image':
      if (compressed && wireBytes >= 150) return 'svg';
      return wireBytes < smallestPngBytes ? 'gif' : 'png';
    case 'font':
      return wireBytes >= smallestFontBytes ? 'ttf' : 'bytes';
    case 'video':
    case 'audio':
    case 'other':
      return 'bytes';
  }
}

/** Chrome gives 2 or more to scripts that stop the parser (4 is first); RFC 9218 counts from 0, and leaves out its default 3. */
function isBlocking(request: ShapeRequest): boolean {
  if (request.urgency === null) return false;
  return request.type === 'js' && request.urgency !== 3 && request.urgency > 0 && request.urgency <= 2;
}

/** Objects whose end the load event waits for and which tell that they are done. */
function holdsLoad(draft: Draft | undefined): boolean {
  return draft !== undefined && isElement(draft);
}

function isElement(draft: Draft): boolean {
  if (draft.means === 'fetch') return false;
  if (draft.type === 'html') return draft.means === 'element' && draft.wireBytes >= smallestFrameBytes;
  return draft.type === 'css' || draft.type === 'js' || draft.type === 'image';
}

/** Images that a style sheet asked for and that caused nothing themselves: they become backgrounds. */
function backgroundRows(shape: SiteShape, drafts: readonly Draft[]): ReadonlySet<number> {
  const causes = new Set(shape.requests.map((request) => request.initiator));
  const rows = drafts.filter((draft) => {
    const initiator = shape.requests[draft.row]?.initiator ?? null;
    const fromStyle = initiator !== null && drafts[initiator]?.type === 'css';
    return fromStyle && draft.type === 'image' && draft.body !== 'gif' && !causes.has(draft.row);
  });
  return new Set(rows.map((draft) => draft.row));
}

interface IsPreloadedFontOptions {
  readonly shape: SiteShape;
  readonly drafts: readonly Draft[];
  readonly draft: Draft;
  readonly document: number;
  readonly wave: number;
}

/** Fonts of the first wave that started with the style sheets, not after one: the document named them itself. */
function isPreloadedFont({ shape, drafts, draft, document, wave }: IsPreloadedFontOptions): boolean {
  if (draft.body !== 'ttf' || draft.means === 'fetch' || wave !== 0) return false;
  const initiator = shape.requests[draft.row]?.initiator ?? document;
  if (initiator !== document) return false;
  const sheet = drafts.findLast(({ type, row }) => type === 'css' && row < draft.row);
  const startMs = (row: number | undefined): number => shape.requests[row ?? document]?.startMs ?? 0;
  return sheet === undefined || startMs(draft.row) - startMs(sheet.row) < minStyleMs;
}

interface CauseOfOptions {
  readonly shape: SiteShape;
  readonly drafts: readonly Draft[];
  readonly row: number;
  readonly document: number;
  readonly wave: number;
}

/** The recorded initiator; for fonts without one the last style sheet before; in the first wave the document; else none. */
function causeOf({ shape, drafts, row, document, wave }: CauseOfOptions): number | null {
  if (row === document) return null;
  const initiator = shape.requests[row]?.initiator ?? null;
  const font = drafts[row]?.body === 'ttf';
  const cause = initiator !== null && drafts[initiator]?.body === 'ttf' ? null : initiator;
  if (font && (cause === null || cause === document)) {
    const sheet = drafts.findLast((draft) => draft.type === 'css' && draft.row < row);
    return sheet?.row ?? document;
  }
  if (cause !== null && cause > document) return cause;
  return wave === 0 ? document : null;
}

function meansOf(draft: Draft, cause: number | null, document: number, wave: number): LoadMeans {
  if (draft.row === document) return 'document';
  if (draft.body === 'ttf' && draft.means !== 'fetch') return 'style';
  if (!isElement(draft)) return 'fetch';
  return cause === document && wave === 0 ? 'tag' : 'element';
}
