import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { encodeLadder, ownVideoWorkloads, videoWorkloadNamed } from '../../video/index.ts';
import type { EncodePlan } from '../../video/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { videoContext } from '../support/video-context.ts';

const ffmpeg = await videoContext('').ffmpegPath();

function makeMedia(file: string, args: readonly string[]): string {
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...args, file]);
  return file;
}

const tone = (seconds: number): string[] => ['-f', 'lavfi', '-i', `sine=d=${seconds}`];
const picture = (seconds: number): string[] => ['-f', 'lavfi', '-i', `testsrc=s=320x240:r=25:d=${seconds}`];

/** A picture of the film before it, as programs that collect music and films keep them. */
const cover = ['-f', 'lavfi', '-i', 'color=c=red:s=300x300:d=0.04'];
const coverFirst = [
  '-map',
  '0:v',
  '-map',
  '1:v',
  '-map',
  '2:a',
  '-c:v:0',
  'mjpeg',
  '-disposition:v:0',
  'attached_pic',
];

async function rejection(input: string, cacheDir: string): Promise<H2h3Error> {
  const failure = await encodeLadder({ ladder: 'ci', input }, videoContext(cacheDir)).catch(
    (thrown: unknown) => thrown,
  );
  assert.ok(failure instanceof H2h3Error, String(failure));
  return failure;
}

test('an own video of another size and frame rate, behind its cover, becomes a ladder with workloads of its name', async (t) => {
  const folder = tempFolder(t);
  const media = [...cover, ...picture(5.5), ...tone(5.5), ...coverFirst];
  const input = makeMedia(join(folder, 'My Holiday.mp4'), media);
  const encoded = await encodeLadder({ ladder: 'ci', input }, videoContext(folder));
  assert.deepEqual([encoded.filmSeconds, encoded.mediaSeconds], [4, 60]);
  assert.equal(encoded.directories.length, 3, 'a folder for each of 1, 2 and 4 s');
  assert.ok(encoded.directories.every((directory) => existsSync(join(directory, '10000k', '00001.m4s'))));
  assert.ok(encoded.workloads.includes('video-ci@my-holiday-1s-bba-4s'));
  const workloads = await ownVideoWorkloads(folder);
  assert.deepEqual(workloads.map(({ id }) => id).sort(), [...encoded.workloads].sort());
  // Cached: the video itself is no longer needed.
  rmSync(input);
  const prepared = await workloads[0]?.prepare(videoContext(folder));
  assert.match(JSON.stringify(prepared?.entry), /play-\d+s\.mpd/);
});

test('the first video track that is long enough is encoded, and named where it is not the first', async (t) => {
  const folder = tempFolder(t);
  const still = ['-f', 'lavfi', '-i', 'color=c=red:s=300x300:d=0.04'];
  const film = [...picture(3.2), ...picture(2.2)];
  const all = (tracks: number): string[] =>
    Array.from({ length: tracks }, (_, index) => ['-map', String(index)]).flat();
  const asCover = ['-c:v:0', 'mjpeg', '-disposition:v:0', 'attached_pic'];
  const inputs = {
    // Matroska keeps no word on which track is a cover, and has attachments besides.
    still: makeMedia(join(folder, 'still.mkv'), [...still, ...film, ...all(3)]),
    covers: makeMedia(join(folder, 'covers.mp4'), [...cover, ...still, ...film, ...all(4), ...asCover]),
    attached: join(folder, 'attached.mkv'),
  };
  const jpeg = makeMedia(join(folder, 'cover.jpg'), [...cover, '-frames:v', '1']);
  makeMedia(inputs.attached, [...picture(3.2), '-attach', jpeg, '-metadata:s:t', 'mimetype=image/jpeg']);
  const tracks: Record<string, readonly [number | null | undefined, number]> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const announced: EncodePlan[] = [];
    const { filmSeconds, workloads } = await encodeLadder(
      { ladder: 'ci', input },
      videoContext(folder),
      (plan) => announced.push(plan),
    );
    tracks[name] = [announced[0]?.videoTrack, filmSeconds];
    const own = (await ownVideoWorkloads(folder)).filter(({ id }) => workloads.includes(id));
    rmSync(input);
    await own[0]?.prepare(videoContext(folder));
  }
  assert.deepEqual(tracks, { still: [2, 3], covers: [2, 3], attached: [1, 3] });
  const blink = makeMedia(join(folder, 'blink.mkv'), [...still, ...picture(0.4), ...all(2)]);
  assert.match((await rejection(blink, folder)).context.got ?? '', /^0\.4/);
});

