import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stallsOf } from '../../../../../src/core/metrics/evidence/stalls.ts';
import { chunk, videoSession } from '../../../analyse/derive/evidence.ts';

const chunks = [chunk(0, 1000), chunk(1, 1000)]; // media from 0 s to 4 s
const wait = { startMs: 6000, endMs: 6400, mediaSeconds: 3, bufferSeconds: 0.1 };

test('a wait with an empty buffer is the network’s, one with enough buffered is the decoder’s', () => {
  const stalls = [wait, { ...wait, startMs: 7000, endMs: 7100, bufferSeconds: 0.8 }];
  const { network, decode } = stallsOf(videoSession({ chunks, stalls }));
  assert.equal(network.totalMs, 400);
  assert.equal(decode.totalMs, 100);
});

test('a wait after all was fetched is the decoder’s, however little is buffered', () => {
  const stalls = [{ ...wait, mediaSeconds: 3.9, bufferSeconds: 0.1 }];
  const ended = stallsOf(videoSession({ chunks, stalls, outcome: 'ended' }));
  assert.deepEqual([ended.network.totalMs, ended.decode.totalMs], [0, 400]);
  const cut = stallsOf(videoSession({ chunks, stalls, outcome: 'play-length' }));
  assert.equal(cut.network.totalMs, 400, 'more was still to come');
});
