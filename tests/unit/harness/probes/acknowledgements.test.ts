import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quicWaits, tcpWaits } from '../../../../harness/probes/acknowledgements.ts';

const port = 8443;
const client = 40_000;
const near = (found: number, expected: number): void =>
  assert.ok(Math.abs(found - expected) < 1e-6, `${found} instead of ${expected}`);

/** A line as tshark writes it: the time in seconds, from which end to which, and what is told of the packet. */
const line = (atMs: number, isOfServer: boolean, ...rest: readonly unknown[]): string =>
  [atMs / 1000, ...(isOfServer ? [port, client] : [client, port]), ...rest].join('\t');

const segment = (atMs: number, sequence: number, length: number): string =>
  line(atMs, true, sequence, length, 1, '', '');
const acknowledgement = (atMs: number, number: number, lefts = '', rights = ''): string =>
  line(atMs, false, 1, 0, number, lefts, rights);

test('a segment waits for the first acknowledgement that covers it, and counts by its bytes', () => {
  const { weight, weightedMs } = tcpWaits(
    [
      segment(0, 1, 3000),
      segment(1, 3001, 1000),
      acknowledgement(2, 1001), // a part of the first
      acknowledgement(10, 3001),
      acknowledgement(11, 4001),
      acknowledgement(50, 4001),
    ],
    port,
  );
  assert.equal(weight, 4000);
  near(weightedMs, 3000 * 10 + 1000 * 10);
});

test('a selective acknowledgement ends the wait behind a hole, and what was sent again is left out', () => {
  const { weight, weightedMs } = tcpWaits(
    [
      segment(0, 1, 1000),
      segment(1, 1001, 1000),
      segment(2, 2001, 1000),
      acknowledgement(6, 1, '1001', '2001'),
      acknowledgement(7, 1, '2001,1001', '3001,2001'),
      segment(8, 1, 1000),
      acknowledgement(20, 3001),
    ],
    port,
  );
  assert.equal(weight, 2000);
  near(weightedMs, 1000 * 5 + 1000 * 5);
});

const packet = (atMs: number, number: number | string, length = 1300): string =>
  line(atMs, true, length, '', number, '', '', '', '');
const ack = (atMs: number, largest: number, first: number, gaps = '', lengths = ''): string =>
  line(atMs, false, 40, '', 7, largest, first, gaps, lengths);

test('the packets that are cut out of one datagram were sent with it, up to the number of the next', () => {
  const { weight, weightedMs } = quicWaits(
    [packet(0, 4, 4000), ack(3, 5, 1), packet(4, 7), ack(9, 7, 7)],
    port,
  );
  assert.equal(weight, 4);
  near(weightedMs, 3 + 3 + 9 + 5);
});

test('ranges of an acknowledgement leave out the packets between them', () => {
  const sent = [0, 1, 2, 3, 4, 5, 6].map((number) => packet(number, number));
  // 6 and 5, then 2, then 0.
  const { weight, weightedMs } = quicWaits([...sent, ack(10, 6, 1, '1,0', '0,0'), ack(20, 6, 6)], port);
  assert.equal(weight, 7);
  near(weightedMs, 4 + 5 + 8 + 10 + (20 - 1) + (20 - 3) + (20 - 4));
});

test('handshakes, packets without data and those that come late to the capture are left out', () => {
  const handshake = line(0, true, 1200, '0', 0, '', '', '', '');
  const { weight, weightedMs } = quicWaits(
    [handshake, packet(1, 0), packet(2, 1, 30), packet(3, 2), packet(3, 1), ack(5, 2, 2), packet(6, ''), ''],
    port,
  );
  assert.equal(weight, 2);
  near(weightedMs, 4 + 2);
});
