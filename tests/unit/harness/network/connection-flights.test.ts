import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connectionStart,
  packetKinds,
  type LoggedFlow,
} from '../../../../harness/network/connection-flights.ts';

type Packet = LoggedFlow['packets'][number];

const { up, data, opening } = packetKinds;
const oneWayUs = 10_000;
const roundTripUs = 2 * oneWayUs;
const fullBytes = { tcp: 1500, udp: 1280 } as const;
const ackBytes = { tcp: 52, udp: 70 } as const;

/** A packet that came at some time and left a one-way delay later. */
const crossing = (cameUs: number, bytes: number, kind: number): Packet => [
  cameUs,
  cameUs + oneWayUs,
  bytes,
  kind,
];

/** TCP's handshake and TLS 1.3's, or QUIC's; the request reaches the server when it is over. */
function handshake(transport: 'tcp' | 'udp'): Packet[] {
  if (transport === 'udp')
    return [
      crossing(0, 1278, up | data | opening),
      crossing(10_000, 1280, data | opening),
      crossing(10_050, 1100, data | opening),
      crossing(20_100, 400, up | data),
    ];
  return [
    crossing(0, 60, up | opening),
    crossing(10_000, 60, opening),
    crossing(20_000, 52, up),
    crossing(20_010, 600, up | data),
    crossing(30_010, 1500, data),
    crossing(30_020, 1500, data),
    crossing(40_030, 52, up),
    crossing(40_100, 400, up | data),
  ];
}

/** What of it the server has acknowledged; TCP’s SYN lets no window grow. */
const handshakePackets = { tcp: { packets: 2, bytes: 3000 }, udp: { packets: 2, bytes: 2380 } } as const;

/** When the server has the request. */
const requestUs = (transport: 'tcp' | 'udp'): number => (transport === 'udp' ? 30_100 : 50_100);

interface Sender {
  readonly transport: 'tcp' | 'udp';
  readonly windowPackets: number;
  readonly responsePackets: number;
  /** Between packets of a round, µs. */
  readonly gapUs?: number;
}

/** A server in slow start, whose client acknowledges every packet. */
function served({ transport, windowPackets, responsePackets, gapUs = 5 }: Sender): LoggedFlow {
  const packets = handshake(transport);
  let left = responsePackets;
  let startUs = requestUs(transport);
  for (let room = windowPackets; left > 0; room *= 2, startUs += roundTripUs) {
    const sent = Math.min(room, left);
    for (let index = 0; index < sent; index++) {
      const sentUs = startUs + index * gapUs;
      packets.push(crossing(sentUs, fullBytes[transport], data));
      const kind = transport === 'udp' ? up | data : up;
      packets.push(crossing(sentUs + oneWayUs, ackBytes[transport], kind));
    }
    left -= sent;
  }
  return flowOf(transport, packets);
}

const flowOf = (transport: 'tcp' | 'udp', packets: readonly Packet[]): LoggedFlow => ({
  transport,
  clientPort: 50_000,
  serverPort: 443,
  isWhole: true,
  packets: packets.toSorted(([a], [b]) => a - b),
});

test('the first flight is the initial window, of TCP and QUIC alike', () => {
  for (const [transport, windowPackets] of [
    ['tcp', 10],
    ['tcp', 32],
    ['udp', 10],
    ['udp', 32],
  ] as const) {
    const { firstFlight, rounds } = connectionStart(
      served({ transport, windowPackets, responsePackets: 300 }),
    );
    assert.deepEqual(
      firstFlight,
      {
        packets: windowPackets,
        bytes: windowPackets * fullBytes[transport],
        durationMs: roundTripUs / 1000,
        isLeast: false,
        largestPacketBytes: fullBytes[transport],
        acknowledgedBefore: handshakePackets[transport],
      },
      `${transport} ${windowPackets}`,
    );
    assert.deepEqual(
      rounds.map(({ packets }) => packets),
      windowPackets === 10 ? [10, 20, 40, 80] : [32, 64, 128, 76],
    );
  }
});

