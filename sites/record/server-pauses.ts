/** A piece of a body: when it came, ms, and its bytes. */
export type Piece = readonly [epochMs: number, bytes: number];

export interface ReceivedBody {
  /** When the answer's headers came, ms. */
  readonly answerEpochMs: number;
  readonly pieces: readonly Piece[];
  /** Events are sent when they happen: every gap between them is the server's. */
  readonly isEventStream: boolean;
}

/** Shorter gaps are the network's. */
const leastPauseMs = 100;
const leastEventPauseMs = 10;
/** What others may receive in a gap of 100 ms before the line counts as busy, bytes. */
const idleBytesPer100Ms = 10_000;

/**
 * Where each server paused within its body: after so many bytes, so many ms. A gap counts only while the line was idle:
 * when others received something meanwhile, the body had to wait for them, which is the recorder's network and must not
 * be replayed.
 */
export function serverPauses(bodies: readonly ReceivedBody[]): readonly (readonly [number, number][])[] {
  const arrivals = bodies
    .flatMap(({ pieces }, body) => pieces.map(([epochMs, bytes]) => ({ epochMs, bytes, body })))
    .sort((a, b) => a.epochMs - b.epochMs);
  return bodies.map((received, body) =>
    pausesOf(received, (from, to) => bytesOfOthers(arrivals, body, from, to)),
  );
}

function pausesOf(
  { answerEpochMs, pieces, isEventStream }: ReceivedBody,
  othersBytes: (fromMs: number, toMs: number) => number,
): [number, number][] {
  const pauses: [number, number][] = [];
  let beforeMs = answerEpochMs;
  let bytes = 0;
  for (const [epochMs, size] of pieces) {
    const gapMs = epochMs - beforeMs;
    const isIdle = (): boolean => othersBytes(beforeMs, epochMs) < (gapMs / 100) * idleBytesPer100Ms;
    if (isEventStream ? gapMs >= leastEventPauseMs : gapMs >= leastPauseMs && isIdle())
      pauses.push([bytes, Math.round(gapMs)]);
    beforeMs = epochMs;
    bytes += size;
  }
  return pauses;
}

interface Arrival {
  readonly epochMs: number;
  readonly bytes: number;
  readonly body: number;
}

function bytesOfOthers(arrivals: readonly Arrival[], body: number, fromMs: number, toMs: number): number {
  let sum = 0;
  for (let at = firstAfter(arrivals, fromMs); at < arrivals.length; at++) {
    const arrival = arrivals[at];
    if (arrival === undefined || arrival.epochMs >= toMs) break;
    if (arrival.body !== body) sum += arrival.bytes;
  }
  return sum;
}

function firstAfter(arrivals: readonly Arrival[], epochMs: number): number {
  let low = 0;
  let high = arrivals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((arrivals[middle]?.epochMs ?? Infinity) > epochMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
