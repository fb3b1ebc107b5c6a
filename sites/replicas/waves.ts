import type { ShapeRequest, SiteShape } from './site-shape.ts';

/** Shorter pauses in the recorded starts separate no waves. */
const minPauseMs = 20;
/** More would make the page wait for its server more often in a row than pages do. */
const maxWaves = 16;
/** Smaller waves would turn stragglers, each from a cause of its own, into a chain. */
const minWaveRows = 4;
/** The next wave waits for each request that caused at least this share of it. */
const triggerShare = 0.1;

export interface Wave {
  /** Rows of the wave, in order of start. */
  readonly rows: readonly number[];
  /** Rows that must be done for the next wave to start; none in the last one. */
  readonly triggers: readonly number[];
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
 * Cuts the requests after the document into waves at pauses of the recorded starts. A wave ends with a
 * request whose end the page can wait for without losing its load event (`holdsLoad`); one without such a request is
 * joined to the next.
 */
export function wavesOf(
  shape: SiteShape,
  document: number,
  holdsLoad: (row: number) => boolean,
): readonly Wave[] {
  const rows = shape.requests.map((_, row) => row).filter((row) => row !== document);
  const cuts = cutsBetween(
    shape,
    rows.filter((row) => row > document),
  );
  const waves: Wave[] = [];
  let present: number[] = [];
  rows.forEach((row, position) => {
    present.push(row);
    const next = rows[position + 1];
    if (next === undefined) {
      waves.push({ rows: present, triggers: [] });
    } else if (cuts.has(row)) {
      const nextCut = rows.findIndex((later, index) => index > position && cuts.has(later));
      const following = rows.slice(position + 1, nextCut < 0 ? undefined : nextCut + 1);
      const triggers = triggersOf(shape, present.filter(holdsLoad), following);
      if (triggers.length === 0) return;
      waves.push({ rows: present, triggers });
      present = [];
    }
  });
  return waves;
}

/**
 * Rows after which a wave ends. The part whose cut scores best is cut again and again: a long pause with many requests
 * on both sides says more about the page than one before a late straggler.
 */
function cutsBetween(shape: SiteShape, rows: readonly number[]): ReadonlySet<number> {
  const cuts = new Set<number>();
  let parts = [rows];
  while (cuts.size < maxWaves - 1) {
    const best = parts
      .map((part) => bestCut(shape, part))
      .filter((cut) => cut !== null)
      .sort((a, b) => b.score - a.score)[0];
    if (best === undefined) break;
    cuts.add(best.before);
    parts = parts.flatMap((part) =>
      part.includes(best.before)
        ? [part.filter((row) => row <= best.before), part.filter((row) => row > best.before)]
        : [part],
    );
  }
  return cuts;
}

function bestCut(shape: SiteShape, part: readonly number[]): { before: number; score: number } | null {
  let best: { before: number; score: number } | null = null;
  for (const [index, row] of part.entries()) {
    const next = part[index + 1];
    if (next === undefined) break;
    const pauseMs = pauseBetween(shape, row, next);
    const score = pauseMs * Math.min(index + 1, part.length - index - 1);
    const isWave = Math.min(index + 1, part.length - index - 1) >= minWaveRows;
    if (isWave && pauseMs >= minPauseMs && score > (best?.score ?? 0)) best = { before: row, score };
  }
  return best;
}

function pauseBetween(shape: SiteShape, row: number, next: number): number {
  return (shape.requests[next]?.startMs ?? 0) - (shape.requests[row]?.startMs ?? 0);
}

/** Of `eligible` those that caused a good part of the next wave, else the last script, else the last. */
function triggersOf(
  shape: SiteShape,
  eligible: readonly number[],
  following: readonly number[],
): readonly number[] {
  const initiators = following.map((row) => shape.requests[row]?.initiator ?? null);
  const causedBy = (row: number): number => initiators.filter((initiator) => initiator === row).length;
  const causes = eligible.filter((row) => causedBy(row) >= following.length * triggerShare);
  if (causes.length > 0) return causes;
  const last = eligible.findLast((row) => shape.requests[row]?.type === 'js') ?? eligible.at(-1);
  return last === undefined ? [] : [last];
}
