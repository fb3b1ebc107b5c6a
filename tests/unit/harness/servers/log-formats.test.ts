import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCaddyLine } from '../../../../harness/servers/caddy.ts';
import { parseEnvoyLine } from '../../../../harness/servers/envoy.ts';
import { parseGoLine } from '../../../../harness/servers/go.ts';
import { parseHaproxyLine } from '../../../../harness/servers/haproxy.ts';
import { parseNginxLine } from '../../../../harness/servers/nginx-log.ts';
import { congestionOf, isPaced } from '../../../../harness/servers/origin-probe.ts';

const wanted = {
  host: 'a.test',
  path: '/x?v="1"',
  method: 'GET',
  protocol: 'h3',
  status: 200,
  bytes: 42,
  announcedBytes: 42,
  startEpochMs: 1_000_000,
  durationMs: 250,
  connection: '40000',
  family: 6,
};
const common = { method: 'GET', uri: '/x?v="1"', status: 200, client: '2001:2::1', port: '40000' };

test("every server's own line becomes the same entry", () => {
  const sizes = { bytes: 42, announced: '42' };
  const nginx = { ...common, ...sizes, ts: 1000.25, protocol: 'HTTP/3.0', host: 'a.test', duration: 0.25 };
  const tls = { cipher: 'TLS_AES_128_GCM_SHA256' };
  const hands = { ...tls, session: '.', early: '', group: 'X25519MLKEM768' };
  assert.deepEqual(parseNginxLine(JSON.stringify({ ...nginx, ...hands })), {
    ...wanted,
    ...tls,
    resumed: false,
    earlyData: false,
    keyExchange: 'X25519MLKEM768',
  });
  const again = parseNginxLine(JSON.stringify({ ...nginx, ...hands, session: 'r', early: '1' }));
  assert.deepEqual([again?.resumed, again?.earlyData], [true, true]);
  const envoy = { ...common, start: '1000.000000', protocol: 'HTTP/3', host: 'A.test:8443', duration: 250 };
  assert.deepEqual(parseEnvoyLine(JSON.stringify({ ...envoy, ...sizes })), wanted);
  const chunked = parseEnvoyLine(JSON.stringify({ ...envoy, bytes: 42, announced: null }));
  assert.equal(chunked?.announcedBytes, undefined, 'an answer without a length announces none');
  const haproxy = {
    ...common,
    end: 1_000_250,
    version: '3.0',
    host: 'a.test:8443',
    duration: 250,
    sent: 300,
    ...tls,
  };
  assert.deepEqual(parseHaproxyLine(JSON.stringify({ ...haproxy, length: '42' })), { ...wanted, ...tls });
  const bad = { ...haproxy, method: '<BADREQ>', host: '-', uri: '-', length: '', sent: 0 };
  assert.equal(parseHaproxyLine(JSON.stringify({ ...bad, status: 0 })), undefined, 'nothing was asked for');
  assert.equal(parseHaproxyLine(JSON.stringify({ ...bad, status: 400 }))?.status, 400);
});

test('an address of IPv4 is one where a socket of both versions took it, and what is none says nothing', () => {
  const envoy = {
    ...common,
    start: '1',
    protocol: 'HTTP/3',
    host: 'a.test',
    duration: 1,
    bytes: 1,
    announced: '',
  };
  const familyOf = (client: string | null): unknown =>
    parseEnvoyLine(JSON.stringify({ ...envoy, client }))?.family;
  assert.deepEqual(['198.18.0.1', '::ffff:198.18.0.1', '2001:2::1', '', '@', null].map(familyOf), [
    4,
    4,
    6,
    undefined,
    undefined,
    undefined,
  ]);
});

test('Caddy says whether the handshake had ended where it was asked to, and says nothing of it otherwise', () => {
  const request = { proto: 'HTTP/3.0', method: 'GET', host: 'a.test', uri: '/', tls: { resumed: true } };
  const line = { ts: 1000, request, duration: 0.1, size: 1, status: 200 };
  const earlyOf = (more: object): unknown => parseCaddyLine(JSON.stringify({ ...line, ...more }))?.earlyData;
  assert.deepEqual(
    [earlyOf({}), earlyOf({ handshaken: 'no' }), earlyOf({ handshaken: 'yes' })],
    [undefined, true, false],
  );
});

