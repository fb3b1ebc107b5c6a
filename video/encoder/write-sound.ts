import { mkdir, open, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { usualPartSeconds } from '../page/broadcast.ts';
import { soundRepresentation } from '../page/sound.ts';
import { initFile, segmentFile } from './asset.ts';
import type { Asset, AssetRequest } from './asset.ts';
import { soundChannels, soundKbps, soundSamplesPerSecond } from './film-sound.ts';
import { readFragmentedFile } from './fragmented-file.ts';
import type { FragmentedFile } from './fragmented-file.ts';
import { segmentCount } from './segment-frames.ts';

export type SoundTrack = NonNullable<Asset['sound']>;

/** One frame of sound in the encoded file. */
interface SoundFrame {
  readonly offset: number;
  readonly size: number;
  readonly decodeTimeTicks: number;
  readonly durationTicks: number;
}

/**
 * Cuts an encode of which each fragment is one frame into the segments of a film's sound, and reads them back. A frame belongs to
 * the segment in which it ends, so that no sound outlasts its pictures: dash.js 5 takes a session for over at the end of its
 * pictures, and goes back where anything is still played.
 * @throws H2h3Error `process-failed`, `bad-input`
 */
export async function writeSound(
  directory: string,
  { chunkSeconds, mediaSeconds }: Pick<AssetRequest, 'chunkSeconds' | 'mediaSeconds'>,
  {
    file,
    partSeconds = usualPartSeconds,
  }: { readonly file: string; readonly partSeconds?: number | undefined },
): Promise<SoundTrack> {
  const encode = await readFragmentedFile(file);
  const { frames, timescale, codecs } = soundFrames(encode, file);
  const folder = join(directory, soundRepresentation);
  await mkdir(folder);
  await writeFile(join(folder, initFile), encode.init);
  const wholeParts = partsOf(
    partSeconds,
    Math.max(...frames.map(({ durationTicks }) => durationTicks)) / timescale,
  );
  const segmentBytes: number[] = [];
  const source = await open(file, 'r');
  try {
    let sequence = 0;
    for (let index = 0; index < segmentCount(mediaSeconds, chunkSeconds); index += 1) {
      const span = [index * chunkSeconds, Math.min((index + 1) * chunkSeconds, mediaSeconds)] as const;
      const parts = cutParts(frames, span, { partSeconds: wholeParts, timescale });
      const fragments: Buffer[] = [];
      for (const part of parts) fragments.push(await soundFragment(source, part, (sequence += 1)));
      const bytes = Buffer.concat(fragments);
      await writeFile(join(folder, segmentFile(index + 1)), bytes, { flag: 'wx' });
      segmentBytes.push(bytes.length);
    }
  } finally {
    await source.close();
  }
  const track: SoundTrack = {
    representation: soundRepresentation,
    bitrateKbps: soundKbps,
    codecs,
    channels: soundChannels,
    samplesPerSecond: soundSamplesPerSecond,
    partSeconds: wholeParts,
    initBytes: encode.init.length,
    segmentBytes,
  };
  await verifySound(folder, encode, { chunkSeconds, mediaSeconds, count: segmentBytes.length });
  return track;
}

function soundFrames(
  { track, fragments, boxes }: FragmentedFile,
  file: string,
): { readonly frames: readonly SoundFrame[]; readonly timescale: number; readonly codecs: string } {
  const data = boxes.filter(({ type }) => type === 'mdat');
  if (track === null || fragments.length === 0 || fragments.some(({ sampleCount }) => sampleCount !== 1))
    throw wrongSound(file, 'fragments of one frame', `${fragments.length} fragments`);
  const frames = fragments.map(({ decodeTimeTicks, durationTicks }, index) => {
    const { offset = 0, size = 0, headerSize = 0 } = data[index] ?? {};
    return { offset: offset + headerSize, size: size - headerSize, decodeTimeTicks, durationTicks };
  });
  return { frames, timescale: track.timescale, codecs: track.codecs };
}

/** As many parts of the pictures as hold a frame of sound at least (s). */
const partsOf = (partSeconds: number, frameSeconds: number): number =>
  partSeconds * Math.ceil(frameSeconds / partSeconds);

/** Far more than that of a division, far less than a frame (parts). */
const divisionError = 1e-9;

function cutParts(
  frames: readonly SoundFrame[],
  [startSeconds, endSeconds]: readonly [number, number],
  { partSeconds, timescale }: { readonly partSeconds: number; readonly timescale: number },
): SoundFrame[][] {
  const parts: SoundFrame[][] = [];
  for (const frame of frames) {
    const endsSeconds = (frame.decodeTimeTicks + frame.durationTicks) / timescale;
    if (endsSeconds <= startSeconds || endsSeconds > endSeconds) continue;
    (parts[Math.ceil((endsSeconds - startSeconds) / partSeconds - divisionError) - 1] ??= []).push(frame);
  }
  return parts;
}

/** Independent of every other frame (ISO/IEC 14496-12, 8.8.3.1). */
const independentSample = 0x2000000;

/** Frames joined to one fragment: each of its own, their heads would be a third of what is sent. */
async function soundFragment(
  source: FileHandle,
  frames: readonly SoundFrame[],
  sequence: number,
): Promise<Buffer> {
  const payloads = await Promise.all(
    frames.map(async ({ offset, size }) => {
      const bytes = Buffer.alloc(size);
      await source.read(bytes, 0, size, offset);
      return bytes;
    }),
  );
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(frames[0]?.decodeTimeTicks ?? 0));
  const head = (dataOffset: number): Buffer =>
    box(
      'moof',
      fullBox('mfhd', 0, numbers(sequence)),
      box(
        'traf',
        // Offsets count from the moof; sample flags for all.
        fullBox('tfhd', 0x20020, numbers(1, independentSample)),
        fullBox('tfdt', 0x1000000, time),
        // With the data's offset, and each sample's duration and size.
        fullBox(
          'trun',
          0x301,
          numbers(
            frames.length,
            dataOffset,
            ...frames.flatMap(({ durationTicks, size }) => [durationTicks, size]),
          ),
        ),
      ),
    );
  return Buffer.concat([head(head(0).length + boxHeadBytes), box('mdat', ...payloads)]);
}

