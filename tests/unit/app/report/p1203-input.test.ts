import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { p1203Input, picturesOf, writeP1203Inputs } from '../../../../src/app/report/p1203-input.ts';
import { appendRecord } from '../../../../src/store/journal.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { writeEvidence } from '../../../../src/store/evidence.ts';
import { chunk, pageEvidence, rawTrial, soundOf, videoSession } from '../../analyse/derive/evidence.ts';

test('a session has its played segments and its waits as P.1203 takes them in mode 0', () => {
  const played = [chunk(0, 300), chunk(1, 25_000), chunk(2, 25_000)].map((one) => ({
    ...one,
    representation: `${one.bitrateKbps}k`,
    bytes: 500_000,
  }));
  const stalls = [{ startMs: 3000, endMs: 3250, mediaSeconds: 2, bufferSeconds: 0 }];
  const session = videoSession({ chunks: played, playedSeconds: 3, stalls });
  const ladder = ladderNamed('streaming');
  const low = ladder.tracks[0];
  const top = ladder.tracks.at(-1);
  const common = { bitrate: 2000, codec: 'h264', fps: ladder.framesPerSecond };
  assert.deepEqual(p1203Input(session, picturesOf(ladder)), {
    I11: { segments: [], streamId: 1 },
    I13: {
      segments: [
        { ...common, duration: 2, resolution: `${low?.width}x${low?.height}`, start: 0 },
        { ...common, duration: 1, resolution: `${top?.width}x${top?.height}`, start: 2 },
      ],
      streamId: 1,
    },
    I23: {
      stalling: [
        [0, 0.4],
        [2, 0.25],
      ],
      streamId: 1,
    },
    IGen: { device: 'pc', displaySize: '1920x1080', viewingDistance: '150cm' },
  });
});

test('an own video is judged by its own frame rate and shape, which its evidence holds', (t) => {
  const folder = join(tempFolder(t), 'run');
  const { plan, records } = generateRun({ blocks: 1 });
  const [record] = records;
  assert.ok(record !== undefined);
  const directory = createRunDirectory(folder, plan);
  const trialDir = directory.trialDir(record.trialId);
  mkdirSync(trialDir, { recursive: true });
  const session = videoSession({ chunks: [{ ...chunk(0, 300), representation: '300k' }], playedSeconds: 2 });
  const pictures = { framesPerSecond: 30_000 / 1001, resolutions: { '300k': '240x426' } };
  const evidence = pageEvidence({ raw: rawTrial({ session }) });
  writeEvidence(trialDir, { ...evidence, workload: { ...evidence.workload, kind: 'video', pictures } });
  const workload = 'video-streaming@upright-2s-bba';
  appendRecord(join(folder, 'journal.jsonl'), { ...record, status: 'ok', workload });
  assert.equal(writeP1203Inputs(directory), 1);
  const { I13 } = JSON.parse(readFileSync(join(trialDir, 'p1203.json'), 'utf8')) as {
    readonly I13: { readonly segments: readonly { readonly fps: number; readonly resolution: string }[] };
  };
  const [segment] = I13.segments;
  assert.deepEqual([segment?.fps, segment?.resolution], [30_000 / 1001, '240x426']);
});

test('a run without valid sessions of video is refused', (t) => {
  const folder = join(tempFolder(t), 'run');
  const { plan, records } = generateRun({ blocks: 1 });
  const directory = createRunDirectory(folder, plan);
  for (const record of records) appendRecord(join(folder, 'journal.jsonl'), record);
  assert.throws(() => writeP1203Inputs(directory), /has no valid video sessions/);
});

test('the sound of an H.264 ladder is AAC to P.1203, which knows no Opus', () => {
  const sound = soundOf(3);
  // A player may throw away what it holds, and fetch it again.
  const session = videoSession({
    sound: { ...sound, chunks: [...sound.chunks.slice(0, 1), ...sound.chunks] },
    playedSeconds: 5,
  });
  const heard = (ladder: string): unknown =>
    (p1203Input(session, picturesOf(ladderNamed(ladder))) as { I11: { segments: unknown } }).I11.segments;
  const second = { bitrate: 128, codec: 'aaclc', duration: 2 };
  assert.deepEqual(heard('streaming'), [
    { ...second, start: 0 },
    { ...second, start: 2 },
    { ...second, duration: 1, start: 4 },
  ]);
  assert.deepEqual(heard('padded-vp9'), []);
});
