import { z } from 'zod';
import type { ConnectionStart, Round, noFlightReasons } from '../../src/core/model/connection-start.ts';

/** Bits of what a packet is, as the emulator says it (`flight-log.h`). */
export const packetKinds = { up: 1, data: 2, opening: 4 } as const;

/** When it came to the link and when it left it (null: never), µs; IP bytes; bits of `packetKinds`. */
const loggedPacketSchema = z.tuple([z.number(), z.number().nullable(), z.number(), z.number()]);

/** The first packets of a connection, both ways, in the order in which they came. */
export const loggedFlowSchema = z.object({
  transport: z.enum(['tcp', 'udp']),
  clientPort: z.number(),
  serverPort: z.number(),
  /** Whether all of its packets are there. */
  isWhole: z.boolean(),
  packets: z.array(loggedPacketSchema),
});
export type LoggedFlow = z.infer<typeof loggedFlowSchema>;

/** A packet of one direction; the link's delay, rate and loss act between the two times. */
interface Packet {
  readonly cameUs: number;
  readonly leftUs: number | null;
  readonly bytes: number;
  readonly hasData: boolean;
  readonly isOpening: boolean;
}

/** The packets of a connection. */
interface BothWays {
  readonly transport: LoggedFlow['transport'];
  readonly up: readonly Packet[];
  readonly down: readonly Packet[];
}

/** One round: packets `[from, to)` of the server's, and when the client's first answer to them reached the server. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly endUs: number;
}

/** A smaller packet is a ticket or a setting, which servers send before they answer. */
const fullPacketBytes = 1000;
const burstUs = 1000;
const maxRounds = 4;
/** Of a round, the time within which a sender that waited for room sends on, and the least that it waited. */
const promptShare = 1 / 4;
const minPromptUs = 2000;
const waitShare = 1 / 16;
/** A larger packet of the client's may ask for something more; a smaller one acknowledges. */
const minRequestBytes = { tcp: 112, udp: 90 } as const;
/**
 * Both Linux and QUIC let a window grow by what is acknowledged of a flight that filled more than half of it
 * (RFC 9002, section 7.8): a round that is three times as large as all before it cannot owe its size to them.
 */
const ungrownRatio = 3;

/**
 * How the server began to answer on a connection. Its **first flight** is what it sends before the client's first
 * acknowledgement of any of it could have come back: from the first packet of the response until the first packet
 * reaches the server that the client sent after that one had reached the client. This is the initial window
 * (RFC 6928; RFC 9002, section 7.2) where the server has more to send. TCP and QUIC are treated alike, by times, sizes
 * and directions:
 *
 * - The handshake is over when data of the client reaches the server that it sent after the server's first data.
 *   QUIC's datagrams with a long header belong to it also after that.
 * - Small packets before the response, such as tickets, count where no answer to them has come yet: they take room in TCP's
 *   window, which counts packets. QUIC's counts bytes, so that only those right before the response do. Rounds of small
 *   packets alone, as on a connection that was opened beforehand, do not.
 * - Where the server sends on as soon as it hears from the client, and was asked for nothing more, its window had ended
 *   the round. Where no round ended so, the first is the least that the window can be. A later one tells only
 *   if the rounds before cannot have made it grow.
 *
 * @param flow as the link wrote it down: sizes are IP bytes
 */
export function connectionStart(flow: LoggedFlow): ConnectionStart {
  const { transport, clientPort, serverPort } = flow;
  const names = { transport, clientPort, serverPort };
  const unknown = (reason: (typeof noFlightReasons)[number]): ConnectionStart => ({
    ...names,
    firstFlight: null,
    reason,
    rounds: [],
    largestBurstBytes: null,
  });
  const up = packetsOf(flow, true);
  const down = packetsOf(flow, false);
  if (!beginsWithHandshake(flow)) return unknown('no-handshake');
  const response = responseOf(down, up);
  if (response.every(({ bytes }) => bytes < fullPacketBytes)) return unknown('no-response');
  const spans = spansOf(response, up, transport);
  const [first] = spans;
  const largestBurstBytes = largestBurst(response);
  if (first === undefined) return { ...unknown('no-answer'), largestBurstBytes };
  const windowed = spans.find(
    (span, index) =>
      endedByWindow(span, response, up, transport) && !mayHaveGrown(spans, index, response, transport),
  );
  const flight = windowed ?? first;
  const begin = spans.indexOf(flight);
  return {
    ...names,
    firstFlight: {
      ...roundOf(flight, response),
      isLeast: windowed === undefined,
      largestPacketBytes: Math.max(...response.map(({ bytes }) => bytes)),
      acknowledgedBefore: acknowledgedBefore(flight, response, { up, down, transport }),
    },
    rounds: spans.slice(begin, begin + maxRounds).map((span) => roundOf(span, response)),
    largestBurstBytes,
    ...ackDelay(response, up),
    ...(transport === 'udp' ? { unproven: unprovenBytes(down, up) } : {}),
    ...restedFlight(response, { up, down, transport }),
  };
}

