import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ngtcp2Log, type Ngtcp2Request } from '../../../../harness/servers/ngtcp2-log.ts';
import { parseNgtcp2Line } from '../../../../harness/servers/ngtcp2.ts';

const packet = (port: number): string =>
  `Received packet: local=[127.0.0.1]:8443 remote=[127.0.0.1]:${port} if=lo ecn=0x0 1252 bytes`;
const got = (connection: string): string => `I00000004 ${connection} con recv packet len=102`;
const sent = (connection: string, fin: number): string =>
  `I00000008 ${connection} frm tx 5 1RTT STREAM(0x0b) id=0x0 fin=${fin} offset=42 len=0 uni=0`;
const asked = (path: string): string[] => [
  'http: stream 0x0 request headers started',
  'http: stream 0x0 [:method: GET]',
  'http: stream 0x0 [:authority: a.test:8443]',
  `http: stream 0x0 [:path: ${path}]`,
  'http: stream 0x0 headers ended',
  'http: stream 0x0 submit response headers',
  '[:status: 200]',
  '[content-length: 42]',
];

function read(lines: readonly string[]): Ngtcp2Request[] {
  let now = 1_000_000;
  const log = new Ngtcp2Log(() => (now += 10));
  return lines.flatMap((line) => log.take(line));
}

test('requests of connections that are mixed are told apart, each an entry as of other servers', () => {
  const requests = read([
    packet(40_000),
    got('0xaa'),
    ...asked('/x?v=[1]: 2'),
    packet(50_000),
    got('0xbb'),
    ...asked('/other'),
    sent('0xaa', 1),
    sent('0xbb', 0),
    packet(40_000),
    got('0xaa'),
    'HTTP stream 0 closed with error code 256',
    packet(50_000),
    got('0xbb'),
    'Draining period has started (0.08 seconds)',
  ]);
  const [whole, broken] = requests.map((request) => parseNgtcp2Line(JSON.stringify(request)));
  const { startEpochMs = 0, durationMs = 0, ...entry } = whole ?? assert.fail();
  assert.deepEqual(entry, {
    host: 'a.test',
    path: '/x?v=[1]: 2',
    method: 'GET',
    protocol: 'h3',
    status: 200,
    bytes: 42,
    announcedBytes: 42,
    connection: '40000',
  });
  assert.ok(startEpochMs > 1_000_000 && durationMs > 0);
  assert.deepEqual([broken?.connection, broken?.bytes, broken?.announcedBytes], ['50000', 0, 42]);
});

test('a client that leaves with the last byte has its answer whole', () => {
  const [request] = read([
    packet(1),
    got('0xaa'),
    ...asked('/x'),
    sent('0xaa', 1),
    'Draining period has started',
  ]);
  assert.equal(parseNgtcp2Line(JSON.stringify(request))?.bytes, 42);
});

test('a stream that was never begun, and lines of other kinds, are no requests', () => {
  const closed = 'HTTP stream 0 closed with error code 256';
  assert.deepEqual(read([closed, 'http: stream 0x4 [:path: /x]', '', '[x: y]', 'Timeout']), []);
  assert.equal(parseNgtcp2Line('{"isWhole": true}'), undefined);
});
