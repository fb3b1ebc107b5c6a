import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { encodeLadder } from '../../video/index.ts';
import type { EncodePlan } from '../../video/index.ts';
import { readFragmentedFile } from '../../video/encoder/fragmented-file.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { videoContext } from '../support/video-context.ts';

const ffmpeg = await videoContext('').ffmpegPath();

const drawn = (picture: string): string[] => ['-f', 'lavfi', '-i', picture];
/** Nothing is shown of a film before its first picture. */
const late = (input: readonly string[]): string[] => ['-itsoffset', '3', ...input];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const losslessTenBits = ['-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le'];
const hdrColours = '-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 -color_range tv'.split(
  ' ',
);

interface OddFilm {
  readonly what: string;
  readonly file: string;
  readonly made: readonly string[];
  readonly ladder?: string;
  readonly frameRate: string;
  /** Of its best track. */
  readonly size: readonly [width: number, height: number];
  /** Length that is encoded (s). */
  readonly seconds: number;
  /** What is said of it before it is encoded. */
  readonly changes: readonly RegExp[];
}

const larger = /^6 of 6 tracks enlarge it/;

const oddFilms: readonly OddFilm[] = [
  {
    what: '29.97 frames a second, no sound',
    file: 'ntsc.mp4',
    made: [...drawn('testsrc=s=640x360:r=30000/1001:d=4'), ...h264],
    frameRate: '30000/1001',
    size: [640, 360],
    seconds: 4,
    changes: [],
  },
  {
    what: 'an upright picture that begins late, and the sound of one channel',
    file: 'upright.mkv',
    made: [...late(drawn('testsrc=s=360x640:r=25:d=2')), ...late(drawn('sine=d=2')), '-ac', '1', ...h264],
    frameRate: '25',
    size: [360, 640],
    seconds: 2,
    changes: [/^Its sound becomes AAC, stereo, 128 kbit\/s\.$/],
  },
  {
    what: 'pixels that are not square, 5.1 sound',
    file: 'anamorphic.mkv',
    made: [...drawn('testsrc=s=360x360:r=24:d=2,setsar=16/9'), ...drawn('sine=d=2'), '-ac', '6', ...h264],
    frameRate: '24',
    size: [640, 360],
    seconds: 2,
    changes: [/^Its pixels become square: 360 × 360 becomes 640 × 360\.$/, /^Its sound becomes AAC/],
  },
  {
    what: '10 bits for H.264, which not every browser plays',
    file: 'ten-bits.mkv',
    made: [...drawn('testsrc=s=640x360:r=50:d=2'), ...losslessTenBits],
    frameRate: '50',
    size: [640, 360],
    seconds: 2,
    changes: [/^Its 10 bits a colour become 8\.$/],
  },
  {
    what: '10 bits of HDR',
    file: 'hdr.mkv',
    made: [...drawn('testsrc=s=640x360:r=30:d=1'), ...losslessTenBits, ...hdrColours],
    frameRate: '30',
    size: [640, 360],
    seconds: 1,
    changes: [/^Its HDR colours are tone-mapped to SDR with 8 bits\.$/],
  },
  {
    what: 'odd width and height, fewer pixels than the tracks',
    file: 'odd.mkv',
    made: [...drawn('testsrc=s=321x181:r=25:d=2'), '-c:v', 'ffv1', '-pix_fmt', 'yuv444p'],
    frameRate: '25',
    size: [638, 360],
    seconds: 2,
    changes: [larger],
  },
  {
    what: 'frames at varying distances',
    file: 'varying.mp4',
    made: [
      ...drawn("testsrc=s=640x360:r=30:d=2,setpts='if(lt(N,30),N,N+floor((N-30)/2)*3)/30/TB'"),
      '-fps_mode',
      'vfr',
      ...h264,
    ],
    frameRate: '30',
    size: [640, 360],
    seconds: 3,
    changes: [/^Its frame rate varies and becomes constant at 30 frames\/s\.$/],
  },
];

const encodeFilm = async (
  file: string,
  cacheDir: string,
  ladder = 'ci',
): Promise<{ plan: EncodePlan; directory: string }> => {
  const plans: EncodePlan[] = [];
  const encoded = await encodeLadder({ ladder, input: file }, videoContext(cacheDir), (plan) =>
    plans.push(plan),
  );
  const [plan] = plans;
  const [directory] = encoded.directories;
  assert.ok(plan !== undefined && directory !== undefined);
  return { plan, directory };
};

