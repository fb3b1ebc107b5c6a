import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeFilm } from '../../src/app/report/film.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { runProgram } from '../../src/core/system/run-program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { filledImage } from '../unit/analyse/derive/images.ts';

const size = { width: 320, height: 240 } as const;
const [dark, bright] = [20, 230] as const;

/** A picture of one grey, as a file. */
function picture(folder: string, grey: number): string {
  const file = path.join(folder, `grey-${grey}.jpg`);
  writeFileSync(file, filledImage(size.width, size.height, size.height, [grey, grey, grey]));
  return file;
}

test('a film shows both loads side by side, each picture at its moment, as WebM and as moving WebP', async (t) => {
  const ffmpegPath = await findOnPath('ffmpeg', { platform: process.platform, environment: process.env });
  if (ffmpegPath === undefined) {
    t.skip('there is no ffmpeg on PATH');
    return;
  }
  const folder = tempFolder(t);
  const [webm, webp] = ['film.webm', 'film.webp'].map((name) => path.join(folder, name));
  assert.ok(webm !== undefined && webp !== undefined);
  const before = picture(folder, dark);
  const after = picture(folder, bright);
  // The second load is painted 600 ms before the first.
  const loads = [1000, 400].map((paintedMs, i) => ({
    title: `HTTP/${i + 2}`,
    frames: [
      { tMs: 50, file: before },
      { tMs: paintedMs, file: after },
    ],
  }));
  await makeFilm({ ffmpegPath, loads, webm, webp });

  const run = async (args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await runProgram(ffmpegPath, ['-v', 'error', ...args], {
      timeoutMs: 60_000,
    });
    assert.equal(exitCode, 0, stderr);
  };
  const greysAt = async (seconds: number): Promise<[number, number]> => {
    const raw = path.join(folder, `at-${seconds}.gray`);
    const small = ['-frames:v', '1', '-vf', 'scale=8:4', '-pix_fmt', 'gray', '-f', 'rawvideo', raw];
    await run(['-y', '-ss', String(seconds), '-i', webm, ...small]);
    const pixels = readFileSync(raw);
    // Of the third row from above, one pixel from the middle of each half.
    return [pixels[2 * 8 + 2] ?? -1, pixels[2 * 8 + 5] ?? -1];
  };
  for (const [seconds, left, right] of [
    [0.2, dark, dark],
    [0.7, dark, bright],
    [1.3, bright, bright],
  ] as const) {
    const [first, second] = await greysAt(seconds);
    assert.ok(Math.abs(first - left) < 30, `after ${seconds} s the first is ${first}, not ${left}`);
    assert.ok(Math.abs(second - right) < 30, `after ${seconds} s the second is ${second}, not ${right}`);
  }
  const moving = readFileSync(webp);
  assert.equal(moving.subarray(8, 12).toString(), 'WEBP');
  const pictures = moving.toString('latin1').split('ANMF').length - 1;
  assert.ok(pictures >= 3, `${pictures} pictures in the WebP`);
});