/**
 * What of the server’s packets before a flight the client had acknowledged before the flight ended. A SYN adds nothing to TCP’s
 * window (RFC 5681, section 3.1); QUIC’s handshake takes room in its window like everything else.
 */
function acknowledgedBefore(
  { from, endUs }: Span,
  response: readonly Packet[],
  { up, down, transport }: BothWays,
): { packets: number; bytes: number } {
  const begunUs = response[from]?.cameUs ?? 0;
  const heard = up.filter(({ leftUs }) => leftUs !== null && leftUs < endUs);
  const lastHeardUs = Math.max(...heard.map(({ cameUs }) => cameUs));
  const acknowledged = down.filter(
    ({ cameUs, leftUs, hasData, isOpening }) =>
      hasData &&
      !(transport === 'tcp' && isOpening) &&
      cameUs < begunUs &&
      leftUs !== null &&
      leftUs <= lastHeardUs,
  );
  return { packets: acknowledged.length, bytes: bytesOf(acknowledged) };
}

const restUs = 5_000_000;

/** The first flight after a rest: from the first full packet behind it until an answer to that can have come back. */
function restedFlight(
  response: readonly Packet[],
  { up, down, transport }: BothWays,
): Pick<ConnectionStart, 'rested'> {
  const full = response.filter(({ bytes }) => bytes >= fullPacketBytes);
  const at = full.findIndex(({ cameUs }, index) => cameUs - (full[index - 1]?.cameUs ?? cameUs) >= restUs);
  const [before, first] = full.slice(Math.max(0, at - 1));
  const span = at < 1 || first === undefined ? null : spanFrom(response.indexOf(first), response, up);
  if (span === null || before === undefined) return {};
  const since = down.filter(({ cameUs }) => cameUs >= before.cameUs + restUs);
  const packets = response.slice(span.from, span.to);
  const rested = {
    ...roundOf(span, response),
    largestPacketBytes: Math.max(...packets.map(({ bytes }) => bytes)),
    largestBurstBytes: largestBurst(packets),
    acknowledgedPackets: acknowledgedBefore(span, response, { up, down: since, transport }).packets,
  };
  return { rested };
}

/** Of IPv4 and UDP. */
const datagramHeaderBytes = 28;

const datagramBytes = (packets: readonly Packet[]): number =>
  packets.reduce((sum, { bytes }) => sum + bytes - datagramHeaderBytes, 0);

/** What both sent until the server heard from the client again: only by then it knows that the client is where it says. */
function unprovenBytes(
  down: readonly Packet[],
  up: readonly Packet[],
): NonNullable<ConnectionStart['unproven']> {
  const greeted = down.find(({ leftUs }) => leftUs !== null);
  const answeredUs = answerUs(greeted, up) ?? Infinity;
  return {
    downBytes: datagramBytes(down.filter(({ cameUs }) => cameUs < answeredUs)),
    // The answer itself is no credit for what was sent before it.
    upBytes: datagramBytes(up.filter(({ leftUs }) => leftUs !== null && leftUs < answeredUs)),
  };
}

/** How late the client answers: from the first data that reached it since its last packet to its next one. */
function ackDelay(response: readonly Packet[], up: readonly Packet[]): Pick<ConnectionStart, 'ackDelayMs'> {
  const reached = response.flatMap(({ leftUs }) => leftUs ?? []).toSorted((a, b) => a - b);
  const delaysMs: number[] = [];
  let next = 0;
  for (const { cameUs } of up) {
    const [first] = reached.slice(next, next + 1);
    if (first === undefined) break;
    if (first > cameUs) continue;
    delaysMs.push((cameUs - first) / 1000);
    while ((reached[next] ?? Infinity) <= cameUs) next += 1;
  }
  const ackDelayMs = delaysMs.toSorted((a, b) => a - b)[Math.floor(delaysMs.length / 2)];
  return ackDelayMs === undefined ? {} : { ackDelayMs };
}

const bytesOf = (packets: readonly Packet[]): number => packets.reduce((sum, { bytes }) => sum + bytes, 0);

function packetsOf({ packets }: LoggedFlow, wantsUp: boolean): Packet[] {
  return packets.flatMap(([cameUs, leftUs, bytes, kind]) => {
    if (((kind & packetKinds.up) !== 0) !== wantsUp) return [];
    const hasData = (kind & packetKinds.data) !== 0;
    return [{ cameUs, leftUs, bytes, hasData, isOpening: (kind & packetKinds.opening) !== 0 }];
  });
}

function beginsWithHandshake({ packets: [first] }: LoggedFlow): boolean {
  const wanted = packetKinds.up | packetKinds.opening;
  return first !== undefined && (first[3] & wanted) === wanted;
}