async function requireFilm(
  oddFilm: OddFilm,
  { plan, directory }: Awaited<ReturnType<typeof encodeFilm>>,
): Promise<void> {
  const { frameRate, size, seconds, changes } = oddFilm;
  assert.equal(plan.filmSeconds, seconds);
  assert.equal(plan.changes.length, changes.length, plan.changes.join('\n'));
  changes.forEach((change, index) => assert.match(plan.changes[index] ?? '', change));
  assert.ok(readFileSync(join(directory, 'play-4s.mpd'), 'utf8').includes(`frameRate="${frameRate}"`));
  const { track } = await readFragmentedFile(join(directory, '10000k', 'init.mp4'));
  assert.deepEqual([track?.width, track?.height], size);
}

for (const film of oddFilms)
  test(`an own film with ${film.what} is kept as far as it can be, and the rest is said`, async (t) => {
    const folder = tempFolder(t);
    const file = join(folder, film.file);
    execFileSync(ffmpeg, ['-v', 'error', '-y', ...film.made, file]);
    await requireFilm(film, await encodeFilm(file, folder));
  });

test('a film that its file turns and that has subtitles is played turned, without them', async (t) => {
  const folder = tempFolder(t);
  const [straight, titles, file] = ['straight.mp4', 'titles.srt', 'turned.mp4'].map((name) =>
    join(folder, name),
  );
  assert.ok(straight !== undefined && titles !== undefined && file !== undefined);
  execFileSync(ffmpeg, ['-v', 'error', ...drawn('testsrc=s=640x360:r=30:d=2'), ...h264, straight]);
  writeFileSync(titles, '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  const turned = ['-i', straight, '-i', titles, '-c', 'copy', '-c:s', 'mov_text'];
  execFileSync(ffmpeg, ['-v', 'error', ...turned, ...turning(), file]);
  const { plan, directory } = await encodeFilm(file, folder);
  assert.match(
    plan.changes.join('\n'),
    /^It is turned by -?90°, as its file asks\.\n.*subtitles \(1 track\)\.$/,
  );
  const { track } = await readFragmentedFile(join(directory, '10000k', 'init.mp4'));
  assert.deepEqual([track?.width, track?.height], [360, 640]);
});

/** ffmpeg 5 turns by the metadata of a copied track; later ones ignore that for an option of the input. */
function turning(): string[] {
  const help = execFileSync(ffmpeg, ['-v', 'error', '-h', 'full'], { encoding: 'utf8', maxBuffer: 1e8 });
  assert.ok(!help.includes('-display_rotation'), 'this ffmpeg has another way');
  return ['-metadata:s:v', 'rotate=90'];
}

test('AV1 keeps 10 bits, at 29.97 frames a second too, chunk by chunk', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'ten-bits.mkv');
  const source = drawn('testsrc=s=640x360:r=30000/1001:d=4');
  execFileSync(ffmpeg, ['-v', 'error', ...source, ...losslessTenBits, file]);
  const { plan, directory } = await encodeFilm(file, folder, 'padded-av1');
  assert.deepEqual(plan.changes, ['6 of 6 tracks enlarge it: it has 640 × 360 pixels.']);
  assert.match(readFileSync(join(directory, 'play-4s.mpd'), 'utf8'), /codecs="av01\.\d\.\d\d[MH]\.10"/);
});

test('a stopped encode leaves nothing half made, and a second call goes on after the finished tracks', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'film.mp4');
  execFileSync(ffmpeg, ['-v', 'error', ...drawn('testsrc=s=640x360:r=30:d=4'), ...h264, file]);
  const stop = new AbortController();
  const seen: string[] = [];
  const labels =
    (into: string[]) =>
    ({ title, detail = '' }: { title: string; detail?: string }): void => {
      if (title !== 'encoding video' || into.at(-1) === detail) return;
      into.push(detail);
      if (detail.startsWith('360p')) stop.abort();
    };
  const options = { ladder: 'streaming-720p', input: file };
  await assert.rejects(
    encodeLadder(options, videoContext(folder, { signal: stop.signal, progress: labels(seen) })),
    (error) => error instanceof H2h3Error && error.code === 'interrupted',
  );
  const left = (name: string): string[] => readdirSync(join(folder, 'video', name));
  assert.deepEqual([left('work'), left('encodes').length], [[], 2]);
  const again: string[] = [];
  await encodeLadder(options, videoContext(folder, { progress: labels(again) }));
  assert.ok(
    again.every((label) => !label.startsWith('144p at') && !label.startsWith('240p at')),
    again.join(),
  );
  assert.equal(left('encodes').length, 5);
});
