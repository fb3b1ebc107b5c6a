import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import { objectMetrics, protocolShare } from '../../../../src/analyse/derive/object-metrics.ts';
import { harEntry, harOf } from './evidence.ts';

test('objects, hosts, connections and bytes are counted over the network objects', () => {
  const objects = networkObjectsOf(
    harOf([
      harEntry({ bytes: 400 }),
      harEntry({ url: 'https://cdn.test/a.js', bytes: 600, entry: { connection: '7' } }),
      harEntry({ url: 'https://cdn.test/b.js', bytes: 0, entry: { connection: '7' } }),
      harEntry({ url: 'data:,x' }),
    ]),
  );
  const { metrics, warnings } = objectMetrics(objects);
  assert.partialDeepStrictEqual(metrics, {
    objectCount: 3,
    wireBytes: 1300,
    hostCount: 2,
    connectionCount: 2,
  });
  assert.deepEqual(warnings, []);
});

test("the browser's own favicon request is not one of the page's objects", () => {
  const objects = networkObjectsOf(harOf([harEntry(), harEntry({ url: 'https://site.test/favicon.ico' })]));
  assert.equal(objectMetrics(objects).metrics['objectCount'], 1);
});

test('unknown sizes and connections are null with a warning, not a smaller number', () => {
  const unknown = harEntry({
    url: 'https://site.test/x',
    response: { _transferSize: -1 },
    entry: { connection: '' },
  });
  const { metrics, warnings } = objectMetrics(networkObjectsOf(harOf([harEntry(), unknown])));
  assert.equal(metrics['wireBytes'], null);
  assert.equal(metrics['connectionCount'], null);
  assert.match(warnings.join('\n'), /1 of 2 objects have no size .*\/x[^]*1 of 2 objects name no connection/);
});

test('the protocol share adds up to one and keeps names that are no known protocol', () => {
  const objects = networkObjectsOf(
    harOf(['h3', 'h3', 'http/1.1', 'spdy'].map((httpVersion) => harEntry({ httpVersion }))),
  );
  assert.deepEqual(protocolShare(objects), { h1: 0.25, h3: 0.5, spdy: 0.25 });
  assert.equal(protocolShare([]), undefined);
});