test('what the server had acknowledged before its first flight ended is told, and nothing that the client may not have had', () => {
  const { packets, ...flow } = served({ transport: 'tcp', windowPackets: 10, responsePackets: 100 });
  const before = (those: readonly Packet[]) =>
    connectionStart(flowOf('tcp', those)).firstFlight?.acknowledgedBefore;
  // Sent right before the response, it is acknowledged when the flight is over.
  const ticket = crossing(requestUs('tcp') - 1, 300, data);
  assert.deepEqual(before([...packets, ticket]), { packets: 2, bytes: 3000 });
  // Sent earlier, it is acknowledged while the flight leaves, and lets the window grow for its end.
  const earlyUs = requestUs('tcp') - roundTripUs / 2;
  const early = crossing(earlyUs, 300, data);
  const answer = crossing(earlyUs + oneWayUs + 5, 52, up);
  assert.deepEqual(before([...packets, early, answer]), { packets: 3, bytes: 3300 });
  // A packet that was lost is never acknowledged.
  const lost = packets.map(([came, left, ...others], index): Packet => [
    came,
    index === 4 ? null : left,
    ...others,
  ]);
  assert.deepEqual(connectionStart({ ...flow, packets: lost }).firstFlight?.acknowledgedBefore, {
    packets: 1,
    bytes: 1500,
  });
});

test('how late a client answers is told from the first data that it had not answered to its next packet', () => {
  for (const transport of ['tcp', 'udp'] as const) {
    const flow = served({ transport, windowPackets: 10, responsePackets: 60 });
    assert.equal(connectionStart(flow).ackDelayMs, 0);
    // Of ten packets the first waits for an answer that comes 25 ms after it reached the client.
    const rounds = [0, 1, 2].flatMap((round) => {
      const sentUs = requestUs(transport) + round * 100_000;
      const sent = Array.from({ length: 10 }, (_, index) => crossing(sentUs + index, 1200, data));
      return [...sent, crossing(sentUs + oneWayUs + 25_000, ackBytes[transport], up | data)];
    });
    assert.equal(connectionStart(flowOf(transport, [...handshake(transport), ...rounds])).ackDelayMs, 25);
  }
  assert.equal(connectionStart(flowOf('tcp', handshake('tcp'))).ackDelayMs, undefined);
});

test('a sender that spaces its packets over half of the round trip has the same first flight, and smaller bursts', () => {
  const sender = { transport: 'udp', windowPackets: 32, responsePackets: 200 } as const;
  const atOnce = connectionStart(served(sender));
  const paced = connectionStart(served({ ...sender, gapUs: 300 }));
  assert.equal(paced.firstFlight?.packets, 32);
  assert.equal(paced.firstFlight?.isLeast, false);
  assert.equal(paced.largestBurstBytes, 4 * 1280);
  assert.ok((atOnce.largestBurstBytes ?? 0) >= 32 * 1280);
});

test('what a server of QUIC sends before its client has answered is told, with what it had been sent by then', () => {
  const sender = { transport: 'udp', windowPackets: 10, responsePackets: 100 } as const;
  // Headers of IP and UDP are no part of it.
  assert.deepEqual(connectionStart(served(sender)).unproven, { upBytes: 1250, downBytes: 1252 + 1072 });
  const flood = Array.from({ length: 10 }, (_, index) => crossing(10_100 + index, 1280, data | opening));
  const flow = served(sender);
  const { unproven } = connectionStart(flowOf('udp', [...flow.packets, ...flood]));
  assert.deepEqual(unproven, { upBytes: 1250, downBytes: 1252 + 1072 + 10 * 1252 });
  assert.equal(connectionStart(served({ ...sender, transport: 'tcp' })).unproven, undefined);
});

test('the first flight after a rest of the server is told, of TCP and QUIC alike, and none where it never rested', () => {
  for (const transport of ['tcp', 'udp'] as const) {
    const first = served({ transport, windowPackets: 10, responsePackets: 60 });
    const again = served({ transport, windowPackets: 24, responsePackets: 100 });
    const restUs = 10_000_000;
    const later = again.packets
      .filter(([came]) => came >= requestUs(transport))
      .map(([came, left, ...others]): Packet => [came + restUs, (left ?? 0) + restUs, ...others]);
    const { rested } = connectionStart(flowOf(transport, [...first.packets, ...later]));
    const bytes = 24 * fullBytes[transport];
    assert.deepEqual(rested, {
      packets: 24,
      bytes,
      durationMs: roundTripUs / 1000,
      largestPacketBytes: fullBytes[transport],
      largestBurstBytes: bytes,
      acknowledgedPackets: 0,
    });
    // A header that leaves just before it has its acknowledgement before the flight ends; one of the answer before the rest does not count.
    const againUs = requestUs(transport) + restUs;
    const small = [crossing(againUs - 5_000, 300, data), crossing(againUs + 5_000, 90, up | data)];
    const trailer = crossing(requestUs(transport) + 500_000, 300, data);
    const told = connectionStart(flowOf(transport, [...first.packets, trailer, ...later, ...small])).rested;
    assert.deepEqual([told?.packets, told?.acknowledgedPackets], [24, 1]);
    assert.equal(connectionStart(first).rested, undefined);
  }
});

