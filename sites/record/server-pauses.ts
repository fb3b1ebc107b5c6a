/** A piece of a body: when it came, ms, and its bytes. */
export type Piece = readonly [epochMs: number, bytes: number];

export interface ReceivedBody {
  /** When the answer's headers came, ms. */
  readonly answerEpochMs: number;
  readonly pieces: readonly Piece[];
  /** Events are sent when they happen: every gap between them is the server's. */
  readonly isEventStream: boolean;
}

/** Shorter gaps are the network's, but for those of a server that sends a little at a time. */
const leastPauseMs = 100;
/** A sender waits for no acknowledgement before it has sent so much (RFC 6928, 2: ten segments), bytes. */
const initialWindowBytes = 14_600;
const leastTricklePauseMs = 20;
/** One or two such gaps may be the network's jitter. */
const leastTricklePauses = 3;
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
  const gaps: Gap[] = [];
  let beforeMs = answerEpochMs;
  let bytes = 0;
  for (const [epochMs, size] of pieces) {
    const gapMs = epochMs - beforeMs;
    const isIdle = (): boolean => othersBytes(beforeMs, epochMs) < (gapMs / 100) * idleBytesPer100Ms;
    const isGap = isEventStream ? gapMs >= leastEventPauseMs : gapMs >= leastTricklePauseMs && isIdle();
    if (isGap) gaps.push({ afterBytes: bytes, gapMs, burstBytes: bytes - (gaps.at(-1)?.afterBytes ?? 0) });
    beforeMs = epochMs;
    bytes += size;
  }
  const trickles = new Set(gaps.filter(({ burstBytes }) => burstBytes <= initialWindowBytes));
  return gaps
    .filter(
      (gap) =>
        isEventStream ||
        gap.gapMs >= leastPauseMs ||
        (trickles.has(gap) && trickles.size >= leastTricklePauses),
    )
    .map(({ afterBytes, gapMs }): [number, number] => [afterBytes, Math.round(gapMs)]);
}

interface Gap {
  readonly afterBytes: number;
  readonly gapMs: number;
  /** What came between the gap before and this one. */
  readonly burstBytes: number;
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
