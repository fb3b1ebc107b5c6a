import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../../video/page/chunk-places.ts';

const from = (mediaStartSeconds: number): { mediaStartSeconds: number; durationSeconds: number } => ({
  mediaStartSeconds,
  durationSeconds: 1,
});

test('a chunk has its place in the film, and one that was fetched again has it, too', () => {
  assert.deepEqual(placesOf([0, 1, 2, 3].map(from)), [0, 1, 2, 3]);
  assert.deepEqual(
    placesOf([0, 1, 1.02, 2.02, 3].map(from)),
    [0, 1, 1, 2, 3],
    'starts moved by a frame of sound',
  );
  assert.deepEqual(placesOf([]), []);
});
