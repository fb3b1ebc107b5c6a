import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import { asAskedFor } from '../../../../src/analyse/derive/revalidated.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

const entry = (path: string, status: number): ServerLogEntry => ({
  host: 'www.a.test:8443',
  path,
  method: 'GET',
  protocol: 'h3',
  status,
  bytes: 0,
  startEpochMs: 1,
  durationMs: 1,
});
const har = {
  log: {
    entries: ['/index.html', '/new.css'].map((path) => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 1,
      request: { method: 'GET', url: `https://www.a.test:8443${path}` },
      response: { status: 200, httpVersion: 'h2', headers: [], content: { size: 1 }, bodySize: 1 },
    })),
  },
} as unknown as Har;

test('an answer that the server left to the cache has the protocol over which it was asked for', () => {
  const objects = networkObjectsOf(har);
  const log = [entry('/index.html', 304), entry('/new.css', 200)];
  assert.deepEqual(
    asAskedFor(objects, log).map(({ path, protocol }) => [path, protocol]),
    [
      ['/index.html', 'h3'],
      ['/new.css', 'h2'],
    ],
    'what the server sent is left to the rules that compare both accounts',
  );
  assert.deepEqual(asAskedFor(objects, null), objects);
});