test('the line of the server in Go is an entry with the priority that was asked for', () => {
  const { protocol, announcedBytes, connection, ...shared } = wanted;
  const line = {
    ...shared,
    protocol: 'HTTP/3.0',
    host: 'a.test:8443',
    announced: String(announcedBytes),
    client: '2001:2::1',
    port: connection,
    resumed: false,
    cipher: 'TLS_AES_128_GCM_SHA256',
  };
  const entry = { ...wanted, protocol, resumed: false, cipher: line.cipher };
  assert.deepEqual(parseGoLine(JSON.stringify({ ...line, priority: 'u=1, i' })), {
    ...entry,
    priority: 'u=1, i',
  });
  assert.deepEqual(parseGoLine(JSON.stringify({ ...line, priority: null })), entry);
  const messages = {
    over: 'webtransport',
    received: 3,
    returned: 3,
    receivedBytes: 30,
    streams: 1,
    datagrams: 0,
  };
  assert.deepEqual(parseGoLine(JSON.stringify({ ...line, priority: null, messages })), {
    ...entry,
    messages,
  });
});

test('a line that is no entry is none, and neither is a connection without a request', () => {
  for (const parse of [parseNginxLine, parseEnvoyLine, parseHaproxyLine, parseGoLine])
    for (const line of ['', '[NOTICE] started', '{"ts": 12, "requ', '{}'])
      assert.equal(parse(line), undefined);
  const none = { protocol: null, method: null, host: null, uri: null, duration: 1, bytes: 0, status: 0 };
  assert.equal(parseEnvoyLine(JSON.stringify({ start: '1000', ...none })), undefined);
});

test('an answer without a body has none, whatever length its head names', () => {
  const about = { end: 1, version: '2.0', host: 'a.test', duration: 1, cipher: '' };
  const line = { ...common, ...about, length: '42', sent: 300 };
  assert.equal(parseHaproxyLine(JSON.stringify({ ...line, status: 304 }))?.bytes, 0);
  assert.equal(parseHaproxyLine(JSON.stringify({ ...line, method: 'HEAD' }))?.bytes, 0);
  assert.equal(parseHaproxyLine(JSON.stringify({ ...line, length: '' }))?.bytes, 300);
});

test('an answer of HAProxy that was cut off has the bytes that were sent', () => {
  const about = { end: 1, version: '2.0', host: 'a.test', duration: 1, cipher: '' };
  const line = { ...common, ...about, length: '5000', sent: 1300 };
  const entry = parseHaproxyLine(JSON.stringify(line));
  assert.deepEqual([entry?.bytes, entry?.announcedBytes], [1300, 5000]);
});

test('the algorithm of a connection is read out of what ss says', () => {
  const line = (words: string): string => `0 0 127.0.0.1:8443 127.0.0.1:50000\n\t ${words} mss:1448\n`;
  assert.equal(congestionOf(line('ts sack cubic wscale:7,7 rto:204 rtt:0.05/0.02')), 'cubic');
  assert.equal(congestionOf(line('bbr wscale:10,7 rto:201')), 'bbr');
  assert.equal(congestionOf(line('sack reno rto:201')), 'reno');
  assert.equal(congestionOf(''), null);
});

test('a connection is paced by a socket option where ss tells a most rate', () => {
  assert.equal(isPaced('rto:204 pacing_rate 1.2Gbps/100Gbps delivery_rate 3Mbps'), true);
  assert.equal(isPaced('bbr rto:204 pacing_rate 1.2Gbps delivery_rate 3Mbps'), false);
});

test('a body of no announced length is known by its upper bound where heads are counted with it', () => {
  const times = {
    ts: 1,
    host: 'a.test',
    duration: 0,
    bytes: 47,
    announced: '',
    session: '',
    cipher: '',
    early: '',
    group: '',
  };
  const ofNginx = (protocol: string): boolean | undefined =>
    parseNginxLine(JSON.stringify({ ...common, ...times, protocol }))?.isUpperBound;
  assert.deepEqual(['HTTP/1.1', 'HTTP/2.0', 'HTTP/3.0'].map(ofNginx), [true, undefined, true]);
  const about = { end: 1, version: '3', host: 'a.test', duration: 1, cipher: '', sent: 300 };
  const ofHaproxy = (length: string): boolean | undefined =>
    parseHaproxyLine(JSON.stringify({ ...common, ...about, length }))?.isUpperBound;
  assert.deepEqual(['', '100'].map(ofHaproxy), [true, undefined]);
});
