import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestVersions, newestFirst, versionMatches } from '../../../../harness/tools/version-order.ts';

test('a number means the versions that begin with it, part by part', () => {
  assert.ok(versionMatches('153.0.0', '153'));
  assert.ok(versionMatches('123.0.1', '123.0.1'));
  assert.ok(!versionMatches('153.0.0', '15'));
  assert.ok(!versionMatches('153.0.10', '153.0.1'));
});

test('versions are ordered by number, newest first, and what precedes a release comes after it', () => {
  const mixed = ['99.0.0', '119.0.1-next.0', '153.0.0', '119.0.1', '119.0.1-next.2', '9.9.9'];
  assert.deepEqual(mixed.toSorted(newestFirst), [
    '153.0.0',
    '119.0.1',
    '119.0.1-next.2',
    '119.0.1-next.0',
    '99.0.0',
    '9.9.9',
  ]);
});

test('the versions named instead of a missing one are those nearest to it', () => {
  const all = ['92.0.0', '119.0.0', '121.0.0', '123.0.1', '126.0.0', '153.0.0', '124.0.0-next.0'];
  assert.deepEqual(nearestVersions(all, '124', 3), ['126.0.0', '123.0.1', '121.0.0']);
  assert.deepEqual(nearestVersions([], '124'), []);
});