const boxHeadBytes = 8;

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([numbers(boxHeadBytes + content.length), Buffer.from(type, 'latin1'), content]);
}

/** @param versionAndFlags 8 bits of version, 24 of flags */
function fullBox(type: string, versionAndFlags: number, content: Buffer): Buffer {
  return box(type, numbers(versionAndFlags), content);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** Holds what was written against the clock: without a gap, each segment within a frame of its time, and of the media's end. */
async function verifySound(
  folder: string,
  { track }: FragmentedFile,
  { chunkSeconds, mediaSeconds, count }: SoundLengths,
): Promise<void> {
  const timescale = track?.timescale ?? soundSamplesPerSecond;
  let endTicks = 0;
  let frameTicks = 0;
  for (let index = 0; index < count; index += 1) {
    const file = join(folder, segmentFile(index + 1));
    const { fragments } = await readFragmentedFile(file, track?.defaults);
    requireJustBefore(file, index * chunkSeconds * timescale, fragments[0]?.decodeTimeTicks, frameTicks);
    for (const { decodeTimeTicks, durationTicks, sampleCount } of fragments) {
      if (decodeTimeTicks !== endTicks)
        throw wrongSound(file, `a fragment at ${endTicks} ticks`, `one at ${decodeTimeTicks}`);
      endTicks = decodeTimeTicks + durationTicks;
      frameTicks = Math.max(frameTicks, durationTicks / sampleCount);
    }
  }
  requireJustBefore(folder, mediaSeconds * timescale, endTicks, frameTicks);
}

interface SoundLengths {
  readonly chunkSeconds: number;
  readonly mediaSeconds: number;
  /** Of segments. */
  readonly count: number;
}

function requireJustBefore(file: string, ticks: number, got = Number.NaN, frameTicks: number): void {
  if (ticks - got >= 0 && ticks - got <= frameTicks) return;
  throw wrongSound(file, `a border of sound within ${frameTicks} ticks before ${ticks}`, String(got));
}

function wrongSound(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('process-failed', 'the encoded sound is not what its film needs', {
    context: { file, expected, got },
    next: 'npx h2h3 doctor says which ffmpeg is used; another one may do',
  });
}