/** What the server sent once the client had answered its handshake. */
function responseOf(down: readonly Packet[], up: readonly Packet[]): Packet[] {
  const greeted = down.find(({ hasData, leftUs }) => hasData && leftUs !== null);
  const answeredUs = answerUs(
    greeted,
    up.filter(({ hasData }) => hasData),
  );
  if (answeredUs === null) return [];
  return down.filter(({ hasData, isOpening, cameUs }) => hasData && !isOpening && cameUs >= answeredUs);
}

/** When the first packet reached the server that the client sent after this one had reached it; null: none did. */
function answerUs(packet: Packet | undefined, up: readonly Packet[]): number | null {
  const reachedUs = packet?.leftUs;
  if (reachedUs === undefined || reachedUs === null) return null;
  const answers = up.flatMap(({ cameUs, leftUs }) =>
    cameUs >= reachedUs && leftUs !== null ? [leftUs] : [],
  );
  return answers.length === 0 ? null : Math.min(...answers);
}

/** The rounds of a response from the first with a full packet on. */
function spansOf(
  response: readonly Packet[],
  up: readonly Packet[],
  transport: LoggedFlow['transport'],
): Span[] {
  const spans: Span[] = [];
  let from = 0;
  while (from < response.length) {
    const span = spanFrom(from, response, up);
    if (span === null) break;
    const begin = spans.length === 0 ? beginOf(span, response, transport) : span.from;
    if (begin === span.from) spans.push(span);
    from = begin === span.from ? span.to : begin;
  }
  return spans;
}

/** With which packet the first flight begins: that of this round, a later one of it, or none before the next round. */
function beginOf(span: Span, response: readonly Packet[], transport: LoggedFlow['transport']): number {
  const full = response.findIndex(({ bytes }, index) => index >= span.from && bytes >= fullPacketBytes);
  if (full === -1 || full >= span.to) return span.to;
  const begunUs = response[span.from]?.cameUs ?? 0;
  const fullUs = response[full]?.cameUs ?? 0;
  const isLate = fullUs - begunUs > promptShare * (span.endUs - begunUs);
  return transport === 'udp' && isLate ? full : span.from;
}

function spanFrom(from: number, response: readonly Packet[], up: readonly Packet[]): Span | null {
  const delivered = response.slice(from).find(({ leftUs }) => leftUs !== null);
  const endUs = answerUs(delivered, up);
  if (endUs === null) return null;
  const next = response.findIndex(({ cameUs }, index) => index > from && cameUs >= endUs);
  return { from, to: next === -1 ? response.length : next, endUs };
}

/** Whether the server waited for the client's answer and then sent on, though it was asked for nothing more. */
function endedByWindow(
  { from, to, endUs }: Span,
  response: readonly Packet[],
  up: readonly Packet[],
  transport: LoggedFlow['transport'],
): boolean {
  const begunUs = response[from]?.cameUs ?? 0;
  const lastUs = response[to - 1]?.cameUs ?? 0;
  // A small datagram may acknowledge alone.
  const minBytes = transport === 'udp' ? fullPacketBytes : 0;
  const nextUs = response.slice(to).find(({ bytes }) => bytes >= minBytes)?.cameUs;
  const roundUs = endUs - begunUs;
  if (nextUs === undefined || nextUs - endUs > Math.max(minPromptUs, promptShare * roundUs)) return false;
  if (endUs - lastUs < waitShare * roundUs) return false;
  const asks = ({ leftUs, bytes, hasData }: Packet): boolean =>
    hasData && bytes >= minRequestBytes[transport] && leftUs !== null && leftUs > lastUs && leftUs <= nextUs;
  return !up.some(asks);
}

/** In what each counts its window: Linux in packets, QUIC in bytes. */
const windowUnits = { tcp: 'packets', udp: 'bytes' } as const;

function mayHaveGrown(
  spans: readonly Span[],
  index: number,
  response: readonly Packet[],
  transport: LoggedFlow['transport'],
): boolean {
  const unit = windowUnits[transport];
  const [own = 0, ...before] = spans
    .slice(0, index + 1)
    .map((span) => roundOf(span, response)[unit])
    .toReversed();
  return ungrownRatio * Math.max(0, ...before) > own;
}

function roundOf({ from, to, endUs }: Span, response: readonly Packet[]): Round {
  const packets = response.slice(from, to);
  return {
    packets: packets.length,
    bytes: bytesOf(packets),
    durationMs: (endUs - (packets[0]?.cameUs ?? endUs)) / 1000,
  };
}

function largestBurst(response: readonly Packet[]): number {
  let largest = 0;
  let from = 0;
  let bytes = 0;
  for (const packet of response) {
    bytes += packet.bytes;
    for (let first = response[from]; first !== undefined && packet.cameUs - first.cameUs > burstUs;) {
      bytes -= first.bytes;
      from += 1;
      first = response[from];
    }
    largest = Math.max(largest, bytes);
  }
  return largest;
}
