import { H2h3Error } from '../../src/core/model/errors.ts';
import type { VideoCodec } from '../ladders/ladder.ts';
import { runFfmpeg } from './ffmpeg.ts';

/** ffmpeg's encoders of each codec that ladders can use, the preferred first. */
const encodersOf: Readonly<Record<VideoCodec, readonly string[]>> = {
  h264: ['libx264'],
  vp9: ['libvpx-vp9'],
  av1: ['libsvtav1', 'libaom-av1'],
};

/** The encoder that this ffmpeg has for a codec; experimental ones do not count. @throws H2h3Error `unsupported` when there is none */
export async function encoderFor(
  codec: VideoCodec,
  ffmpegPath: string,
  signal: AbortSignal,
): Promise<string> {
  const listing = await encoderListing(ffmpegPath, signal);
  const found = encodersOf[codec].find((name) => isListed(listing, name));
  if (found !== undefined) return found;
  throw new H2h3Error('unsupported', `this ffmpeg cannot encode ${codec}`, {
    context: { file: ffmpegPath, expected: encodersOf[codec].join(' or '), got: 'none of them' },
    next: 'install a newer ffmpeg and put it on PATH, or use a ladder of another codec',
  });
}

/** Whether this ffmpeg has an encoder of sound or pictures; experimental ones do not count. */
export async function hasEncoder(name: string, ffmpegPath: string, signal: AbortSignal): Promise<boolean> {
  return isListed(await encoderListing(ffmpegPath, signal), name);
}

function encoderListing(ffmpegPath: string, signal: AbortSignal): Promise<string> {
  return runFfmpeg({ ffmpegPath, args: ['-v', 'error', '-encoders'], signal });
}

/** A line such as ` V..X.. libaom-av1  …`: six flags, of which the first tells pictures from sound and the fourth says experimental. */
function isListed(listing: string, name: string): boolean {
  return listing.split('\n').some((line) => {
    const [flags, encoder] = line.trim().split(/\s+/);
    return encoder === name && /^[VA]/.test(flags ?? '') && !(flags ?? '').includes('X');
  });
}

/** SVT-AV1 of ffmpeg 5 puts keyframes at equal distances alone. */
export const placesKeyframes = (encoder: string): boolean => encoder !== 'libsvtav1';

/** Speed before quality: what is measured is the network, and a quick start matters. */
export function encoderSpeed(encoder: string, thorough: boolean): readonly string[] {
  switch (encoder) {
    case 'libx264':
      return thorough ? ['-preset', 'veryfast'] : ['-preset', 'ultrafast', '-tune', 'fastdecode'];
    case 'libsvtav1':
      return ['-preset', '10'];
    case 'libaom-av1':
      return ['-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1'];
    default:
      return ['-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1'];
  }
}
