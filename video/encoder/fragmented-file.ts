import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { codecString } from './codec-string.ts';
import { boxContent, topLevelBoxes } from './mp4-boxes.ts';
import type { Mp4Box } from './mp4-boxes.ts';

/** One `moof` with its `mdat`, in bytes of the file and ticks of the track. */
export interface Fragment {
  readonly offset: number;
  readonly size: number;
  readonly decodeTimeTicks: number;
  readonly durationTicks: number;
  readonly sampleCount: number;
  readonly startsWithKeyframe: boolean;
}

export interface FragmentedFile {
  /** `ftyp` and `moov`: the initialisation segment. Empty for a media segment. */
  readonly init: Buffer;
  /** Null for a media segment, which has no `moov`. */
  readonly track: TrackHeader | null;
  readonly fragments: readonly Fragment[];
  readonly boxes: readonly Mp4Box[];
}

export interface TrackHeader {
  readonly timescale: number;
  /** 0, as is the height, of sound. */
  readonly width: number;
  readonly height: number;
  /** RFC 6381, for the manifest. */
  readonly codecs: string;
  readonly defaults: SampleDefaults;
}

/** From `trex` and `tfhd`; what a `trun` does not say. */
export interface SampleDefaults {
  readonly durationTicks: number;
  readonly flags: number;
}

/** `sample_is_non_sync_sample` of the sample flags (ISO/IEC 14496-12, 8.8.3.1). */
const nonSyncSample = 0x10000;

/** Reads the structure of a fragmented MP4 of one track. `defaults` is needed for a media segment. @throws H2h3Error `bad-input` */
export async function readFragmentedFile(file: string, defaults?: SampleDefaults): Promise<FragmentedFile> {
  const handle = await open(file, 'r');
  try {
    const boxes = await topLevelBoxes(handle, file);
    const initBoxes = boxes.filter((box) => box.type === 'ftyp' || box.type === 'moov');
    const init = Buffer.concat(await Promise.all(initBoxes.map((box) => readBox(handle, box))));
    const moov = boxContent(init, ['moov'], file);
    const track = moov === undefined ? null : readTrackHeader(moov, file);
    const sampleDefaults = track?.defaults ?? defaults ?? { durationTicks: 0, flags: 0 };
    const fragments: Fragment[] = [];
    for (const [index, box] of boxes.entries()) {
      if (box.type !== 'moof') continue;
      const mdat = boxes[index + 1];
      if (mdat?.type !== 'mdat')
        throw malformed(file, 'an mdat after each moof', mdat?.type ?? 'the end of the file');
      fragments.push(
        readFragment({ moof: await readBox(handle, box), box, mdat, defaults: sampleDefaults, file }),
      );
    }
    return { init, track, fragments, boxes };
  } finally {
    await handle.close();
  }
}

async function readBox(handle: FileHandle, box: Mp4Box): Promise<Buffer> {
  const bytes = Buffer.alloc(box.size);
  await handle.read(bytes, 0, box.size, box.offset);
  return bytes;
}

function readTrackHeader(moov: Buffer, file: string): TrackHeader {
  const mdhd = required(boxContent(moov, ['trak', 'mdia', 'mdhd'], file), 'mdhd', file);
  const stsd = required(boxContent(moov, ['trak', 'mdia', 'minf', 'stbl', 'stsd'], file), 'stsd', file);
  const trex = required(boxContent(moov, ['mvex', 'trex'], file), 'mvex/trex', file);
  const entry = stsd.subarray(8);
  const isSound = boxContent(moov, ['trak', 'mdia', 'minf', 'smhd'], file) !== undefined;
  return {
    timescale: mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12),
    // VisualSampleEntry: 8 bytes of header, 24 before width and height.
    width: isSound ? 0 : entry.readUInt16BE(32),
    height: isSound ? 0 : entry.readUInt16BE(34),
    codecs: codecString(entry, file),
    defaults: { durationTicks: trex.readUInt32BE(12), flags: trex.readUInt32BE(20) },
  };
}

interface ReadFragmentOptions {
  readonly moof: Buffer;
  readonly box: Mp4Box;
  readonly mdat: Mp4Box;
  readonly defaults: SampleDefaults;
  readonly file: string;
}

function readFragment({ moof, box, mdat, defaults, file }: ReadFragmentOptions): Fragment {
  const content = moof.subarray(box.headerSize);
  const tfhd = required(boxContent(content, ['traf', 'tfhd'], file), 'tfhd', file);
  const tfdt = required(boxContent(content, ['traf', 'tfdt'], file), 'tfdt', file);
  const trun = required(boxContent(content, ['traf', 'trun'], file), 'trun', file);
  const samples = readRun(trun, readHeaderDefaults(tfhd, defaults));
  return {
    offset: box.offset,
    size: box.size + mdat.size,
    decodeTimeTicks: tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4),
    ...samples,
  };
}

/** `tfhd`: optional fields follow the track id in the order of their flags. */
function readHeaderDefaults(tfhd: Buffer, defaults: SampleDefaults): SampleDefaults {
  const flags = tfhd.readUIntBE(1, 3);
  let at = 8;
  if (flags & 0x1) at += 8;
  if (flags & 0x2) at += 4;
  let { durationTicks, flags: sampleFlags } = defaults;
  if (flags & 0x8) {
    durationTicks = tfhd.readUInt32BE(at);
    at += 4;
  }
  if (flags & 0x10) at += 4;
  if (flags & 0x20) sampleFlags = tfhd.readUInt32BE(at);
  return { durationTicks, flags: sampleFlags };
}

function readRun(
  trun: Buffer,
  defaults: SampleDefaults,
): Pick<Fragment, 'durationTicks' | 'sampleCount' | 'startsWithKeyframe'> {
  const flags = trun.readUIntBE(1, 3);
  const sampleCount = trun.readUInt32BE(4);
  let at = 8;
  if (flags & 0x1) at += 4;
  let firstFlags: number | undefined;
  if (flags & 0x4) {
    firstFlags = trun.readUInt32BE(at);
    at += 4;
  }
  let durationTicks = 0;
  for (let index = 0; index < sampleCount; index += 1) {
    if (flags & 0x100) {
      durationTicks += trun.readUInt32BE(at);
      at += 4;
    } else {
      durationTicks += defaults.durationTicks;
    }
    if (flags & 0x200) at += 4;
    if (flags & 0x400) {
      if (index === 0) firstFlags ??= trun.readUInt32BE(at);
      at += 4;
    }
    if (flags & 0x800) at += 4;
  }
  const startsWithKeyframe = sampleCount > 0 && ((firstFlags ?? defaults.flags) & nonSyncSample) === 0;
  return { durationTicks, sampleCount, startsWithKeyframe };
}

function required(bytes: Buffer | undefined, name: string, file: string): Buffer {
  if (bytes === undefined) throw malformed(file, `a box ${name}`, 'none');
  return bytes;
}

function malformed(file: string, expected: string, got: string): H2h3Error {
  return new H2h3Error('bad-input', 'an MP4 file lacks what a DASH segment needs', {
    context: { file, expected, got },
  });
}
