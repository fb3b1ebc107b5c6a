import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { ladderNamed, ladders } from '../../../../video/ladders/registry.ts';

const padded = ladderNamed('padded');

test('the padded ladder has the bitrates of Zhang et al. 2024 and chunks of 1, 2 and 4 s', () => {
  assert.deepEqual(
    padded.tracks.map((track) => track.bitrateKbps),
    [20_000, 40_000, 80_000, 120_000, 160_000, 200_000],
  );
  assert.deepEqual(padded.chunkSeconds, [1, 2, 4]);
});

test('no two ladders share a name', () => {
  const names = ladders().map((ladder) => ladder.id);
  assert.equal(new Set(names).size, names.length);
});

test('an unknown ladder is refused with the names there are', () => {
  assert.throws(
    () => ladderNamed('nonsense'),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'usage' &&
      error.context.expected?.includes('padded') === true,
  );
});
