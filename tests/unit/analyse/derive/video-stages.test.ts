import assert from 'node:assert/strict';
import { test } from 'node:test';
import { videoStages } from '../../../../src/analyse/derive/video-stages.ts';
import { videoSessionSchema, type VideoSession } from '../../../../src/core/model/session.ts';

const chunk = (
  index: number,
  startMs: number,
  firstMs: number,
  endMs: number,
): VideoSession['chunks'][number] => ({
  index,
  representation: 'a',
  bitrateKbps: 1000,
  mediaStartSeconds: index * 2,
  durationSeconds: 2,
  url: `/${index}`,
  bytes: 250_000,
  protocol: 'h3',
  bufferLevelSeconds: 1,
  requestStartMs: startMs,
  responseStartMs: firstMs,
  responseEndMs: endMs,
});

const session = (parts: Partial<VideoSession>): VideoSession =>
  videoSessionSchema.parse({
    kind: 'video',
    player: { name: 'dash.js', version: '5.2.1' },
    timeOriginEpochMs: 50_000,
    loadCallMs: 100,
    firstFrameMs: 1000,
    endedMs: 9000,
    playedSeconds: 4,
    outcome: 'play-length',
    ladder: [],
    abr: 'x',
    chunkSeconds: 2,
    chunks: [chunk(0, 300, 500, 900), chunk(1, 3000, 3600, 4800)],
    bufferSamples: [],
    stalls: [{ startMs: 3200, endMs: 5000, mediaSeconds: 2, bufferSeconds: 0 }],
    decodedFrames: 1,
    droppedFrames: 0,
    decisions: [],
    errors: [],
    ...parts,
  });

test('start-up and stalls of a video are divided by what was under way, and add up', () => {
  const stages = videoStages(session({}), undefined, undefined);
  // Start: 200 player, 200 first byte, 400 transfer, 100 player. Stall: 400 first byte, 1200 transfer, 200 player.
  assert.deepEqual(stages, { firstByte: 600, transfer: 1600, player: 500, decoding: 0 });
});

test('transfer is divided by what was full where that was watched', () => {
  const busy = {
    startEpochMs: 50_000,
    durationMs: 5000,
    receiver: 0.95,
    receiverWithheld: 0,
    sender: 0.1,
    receivedBytes: 1,
  };
  const stages = videoStages(session({}), [busy], 100);
  assert.deepEqual([stages?.['receiverCpu'], stages?.['transfer'], stages?.['firstByte']], [1600, 0, 600]);
});

test('a wait with enough buffered is the decoder’s, and playback that never began says nothing', () => {
  const stalls = [{ startMs: 3200, endMs: 3700, mediaSeconds: 1, bufferSeconds: 1 }];
  assert.equal(videoStages(session({ stalls }), undefined, undefined)?.['decoding'], 500);
  assert.equal(videoStages(session({ firstFrameMs: null }), undefined, undefined), undefined);
});

test('sound that is under way is transfer, no wait for the player', () => {
  const stalls = [{ startMs: 5000, endMs: 5400, mediaSeconds: 2, bufferSeconds: 0 }];
  const silent = videoStages(session({ stalls }), undefined, undefined);
  const sound = { bitrateKbps: 128, chunks: [chunk(1, 4900, 5100, 5400)] };
  const heard = videoStages(session({ stalls, sound }), undefined, undefined);
  const grown = ['firstByte', 'transfer', 'player'].map(
    (stage) => (heard?.[stage] ?? 0) - (silent?.[stage] ?? 0),
  );
  assert.deepEqual(grown, [100, 300, -400]);
});
