import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { AssetRequest } from '../../../../video/encoder/asset.ts';
import { estimateEncode } from '../../../../video/encoder/estimate.ts';
import { soundKbps, type FilmSound } from '../../../../video/encoder/film-sound.ts';
import { readFragmentedFile } from '../../../../video/encoder/fragmented-file.ts';
import { filmFacts } from '../../../../video/encoder/look-at-film.ts';
import { prepareAsset, type PreparedAsset } from '../../../../video/encoder/prepare-asset.ts';
import { soundEncode } from '../../../../video/encoder/sound-encode.ts';
import { readInputVideo } from '../../../../video/encoder/source.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { videoContext } from '../../../support/video-context.ts';

const { signal } = new AbortController();
const samplesPerSecond = 8000;

/** A film whose sound is silence for its first second and a tone after it, as an asset of 1 s chunks that repeats it. */
async function heard(
  folder: string,
  film: { readonly seconds: number; readonly mediaSeconds: number; readonly ladder?: string },
  sound: FilmSound = { track: 0, codec: 'aac', startSeconds: 0 },
): Promise<PreparedAsset & { readonly ffmpeg: string }> {
  const context = videoContext(folder);
  const ffmpeg = await context.ffmpegPath();
  const file = join(folder, 'film.mkv');
  const tone = `sine=d=${film.seconds},volume='if(lt(t,1),0,1)':eval=frame`;
  const inputs = ['-f', 'lavfi', '-i', `testsrc=s=64x36:r=30:d=${film.seconds}`, '-f', 'lavfi', '-i', tone];
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...inputs, '-c:v', 'ffv1', '-c:a', 'pcm_s16le', file]);
  const limits = { minSeconds: 1, maxSeconds: 60 };
  const { source } = await readInputVideo(file, ffmpeg, limits, signal);
  const request: AssetRequest = {
    ladder: ladderNamed(film.ladder ?? 'ci'),
    chunkSeconds: 1,
    mediaSeconds: film.mediaSeconds,
    filmSeconds: film.seconds,
    playSeconds: [film.mediaSeconds],
    source: { ...source, sound },
  };
  return { ...(await prepareAsset(request, context)), ffmpeg };
}

/** The loudest sample of each second, of the segments played one after another; a tenth of a second at its ends is left out. */
function loudness({ asset, directory, ffmpeg }: Awaited<ReturnType<typeof heard>>): number[] {
  const count = asset.sound?.segmentBytes.length ?? 0;
  const segments = Array.from({ length: count }, (_, index) => `${String(index + 1).padStart(5, '0')}.m4s`);
  const joined = join(directory, 'joined.mp4');
  const files = ['init.mp4', ...segments].map((name) => readFileSync(join(directory, 'sound', name)));
  writeFileSync(joined, Buffer.concat(files));
  const output = [
    '-v',
    'error',
    '-i',
    joined,
    '-ac',
    '1',
    '-ar',
    String(samplesPerSecond),
    '-f',
    's16le',
    '-',
  ];
  const pcm = execFileSync(ffmpeg, output);
  return Array.from({ length: count }, (_, second) => {
    const margin = samplesPerSecond / 10;
    const samples = Array.from({ length: samplesPerSecond - 2 * margin }, (_unused, index) =>
      Math.abs(pcm.readInt16LE((second * samplesPerSecond + margin + index) * 2)),
    );
    return Math.max(...samples);
  });
}

const isLoud = (level: number): boolean => level > 1000;

for (const [codec, ladder] of [
  ['aac', 'ci'],
  ['opus', 'padded-vp9'],
] as const)
  test(`sound in ${codec} begins again with its film, second by second`, async (t) => {
    const film = { seconds: 2, mediaSeconds: 6, ladder };
    const played = await heard(tempFolder(t), film, { track: 0, codec, startSeconds: 0 });
    assert.deepEqual(loudness(played).map(isLoud), [false, true, false, true, false, true]);
    assert.equal(played.asset.sound?.codecs, codec === 'aac' ? 'mp4a.40.2' : 'opus');
    assert.deepEqual(
      played.asset.tracks.map(({ representation }) => representation),
      ladderNamed(ladder).tracks.map(({ bitrateKbps }) => `${bitrateKbps}k`),
      'sound is none of the tracks',
    );
  });

