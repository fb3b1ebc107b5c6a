import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTransports } from '../../../../src/analyse/validity/transport-rules.ts';
import type { RawTrial, ServerLogEntry, TransportCounts } from '../../../../src/model/raw-trial.ts';
import { rawTrial } from '../derive/evidence.ts';

const flow = (localPort: number) => ({ localPort, remotePort: 8443 });
const transports = (tcp: Partial<TransportCounts['tcp']>, udp: Partial<TransportCounts['udp']>): RawTrial =>
  rawTrial({
    watch: 'bare',
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
  const judged = judgeTransports('h2', transports({ received: 500, sent: 300 }, {}), true);
  assert.deepEqual(judged, { findings: [], warnings: [] });
});

test('more over the other transport than handshakes take, and no request in the log, makes a trial invalid', () => {
  const raw = transports({ received: 500 }, { received: 90, sent: 80, flows: [flow(50_000)] });
  const [finding] = judgeTransports('h2', raw, true).findings;
  assert.equal(finding?.status, 'invalid');
  assert.match(finding?.reason ?? '', /90 datagrams came over UDP in an arm of h2, to port 8443/);
});

test('a handshake without a request is told, and no more', () => {
  const raw = transports({ received: 9, sent: 8, flows: [flow(50_000)] }, { received: 400 });
  const judged = judgeTransports('h3', raw, true);
  assert.deepEqual(judged.findings, []);
  assert.match(judged.warnings[0] ?? '', /9 segments came over TCP in an arm of h3.*handshake/);
});

test('what an emulated link counted of the other transport is told in bytes', () => {
  const counters = { emulatorUpTcpBytes: 900, emulatorDownTcpBytes: 4100, emulatorDownUdpBytes: 70_000 };
  const raw = { ...transports({ received: 9, sent: 8 }, { received: 400 }), counters };
  assert.match(judgeTransports('h3', raw, true).warnings[0] ?? '', /9 segments \(5000 bytes both ways\)/);
});

test('a web socket that the log names by its port is told', () => {
  const raw = { ...transports({ received: 900, flows: [flow(40_000)] }, {}), serverLog: [request] };
  const judged = judgeTransports('h3', raw, true);
  assert.deepEqual(judged.findings, []);
  assert.match(judged.warnings[0] ?? '', /the server's log names/);
});

test('an arm that leaves the protocol open, and a client that shares its network, are not judged by it', () => {
  const raw = transports({ received: 900 }, { received: 900 });
  assert.deepEqual(judgeTransports('auto', raw, true).findings, []);
  assert.deepEqual(judgeTransports('h3', rawTrial({ watch: 'bare' }), true).findings, []);
});
