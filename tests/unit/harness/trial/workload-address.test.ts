import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryUrl, workloadHosts } from '../../../../harness/trial/workload-address.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';

const workload: PreparedWorkload = {
  id: 'page',
  kind: 'page',
  title: 'page',
  roots: [
    { host: 'a.test', directory: '/a' },
    { host: 'b.test', directory: '/b' },
  ],
  entry: { host: 'a.test', path: '/x?y=1' },
  driver: 'load',
  quietMs: 100,
  deadlineMs: 1000,
  loggedHosts: [],
  mediaBufferMegabytes: 0,
  facts: { source: 'test' },
};

test('the entry is an address with the port of the server, unless that is the default one', () => {
  assert.equal(entryUrl(workload, 4433), 'https://a.test:4433/x?y=1');
  assert.equal(entryUrl(workload, 443), 'https://a.test/x?y=1');
});

test('a live address is taken as it is', () => {
  const live = { ...workload, roots: [], entry: { url: 'https://example.com/shop' } };
  assert.equal(entryUrl(live, null), 'https://example.com/shop');
  assert.deepEqual(workloadHosts(live), ['example.com']);
});

test('every host is named once', () => {
  assert.deepEqual(workloadHosts(workload), ['a.test', 'b.test']);
});
