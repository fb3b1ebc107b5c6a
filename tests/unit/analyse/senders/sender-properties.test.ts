import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint, minRepeats } from '../../../../src/analyse/senders/fingerprint.ts';
import { senderProperties } from '../../../../src/analyse/senders/properties.ts';
import {
  packetBytes,
  trialOf,
  trialsOf,
  usual,
  verdicts,
  verdictsOf,
  withMetrics,
  type Trial,
} from '../../../support/sender-trials.ts';

test('an upload and a rest are told apart from a loss by what is loaded', () => {
  const trialsWith = (workload: string, values: Readonly<Record<string, number>>): Trial[] =>
    Array.from({ length: minRepeats }, (_, block) => ({
      ...trialOf(usual, block, 'loss'),
      workload,
      metrics: withMetrics({}, values),
    }));
  const uploads = (acksPerPacket: number): Trial[] => trialsWith('upload-5mb', { acksPerPacket });
  assert.deepEqual(verdictsOf(fingerprint('h3', uploads(2), uploads(3))), { 'server-acks': 'as-rfc' });
  assert.deepEqual(verdictsOf(fingerprint('h3', uploads(10), uploads(3))), { 'server-acks': 'differs' });
  const rested = (restedFlightPackets: number, restedBurstPackets = 10): Trial[] =>
    trialsWith('download-300kb-rest10s', { restedFlightPackets, restedBurstPackets });
  const verdictsAfterRest = (own: Trial[], protocol: 'h2' | 'h3' = 'h3') =>
    Object.values(verdictsOf(fingerprint(protocol, own, rested(10))));
  assert.deepEqual(verdictsAfterRest(rested(10)), ['as-own-tcp', 'as-rfc']);
  assert.deepEqual(verdictsAfterRest(rested(240)), ['differs', 'as-rfc']);
  assert.deepEqual(verdictsAfterRest(rested(240, 64)), ['differs', 'differs']);
  assert.deepEqual(verdictsAfterRest(rested(10), 'h2'), ['as-rfc', 'reference']);
  assert.deepEqual(verdictsAfterRest(rested(80), 'h2'), ['differs', 'reference']);
});

test('an answer next to one that is not read is told where the client takes no more of that one, and there alone', () => {
  const trials = (totalRequestTimeMs: number, emulatorDownBytes: number): Trial[] =>
    Array.from({ length: minRepeats }, (_, block) => ({
      ...trialOf(usual, block, 'loss'),
      workload: 'download-1mb-unread10mb',
      metrics: withMetrics({}, { totalRequestTimeMs }),
      counters: { emulatorDownBytes },
    }));
  const held = 7_600_000;
  const judged = (own: Trial[]) => fingerprint('h3', own, trials(600, held));
  assert.deepEqual(verdictsOf(judged(trials(700, held))), { 'slow-reader': 'as-own-tcp' });
  const [deadlocked] = judged(trials(8600, held));
  assert.match(deadlocked?.sentence ?? '', /^8600 ms, its TCP 600 ms: one answer that a page does not read/);
  const [unheld] = judged(trials(8600, 11_500_000));
  assert.deepEqual([unheld?.verdict, unheld?.count], ['not-decided', 0]);
});

test('a first flight may have what acknowledged packets add on each connection, and no more', () => {
  const flightOf = (flightPackets: number, handshakePackets: number): string | undefined =>
    verdicts({ ...usual, handshakePackets, flightPackets, secondRound: 2 * flightPackets })['first-flight'];
  assert.deepEqual(
    [10, 12, 13, 34].map((packets) => flightOf(packets, 2)),
    ['as-rfc', 'as-rfc', 'differs', 'differs'],
  );
  assert.deepEqual(
    [10, 12, 16, 17].map((packets) => flightOf(packets, 6)),
    ['as-rfc', 'as-rfc', 'as-rfc', 'differs'],
  );
  // Where connections differ in their handshakes each is held to its own.
  const trials = trialsOf(usual).map((trial) => {
    const packets = trial.blockIndex % 2 === 0 ? 6 : 1;
    const acknowledgedBefore = { packets, bytes: packets * packetBytes };
    const { firstFlight } = trial.metrics;
    assert.ok(firstFlight !== undefined && 'packets' in firstFlight);
    const sent = 10 + packets;
    const flight = { ...firstFlight, packets: sent, bytes: sent * packetBytes, acknowledgedBefore };
    return { ...trial, metrics: withMetrics(trial.metrics, { firstFlight: flight }) };
  });
  const [each] = fingerprint('h3', trials, trials);
  assert.equal(each?.verdict, 'as-rfc', each?.sentence);
});

/** As the link told them of trials of Go 1.27 over Linux 6, with a certificate of the usual size and one of 16 KB. */
const recorded = {
  usual: {
    transport: 'tcp',
    packets: 10,
    bytes: 9938,
    isLeast: false,
    largestPacketBytes: 1500,
    acknowledgedBefore: { packets: 2, bytes: 2139 },
    roundPackets: [10, 20, 40, 80],
  },
  'long certificate': {
    transport: 'tcp',
    packets: 23,
    bytes: 26_673,
    isLeast: false,
    largestPacketBytes: 1500,
    acknowledgedBefore: { packets: 13, bytes: 18_681 },
    roundPackets: [23, 46, 6],
  },
  'quic-go': {
    transport: 'udp',
    packets: 35,
    bytes: 43_670,
    isLeast: false,
    largestPacketBytes: 1308,
    acknowledgedBefore: { packets: 3, bytes: 2154 },
    roundPackets: [35, 66, 134, 262],
  },
} as const;

test('a window that a long certificate let grow is as its RFC says, and 32 packets are not, by recorded flights', () => {
  const flightOf = (name: keyof typeof recorded) => {
    const { roundPackets, ...flight } = recorded[name];
    const firstFlight = { ...flight, roundPackets: [...roundPackets] };
    const trials = trialsOf(usual).map((trial) => ({
      ...trial,
      metrics: withMetrics(trial.metrics, { firstFlight }),
    }));
    const [first] = fingerprint(name === 'quic-go' ? 'h3' : 'h2', trials, trials);
    return [first?.verdict, first?.allowed];
  };
  assert.deepEqual(flightOf('usual'), ['as-rfc', 12.5]);
  // Of 13 packets each let the window grow by one: by a limit for all connections it would differ.
  assert.deepEqual(flightOf('long certificate'), ['as-rfc', 23.5]);
  const [verdict, allowed] = flightOf('quic-go');
  assert.equal(verdict, 'differs');
  assert.ok(Math.abs(Number(allowed) - (10.5 + 2154 / 1308)) < 1e-9, String(allowed));
});

test('of records that do not say what was acknowledged before, no first flight is judged', () => {
  const older = trialsOf(usual).map((trial) => {
    const { firstFlight } = trial.metrics;
    assert.ok(firstFlight !== undefined && 'packets' in firstFlight);
    const flight = { ...firstFlight, acknowledgedBefore: undefined };
    return { ...trial, metrics: withMetrics(trial.metrics, { firstFlight: flight }) };
  });
  const [flight] = fingerprint('h3', older, older);
  assert.equal(flight?.verdict, 'not-decided');
  assert.equal(flight.count, 0);
});

test('each property says what it is held to, and what of it is for others', () => {
  for (const { id, meaning, source, consequence, readIn } of senderProperties) {
    assert.ok(readIn.length > 0, id);
    for (const text of [meaning, source, consequence]) assert.ok(text.length > 10, id);
  }
});
