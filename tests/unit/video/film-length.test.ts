import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedFilmSeconds, filmLengths } from '../../../video/film-length.ts';
import { ladderNamed } from '../../../video/ladders/registry.ts';

const streaming = ladderNamed('streaming');

test('20 s of generated pictures are encoded at the most, of which every chunk length takes a whole number', () => {
  assert.deepEqual(
    [4, 12, 20, 60, 180].map((seconds) => generatedFilmSeconds(streaming, seconds)),
    [4, 12, 20, 20, 20],
  );
  assert.equal(generatedFilmSeconds({ ...streaming, chunkSeconds: [2, 3, 4] }, 60), 24);
});

test('frames that say their numbers are never shown twice', () => {
  assert.equal(generatedFilmSeconds(ladderNamed('clock'), 60), 60);
});

test('chunks of every length are cut from the same seconds of an own video, or do not fit into it', () => {
  assert.deepEqual(
    [61, 15.9, 4, 3.9, 1.2, 0.9].map((seconds) => Math.max(...filmLengths(streaming, seconds), 0)),
    [60, 12, 4, 3, 1, 0],
  );
});
