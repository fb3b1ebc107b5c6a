import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AbrInput } from '../../../../video/abr/abr-rule.ts';
import { fixedTrack } from '../../../../video/abr/fixed-track.ts';
import { harmonicMean, rateBased } from '../../../../video/abr/rate-based.ts';

const input = (chunkThroughputsKbps: readonly number[]): AbrInput => ({
  bitratesKbps: [300, 750, 1200, 1850, 2850, 4300],
  previousIndex: 2,
  bufferSeconds: 10,
  bufferTargetSeconds: 60,
  chunkSeconds: 4,
  chunkThroughputsKbps,
});

test('the harmonic mean weighs a slow chunk by the time it took', () => {
  // Half of equal chunks at 1000, half at 3000 kbit/s: 1500, not 2000.
  assert.equal(harmonicMean([1000, 3000]), 1500);
  assert.equal(harmonicMean([]), null);
});

test('without a measurement the lowest track is taken', () => {
  assert.equal(rateBased.decide(input([])).index, 0);
});

test('the highest bitrate below the prediction is taken', () => {
  assert.equal(rateBased.decide(input([2000, 2000, 2000])).index, 3);
  assert.equal(rateBased.decide(input([1850])).index, 2, 'a bitrate equal to the prediction is not below it');
  assert.equal(rateBased.decide(input([100])).index, 0, 'below the lowest there is only the lowest');
  assert.equal(rateBased.decide(input([50_000])).index, 5);
});

test('only the last five chunks count', () => {
  assert.equal(rateBased.decide(input([10, 5000, 5000, 5000, 5000, 5000])).index, 5);
  assert.equal(rateBased.decide(input([5000, 5000, 5000, 5000, 10])).index, 0);
});

test('a fixed track keeps to its rank, and to the top where the ladder is shorter', () => {
  assert.equal(fixedTrack(1).decide(input([9000])).index, 0);
  assert.equal(fixedTrack(4).decide(input([1])).index, 3);
  assert.equal(fixedTrack(9).decide(input([1])).index, 5);
});
