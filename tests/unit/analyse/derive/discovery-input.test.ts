import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoveryInput } from '../../../../src/analyse/derive/discovery-input.ts';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import type { LinkFlow, RawTrial } from '../../../../src/core/model/raw-trial.ts';

const flow = (transport: 'tcp' | 'udp', clientPort: number, serverPort: number): LinkFlow => ({
  transport,
  clientPort,
  serverPort,
  upPackets: 3,
  upBytes: 2000,
  downPackets: 3,
  downBytes: 4000,
});
const har = {
  log: { entries: [{ request: { url: 'https://www.lab.test:8443/', method: 'GET' }, response: {} }] },
} as unknown as Har;
const objects = networkObjectsOf(har);
const raw = {
  discovery: { way: 'https-record', questions: [] },
  linkFlows: [flow('udp', 50_001, 8443), flow('tcp', 50_002, 8443), flow('tcp', 50_003, 8053)],
  serverLog: [{ connection: '50001' }],
} as unknown as RawTrial;

test('a connection to the page’s server that no request used lost the race; the resolver’s is none of them', () => {
  assert.deepEqual(discoveryInput(raw, objects, undefined), { isFirstVisit: true, unusedConnections: 1 });
});

test('a second visit is no first one, and without counted flows nothing is said of connections', () => {
  const uncounted = { ...raw, linkFlows: undefined } as unknown as RawTrial;
  assert.deepEqual(discoveryInput(uncounted, objects, 'repeat'), {
    isFirstVisit: false,
    unusedConnections: undefined,
  });
});

test('an arm that does not say how HTTP/3 is discovered has no such figures', () => {
  const others = { ...raw, discovery: undefined } as unknown as RawTrial;
  assert.equal(discoveryInput(others, objects, undefined), undefined);
});
