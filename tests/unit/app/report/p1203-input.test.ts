import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { p1203Input, writeP1203Inputs } from '../../../../src/app/report/p1203-input.ts';
import { appendRecord } from '../../../../src/store/journal.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { chunk, videoSession } from '../../analyse/derive/evidence.ts';

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
  assert.deepEqual(p1203Input(session, ladder), {
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

test('a run without valid sessions of video is refused', (t) => {
  const folder = join(tempFolder(t), 'run');
  const { plan, records } = generateRun({ blocks: 1 });
  const directory = createRunDirectory(folder, plan);
  for (const record of records) appendRecord(join(folder, 'journal.jsonl'), record);
  assert.throws(() => writeP1203Inputs(directory), /has no valid video sessions/);
});
