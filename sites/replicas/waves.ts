import type { ShapeRequest, SiteShape } from './site-shape.ts';

/** A pause of this length in the recorded starts separates two waves. */
const shortestPauseMs = 50;
/** The longest pauses win: a page does not wait for its server more often than this in a row. */
const mostWaves = 12;
/** What stands for the execution of the script that asks for the next wave: a share of the pause, and a cap. */
const spinShareOfPause = 0.02;
const longestSpinMs = 5;

export interface Wave {
  /** Rows of the wave, in order of start. */
  readonly rows: readonly number[];
  /** Row whose completion lets the next wave start; null in the last one. */
  readonly trigger: number | null;
  /** Blocking work between the trigger's completion and the next wave. */
  readonly spinMs: number;
}

/** Row of the document: the first HTML with content on the first host, else the first HTML. */
export function documentRow(shape: SiteShape): number {
  const isDocument = (request: ShapeRequest): boolean =>
    request.type === 'html' && (request.rawBytes ?? 0) >= 500;
  const own = shape.requests.findIndex((request) => isDocument(request) && request.host === 0);
  if (own >= 0) return own;
  const any = shape.requests.findIndex(isDocument);
  return any >= 0 ? any : shape.requests.findIndex((request) => request.type === 'html');
}

/**
 * Cuts the requests after the document into waves at the longest pauses of the recorded starts. A wave ends with a
 * request whose end the page can wait for without losing its load event (`holdsLoad`); one without such a request is
 * joined to the next.
 */
export function wavesOf(
  shape: SiteShape,
  document: number,
  holdsLoad: (row: number) => boolean,
): readonly Wave[] {
  const rows = shape.requests.map((_, row) => row).filter((row) => row !== document);
  const cuts = new Set(
    longestPauses(
      shape,
      rows.filter((row) => row > document),
    ),
  );
  const waves: Wave[] = [];
  let present: number[] = [];
  rows.forEach((row, position) => {
    present.push(row);
    const next = rows[position + 1];
    if (next === undefined) {
      waves.push({ rows: present, trigger: null, spinMs: 0 });
    } else if (cuts.has(row)) {
      const trigger = triggerOf(shape, present, next, holdsLoad);
      if (trigger === null) return;
      const pauseMs = (shape.requests[next]?.startMs ?? 0) - (shape.requests[row]?.startMs ?? 0);
      waves.push({
        rows: present,
        trigger,
        spinMs: Math.min(longestSpinMs, Math.round(pauseMs * spinShareOfPause)),
      });
      present = [];
    }
  });
  return waves;
}

/** Rows after which the longest pauses lie. */
function longestPauses(shape: SiteShape, rows: readonly number[]): number[] {
  const startMs = (row: number | undefined): number => shape.requests[row ?? 0]?.startMs ?? 0;
  const pauses = rows.slice(1).map((row, position) => {
    const before = rows[position] ?? row;
    return { before, ms: startMs(row) - startMs(before) };
  });
  return pauses
    .filter((pause) => pause.ms >= shortestPauseMs)
    .sort((a, b) => b.ms - a.ms || a.before - b.before)
    .slice(0, mostWaves - 1)
    .map((pause) => pause.before);
}

/** The recorded initiator of the next wave if it lies in this one, else its last script, else its last request. */
function triggerOf(
  shape: SiteShape,
  rows: readonly number[],
  next: number,
  holdsLoad: (row: number) => boolean,
): number | null {
  const eligible = rows.filter(holdsLoad);
  const initiator = shape.requests[next]?.initiator ?? null;
  if (initiator !== null && eligible.includes(initiator)) return initiator;
  const scripts = eligible.filter((row) => shape.requests[row]?.type === 'js');
  return scripts.at(-1) ?? eligible.at(-1) ?? null;
}
