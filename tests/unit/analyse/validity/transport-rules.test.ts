import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTransports } from '../../../../src/analyse/validity/transport-rules.ts';
import type {
  LinkFlow,
  RawTrial,
  ServerLogEntry,
  TransportCounts,
} from '../../../../src/core/model/raw-trial.ts';
import type { LivePage } from '../../../../src/core/model/live-address.ts';
import { rawTrial } from '../derive/evidence.ts';

const flow = (localPort: number) => ({ localPort, remotePort: 8443 });
const transports = (tcp: Partial<TransportCounts['tcp']>, udp: Partial<TransportCounts['udp']>): RawTrial =>
  rawTrial({
    instrumentation: 'uninstrumented',
    transports: {
      tcp: { received: 0, sent: 0, flows: [], ...tcp },
      udp: { received: 0, sent: 0, flows: [], ...udp },
    },
  });
const request: ServerLogEntry = {
  host: 'a.test',
  path: '/socket',
  method: 'GET',
  protocol: 'h1',
  status: 101,
  bytes: 0,
  startEpochMs: 0,
  durationMs: 1,
  connection: '40000',
};

test('nothing over the other transport: nothing to say', () => {
  const judged = judgeTransports('h2', transports({ received: 500, sent: 300 }, {}));
  assert.deepEqual(judged, { findings: [], warnings: [] });
});

test('more over the other transport than handshakes take, and no request in the log, makes a trial invalid', () => {
  const raw = transports({ received: 500 }, { received: 90, sent: 80, flows: [flow(50_000)] });
  const [finding] = judgeTransports('h2', raw).findings;
  assert.equal(finding?.status, 'invalid');
  assert.match(finding?.reason ?? '', /90 datagrams came over UDP in an arm of h2, to port 8443/);
});

test('a handshake without a request is told, and no more', () => {
  const raw = transports({ received: 9, sent: 8, flows: [flow(50_000)] }, { received: 400 });
  const judged = judgeTransports('h3', raw);
  assert.deepEqual(judged.findings, []);
  assert.match(judged.warnings[0] ?? '', /9 segments came over TCP in an arm of h3.*handshake/);
});

const linkFlow = (transport: LinkFlow['transport'], clientPort: number, downPackets: number): LinkFlow => ({
  transport,
  clientPort,
  serverPort: 8443,
  upPackets: 5,
  upBytes: 1000,
  downPackets,
  downBytes: 100 * downPackets,
});

test('of an emulated link each flow is judged by itself: one that the log names excuses no other', () => {
  const linkFlows = [
    linkFlow('udp', 50_000, 900),
    linkFlow('tcp', 40_000, 500),
    linkFlow('tcp', 40_001, 9),
    linkFlow('tcp', 40_002, 200),
  ];
  const raw = { ...rawTrial({ instrumentation: 'uninstrumented' }), linkFlows, serverLog: [request] };
  const { findings, warnings } = judgeTransports('h3', raw);
  assert.match(
    findings[0]?.reason ?? '',
    /^209 segments \(22900 bytes both ways\) came over TCP in an arm of h3/,
  );
  assert.match(
    warnings[0] ?? '',
    /^500 segments \(51000 bytes both ways\).*: requests that the server's log names$/,
  );
  const handshake = judgeTransports('h3', { ...raw, linkFlows: linkFlows.slice(0, 3) });
  assert.deepEqual(handshake.findings, []);
  assert.match(handshake.warnings[1] ?? '', /^9 segments .*: a handshake without a request$/);
});

test('a port that the log has over the other transport does not name a flow', () => {
  const serverLog = [{ ...request, protocol: 'h3', connection: '40000' }];
  const raw = {
    ...rawTrial({ instrumentation: 'uninstrumented' }),
    linkFlows: [linkFlow('tcp', 40_000, 500)],
    serverLog,
  };
  assert.equal(judgeTransports('h3', raw).findings.length, 1);
});

const live: LivePage = {
  remote: {
    url: 'https://a.test/',
    address: '192.0.2.1:443',
    server: null,
    altSvc: null,
    certificate: { subject: '', issuer: '', validTo: '', sha256: '', distrusted: null },
  },
  h3Hosts: ['a.test:8443'],
  acceptedKeys: [],
  connectTo: [],
  block: [],
};

test('of a live address QUIC may not come in an arm without it; calls between browsers and names are no part of it', () => {
  const over = (flows: readonly LinkFlow[]): RawTrial => ({
    ...rawTrial({ instrumentation: 'uninstrumented' }),
    linkFlows: [...flows],
  });
  const quic = linkFlow('udp', 50_000, 900);
  assert.match(judgeTransports('h2', over([quic]), live).findings[0]?.reason ?? '', /900 datagrams/);
  assert.deepEqual(judgeTransports('h2', over([{ ...quic, serverPort: 19_302 }]), live).findings, []);
  assert.deepEqual(judgeTransports('h2', over([{ ...quic, serverPort: 53 }]), live).findings, []);
});

test('of a live address hosts without HTTP/3 answer over TCP in any arm, which is told with its bytes', () => {
  const raw = {
    ...rawTrial({ instrumentation: 'uninstrumented' }),
    linkFlows: [linkFlow('tcp', 40_000, 500)],
  };
  const { findings, warnings } = judgeTransports('h3', raw, live);
  assert.deepEqual(findings, []);
  assert.match(warnings[0] ?? '', /^500 segments \(51000 bytes both ways\) came over TCP in an arm of h3/);
});

test('a web socket that the log names by its port is told', () => {
  const raw = { ...transports({ received: 900, flows: [flow(40_000)] }, {}), serverLog: [request] };
  const judged = judgeTransports('h3', raw);
  assert.deepEqual(judged.findings, []);
  assert.match(judged.warnings[0] ?? '', /the server's log names/);
});

test('an arm that leaves the protocol open, and a client that shares its network, are not judged by it', () => {
  const raw = transports({ received: 900 }, { received: 900 });
  assert.deepEqual(judgeTransports('auto', raw).findings, []);
  assert.deepEqual(judgeTransports('h3', rawTrial({ instrumentation: 'uninstrumented' })).findings, []);
});

test('what a client asked of the testbed’s resolver is no request, whatever it took', () => {
  const asked = { ...linkFlow('tcp', 50_000, 300), serverPort: 5353 };
  const raw = rawTrial({ linkFlows: [linkFlow('udp', 50_001, 500), asked] });
  assert.equal(judgeTransports('h3', raw).findings.length, 1);
  assert.deepEqual(judgeTransports('h3', { ...raw, resolverPort: 5353 }), { findings: [], warnings: [] });
  const other = { ...raw, resolverPort: 5354 };
  assert.equal(judgeTransports('h3', other).findings.length, 1);
});