test('a response that fits tells the least that the window can be', () => {
  const { firstFlight } = connectionStart(
    served({ transport: 'tcp', windowPackets: 10, responsePackets: 6 }),
  );
  assert.deepEqual([firstFlight?.packets, firstFlight?.isLeast], [6, true]);
});

/** A small response, then a large one that the client asks for when it has read the first. */
function afterSmall(firstPackets: number, windowPackets: number): LoggedFlow {
  const small = served({ transport: 'udp', windowPackets: firstPackets, responsePackets: firstPackets });
  const large = served({ transport: 'udp', windowPackets, responsePackets: 4 * windowPackets });
  const laterUs = 40_000;
  const [, , , ...rest] = large.packets;
  const later = rest.map(([came, left, ...others]): Packet => [
    came + laterUs,
    (left ?? 0) + laterUs,
    ...others,
  ]);
  return flowOf('udp', [...small.packets, ...later]);
}

test('a later, larger round tells the window where the rounds before cannot have made it grow', () => {
  const { firstFlight } = connectionStart(afterSmall(4, 32));
  assert.deepEqual([firstFlight?.packets, firstFlight?.isLeast], [32, false]);
});

test('after a round that may have made the window grow only the least of it is known', () => {
  const { firstFlight } = connectionStart(afterSmall(8, 18));
  assert.deepEqual([firstFlight?.packets, firstFlight?.isLeast], [8, true]);
});

test('tickets count in the flight that they come with, and are no flight of their own', () => {
  const flow = served({ transport: 'tcp', windowPackets: 9, responsePackets: 90 });
  const ticket = crossing(requestUs('tcp') - 1, 300, data);
  const withTicket = connectionStart(flowOf('tcp', [...flow.packets, ticket]));
  // The ticket was sent before the request came, and so belongs to the handshake.
  assert.equal(withTicket.firstFlight?.packets, 9);
  const behind = crossing(requestUs('tcp'), 300, data);
  assert.equal(connectionStart(flowOf('tcp', [behind, ...flow.packets])).firstFlight?.packets, 10);
  // Long before the response, as on a connection that was opened beforehand.
  const early = flow.packets.map(([came, left, ...others], index): Packet =>
    index < handshake('tcp').length
      ? [came, left, ...others]
      : [came + 60_000, (left ?? 0) + 60_000, ...others],
  );
  const answered = [behind, crossing(requestUs('tcp') + oneWayUs, 52, up)];
  const opened = connectionStart(flowOf('tcp', [...early, ...answered]));
  assert.equal(opened.firstFlight?.packets, 9);
});

test('a packet of the flight that is lost is counted with it', () => {
  const { packets, ...flow } = served({ transport: 'udp', windowPackets: 32, responsePackets: 200 });
  const isFlight = ([came, , bytes]: Packet): boolean => bytes === 1280 && came >= requestUs('udp');
  const first = packets.findIndex(isFlight);
  // The server sends on when it hears of the second packet.
  const laterUs = 5;
  const nextRoundUs = requestUs('udp') + roundTripUs;
  const lossy = packets.map(([came, left, ...others], index): Packet => {
    if (index === first) return [came, null, ...others];
    return came < nextRoundUs ? [came, left, ...others] : [came + laterUs, (left ?? 0) + laterUs, ...others];
  });
  const { firstFlight } = connectionStart({ ...flow, packets: lossy });
  assert.equal(firstFlight?.packets, 32);
});

test('nothing is guessed of a connection whose handshake was not seen, or that brought no response', () => {
  const { packets, ...flow } = served({ transport: 'tcp', windowPackets: 10, responsePackets: 100 });
  const reused = connectionStart({ ...flow, packets: packets.slice(5) });
  assert.deepEqual([reused.firstFlight, reused.reason], [null, 'no-handshake']);
  const silent = connectionStart({ ...flow, packets: handshake('tcp') });
  assert.deepEqual([silent.firstFlight, silent.reason], [null, 'no-response']);
  const unanswered = packets.filter(([came, , , kind]) => (kind & up) === 0 || came < requestUs('tcp'));
  const gone = connectionStart({ ...flow, packets: unanswered });
  assert.deepEqual([gone.firstFlight, gone.reason], [null, 'no-answer']);
  assert.equal(connectionStart({ ...flow, packets: [] }).reason, 'no-handshake');
});