test('a video shorter than a session begins again, which is said before and by its workloads', async (t) => {
  const folder = tempFolder(t);
  const input = makeMedia(join(folder, 'short.mp4'), [...picture(3.2), '-c:v', 'libx264']);
  const announced: EncodePlan[] = [];
  const encoded = await encodeLadder({ ladder: 'ci', input }, videoContext(folder), (plan) =>
    announced.push(plan),
  );
  assert.equal(encoded.filmSeconds, 3);
  assert.deepEqual(announced[0]?.loopedSeconds, [4, 12, 60]);
  assert.ok(encoded.workloads.includes('video-ci@short-1s-rate-4s'));
  const titles = (await ownVideoWorkloads(folder)).map(({ title }) => title);
  assert.ok(
    titles.every((title) => title.includes('film “short”, looped after 3 s, up to')),
    titles[0],
  );
  assert.ok(
    !encoded.workloads.some((id) => id.includes('-2s-')),
    'chunks that do not divide it are not offered',
  );
});

test('an input that is no video, has no video track, is too short or missing is named as that', async (t) => {
  const folder = tempFolder(t);
  const text = join(folder, 'notes.mp4');
  writeFileSync(text, 'not a video\n'.repeat(1000));
  assert.match((await rejection(text, folder)).message, /is no video/);
  const sound = await rejection(makeMedia(join(folder, 'sound.wav'), tone(3)), folder);
  assert.match(sound.message, /no video track/);
  const blink = await rejection(makeMedia(join(folder, 'blink.mp4'), picture(0.4)), folder);
  assert.match(blink.message, /too short/);
  assert.match(blink.context.expected ?? '', /one chunk of 1 s/);
  const missing = await rejection(join(folder, 'nowhere.mp4'), folder);
  assert.match(missing.message, /no such video file/);
  const pipe = join(folder, 'pipe.mp4');
  execFileSync('mkfifo', [pipe]);
  assert.match((await rejection(pipe, folder)).context.got ?? '', /no regular file/);
  assert.deepEqual([sound.code, blink.code, missing.code], ['bad-input', 'bad-input', 'bad-input']);
});

test('a length that the input does not have is refused', async (t) => {
  const folder = tempFolder(t);
  const input = makeMedia(join(folder, 'five.mp4'), picture(4));
  await assert.rejects(
    encodeLadder({ ladder: 'ci', input, seconds: 60 }, videoContext(folder)),
    (error) => error instanceof H2h3Error && error.code === 'usage' && error.context.got === '60 s',
  );
  const whole = await encodeLadder({ ladder: 'ci', input }, videoContext(folder));
  assert.equal(whole.filmSeconds, 4, 'every frame of it can be used');
});

test('without an input the test pictures are encoded, under the names that the presets use', async (t) => {
  const announced: EncodePlan[] = [];
  const encoded = await encodeLadder({ ladder: 'ci', seconds: 4 }, videoContext(tempFolder(t)), (plan) =>
    announced.push(plan),
  );
  assert.equal(encoded.mediaSeconds, 4);
  assert.ok(encoded.workloads.includes('video-ci-1s-bba-4s'));
  assert.ok(
    encoded.workloads.every((id) => id.endsWith('-4s')),
    'other sessions are encoded when they are run',
  );
  assert.deepEqual(announced[0]?.chunkSeconds, [1, 2, 4]);
  assert.ok((announced[0]?.estimate.cpuSeconds ?? 0) > 0);
});

test('test pictures of any length are encoded for the session of that length', async (t) => {
  const folder = tempFolder(t);
  const encoded = await encodeLadder({ ladder: 'ci', seconds: 6.5 }, videoContext(folder));
  assert.equal(encoded.mediaSeconds, 6);
  assert.ok(encoded.workloads.includes('video-ci-2s-rate-6s'));
  assert.equal(encoded.directories.length, 2, 'six seconds cannot be cut into chunks of four');
  const session = await videoWorkloadNamed('video-ci-2s-rate-6s')?.prepare(videoContext(folder));
  const query = session !== undefined && 'path' in session.entry ? session.entry.path : '';
  assert.ok(encoded.directories.some((directory) => query.includes(basename(directory))));
});

test('a name stands for one video until it is said to be replaced', async (t) => {
  const folder = tempFolder(t);
  const [one = '', other = ''] = [1.5, 2.5].map((seconds) =>
    makeMedia(join(folder, `${seconds}.mp4`), picture(seconds)),
  );
  const encode = (input: string, replace = false): ReturnType<typeof encodeLadder> =>
    encodeLadder({ ladder: 'ci', input, name: 'mine', replace }, videoContext(folder));
  await encode(one);
  await encode(one);
  await assert.rejects(
    encode(other),
    (error) => error instanceof H2h3Error && error.code === 'usage' && /--replace/.test(error.next ?? ''),
  );
  const announced: EncodePlan[] = [];
  const replaced = await encodeLadder(
    { ladder: 'ci', input: other, name: 'mine', replace: true },
    videoContext(folder),
    (plan) => announced.push(plan),
  );
  assert.equal(replaced.filmSeconds, 2);
  const leftOut = announced[0]?.leftOutSeconds ?? 0;
  assert.ok(leftOut > 0.4 && leftOut < 0.6, `what no session plays is said: ${leftOut} s`);
});
