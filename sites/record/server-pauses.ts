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
const minPauseMs = 100;
/** A sender waits for no acknowledgement before it has sent so much (RFC 6928, 2: ten segments), bytes. */
const initialWindowBytes = 14_600;
const minTricklePauseMs = 20;
/** One or two such gaps may be the network's jitter. */
const minTricklePauses = 3;
/** What a server has of so little is sent at once: what comes later was not there, however busy the line was. One segment, bytes. */
const segmentBytes = 1_460;
const minEventPauseMs = 10;
/** What others may receive in a gap of 100 ms before the line counts as busy, bytes. */
const idleBytesPer100Ms = 10_000;

/**
 * Where each server paused within its body: after so many bytes, so many ms. A gap of a body that comes in larger pieces
 * counts only while the line was idle: when others received something meanwhile, the body had to wait for them, which is
 * the recorder's network and must not be replayed.
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
    if (gapMs >= (isEventStream ? minEventPauseMs : minTricklePauseMs)) {
      const othersPer100Ms = (othersBytes(beforeMs, epochMs) / gapMs) * 100;
      gaps.push({ afterBytes: bytes, gapMs, isIdle: othersPer100Ms < idleBytesPer100Ms });
    }
    beforeMs = epochMs;
    bytes += size;
  }
  const trickles = isEventStream ? new Set(gaps) : tricklesOf(gaps, bytes);
  return gaps
    .filter((gap) => trickles.has(gap) || (gap.isIdle && gap.gapMs >= minPauseMs))
    .map(({ afterBytes, gapMs }): [number, number] => [afterBytes, Math.round(gapMs)]);
}

/** The gaps of a server that sends a little at a time; none where there are few. */
function tricklesOf(gaps: readonly Gap[], bodyBytes: number): ReadonlySet<Gap> {
  let beforeBytes = 0;
  let beforeIdleBytes = 0;
  const trickles = gaps.filter(({ afterBytes, isIdle }, index) => {
    const burstBytes = afterBytes - beforeBytes;
    const nextBytes = (gaps[index + 1]?.afterBytes ?? bodyBytes) - afterBytes;
    const isSmall = Math.max(burstBytes, nextBytes) <= segmentBytes;
    const isUnasked = isIdle && afterBytes - beforeIdleBytes <= initialWindowBytes;
    beforeBytes = afterBytes;
    if (isIdle) beforeIdleBytes = afterBytes;
    return isSmall || isUnasked;
  });
  return new Set(trickles.length < minTricklePauses ? [] : trickles);
}

interface Gap {
  readonly afterBytes: number;
  readonly gapMs: number;
  /** Whether others received next to nothing meanwhile. */
  readonly isIdle: boolean;
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
