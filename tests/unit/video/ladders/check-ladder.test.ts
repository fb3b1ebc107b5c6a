import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { checked } from '../../../../video/ladders/check-ladder.ts';
import type { Ladder } from '../../../../video/ladders/ladder.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';

const padded = ladderNamed('padded');
const streaming = ladderNamed('streaming');

function assertRefused(ladder: Ladder, expected: RegExp, got: RegExp): void {
  assert.throws(
    () => checked(ladder),
    (thrown) => {
      assert.ok(thrown instanceof H2h3Error && thrown.code === 'bad-input', String(thrown));
      assert.match(thrown.context.expected ?? '', expected);
      assert.match(thrown.context.got ?? '', got);
      return true;
    },
  );
}

test('bitrates rise from track to track, and there are some', () => {
  const [low, high] = padded.tracks;
  assert.ok(low !== undefined && high !== undefined);
  assertRefused({ ...padded, tracks: [high, low] }, /rise/, /40000, 20000/);
  assertRefused({ ...padded, tracks: [low, low] }, /rise/, /20000, 20000/);
  assertRefused({ ...padded, tracks: [{ ...low, bitrateKbps: 0 }, high] }, /positive/, /^0, /);
  assertRefused({ ...padded, tracks: [] }, /at least one/, /none/);
});

test('chunks are of whole GOPs and whole seconds, and divide a session', () => {
  assertRefused({ ...padded, chunkSeconds: [1.5] }, /multiples of 1 s/, /^1\.5$/);
  assertRefused({ ...padded, chunkSeconds: [] }, /multiples of 1 s/, /none/);
  assertRefused({ ...padded, gopSeconds: 2, chunkSeconds: [3] }, /multiples of 2 s/, /^3$/);
  assertRefused({ ...padded, chunkSeconds: [1, 7] }, /divide a session/, /^7$/);
  assertRefused({ ...padded, framesPerSecond: 29.97 }, /whole number of frames/, /29\.97/);
});

test('what a padded ladder carries fits into its lowest track', () => {
  const [lowest] = padded.tracks;
  assert.ok(lowest !== undefined);
  assertRefused({ ...streaming, form: 'padded' }, /base encode/, /none/);
  assertRefused(
    { ...padded, base: { maxBitrateKbps: lowest.bitrateKbps, quantiser: 26 } },
    /at most 10000 kbit\/s, .* chunks of 1 s/,
    /^20000 kbit\/s$/,
  );
  assertRefused({ ...streaming, codec: 'vp9' }, /H\.264/, /vp9/);
});

test('what encoders, players and names cannot take is refused before anything is encoded', () => {
  assertRefused(
    { ...padded, tracks: padded.tracks.map((track) => ({ ...track, width: 427 })) },
    /even/,
    /427 × 720/,
  );
  assertRefused({ ...padded, mediaBufferMegabytes: 0 }, /mediaBufferMegabytes of at least 650/, /^0$/);
  assertRefused({ ...padded, id: 'Padded' }, /small letters/, /Padded/);
  assertRefused({ ...padded, id: 'padded-2s' }, /without a length/, /padded-2s/);
});