test('sound that begins before its film is cut, and what is missing is silence', async (t) => {
  const late = { track: 0, codec: 'aac', startSeconds: 1 } as const;
  const played = await heard(tempFolder(t), { seconds: 3, mediaSeconds: 3 }, late);
  assert.deepEqual(loudness(played).map(isLoud), [true, true, false]);
});

test('a segment of sound has one fragment a part, weighs its rate, and outlasts its pictures by nothing', async (t) => {
  const { asset, directory } = await heard(tempFolder(t), { seconds: 2, mediaSeconds: 2 });
  const { segmentBytes = [], partSeconds, samplesPerSecond: ticksPerSecond = 0 } = asset.sound ?? {};
  assert.equal(partSeconds, 1);
  for (const [index, bytes] of segmentBytes.entries()) {
    const { fragments } = await readFragmentedFile(join(directory, 'sound', `0000${index + 1}.m4s`));
    const [only, ...others] = fragments;
    assert.ok(only !== undefined && others.length === 0);
    const endsSeconds = (only.decodeTimeTicks + only.durationTicks) / ticksPerSecond;
    const shortSeconds = index + 1 - endsSeconds;
    assert.ok(shortSeconds >= 0 && shortSeconds < 1024 / ticksPerSecond, `${shortSeconds} s`);
    assert.ok(bytes < 1.1 * 16_000, `${bytes} bytes`);
  }
});

test('sound that cannot be encoded is named as that, with a way to do without', async (t) => {
  const none = { track: 3, codec: 'aac', startSeconds: 0 } as const;
  await assert.rejects(
    heard(tempFolder(t), { seconds: 1, mediaSeconds: 1 }, none),
    (error) =>
      error instanceof H2h3Error &&
      /sound of the film cannot be encoded/.test(error.message) &&
      /without sound/.test(error.next ?? ''),
  );
});

test('pictures without sound are encoded and named as before', async (t) => {
  const silent: AssetRequest = {
    ladder: ladderNamed('ci'),
    chunkSeconds: 2,
    mediaSeconds: 4,
    filmSeconds: 4,
    playSeconds: [4],
    source: { kind: 'generated' },
  };
  assert.equal(soundEncode(silent), undefined);
  const { asset } = await prepareAsset(silent, videoContext(tempFolder(t)));
  assert.ok(!('sound' in asset));
});

test('generated pictures have a generated sound where their ladder says so, at its rate and loud in each second', async (t) => {
  const context = videoContext(tempFolder(t));
  const request: AssetRequest = {
    ladder: { ...ladderNamed('ci'), sound: 'aac' },
    chunkSeconds: 1,
    mediaSeconds: 6,
    filmSeconds: 2,
    playSeconds: [6],
    source: { kind: 'generated' },
  };
  const played = await prepareAsset(request, context);
  const levels = loudness({ ...played, ffmpeg: await context.ffmpegPath() });
  assert.deepEqual(levels.map(isLoud), [true, true, true, true, true, true]);
  const bytes = (played.asset.sound?.segmentBytes ?? []).reduce((sum, size) => sum + size, 0);
  const kbps = (bytes * 8) / 1000 / request.mediaSeconds;
  assert.ok(kbps > 0.8 * soundKbps && kbps < 1.2 * soundKbps, `${kbps} kbit/s`);
  assert.ok(
    estimateEncode(request.ladder, request).diskBytes > estimateEncode(ladderNamed('ci'), request).diskBytes,
  );
});

test('the first sound track that can be decoded is played, and the others are told', () => {
  const log = [
    '  Stream #0:0: Video: h264, yuv420p, 640x360',
    '  Stream #0:1(eng): Audio: none (0x0000), 0 channels',
    '  Stream #0:2(eng): Audio: aac (LC), 44100 Hz, stereo, fltp',
    '  Stream #0:3(ger): Audio: aac (LC), 44100 Hz, stereo, fltp',
    'Stream mapping:',
    '[Parsed_showinfo_0] n:   0 pts:  15360 pts_time:0.5 fmt:yuv420p',
  ].join('\n');
  const { soundTrack, otherTracks, startSeconds } = filmFacts(log);
  assert.deepEqual([soundTrack, otherTracks.get('Audio'), startSeconds], [1, 2, 0.5]);
  assert.equal(filmFacts('  Stream #0:0: Video: h264, yuv420p').soundTrack, undefined);
  assert.equal(filmFacts(log.replace('pts_time:0.5', 'pts_time:NOPTS')).startSeconds, 0);
});
