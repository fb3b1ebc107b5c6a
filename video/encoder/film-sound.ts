import type { PrepareContext } from '../../src/core/model/workload.ts';
import type { VideoCodec } from '../ladders/ladder.ts';
import { hasEncoder } from './codec-encoders.ts';
import type { FilmFacts } from './look-at-film.ts';

/** What browsers play with the pictures of their ladder. */
export type SoundCodec = 'aac' | 'opus';

/** The sound of an own video as it is played: one track of it, in stereo, at one rate. */
export interface FilmSound {
  /** Which of its sound tracks, from 0. */
  readonly track: number;
  readonly codec: SoundCodec;
  /** When its first picture is shown, by the file's clock (s): the sound begins with it. */
  readonly startSeconds: number;
}

export const soundKbps = 128;
export const soundSamplesPerSecond = 48_000;
export const soundChannels = 2;

export const soundEncoders: Readonly<Record<SoundCodec, string>> = { aac: 'aac', opus: 'libopus' };
const soundNames: Readonly<Record<SoundCodec, string>> = { aac: 'AAC', opus: 'Opus' };

/** Such as `AAC, stereo, 128 kbit/s`. */
export function soundWords(codec: SoundCodec): string {
  return `${soundNames[codec]}, stereo, ${soundKbps} kbit/s`;
}

/** The sound that is played of a film; undefined for a silent one. AAC goes with H.264, Opus with the free codecs. */
export async function filmSound(
  { soundTrack, startSeconds }: Pick<FilmFacts, 'soundTrack' | 'startSeconds'>,
  codec: VideoCodec,
  { ffmpegPath, signal }: { readonly ffmpegPath: string } & Pick<PrepareContext, 'signal'>,
): Promise<FilmSound | undefined> {
  if (soundTrack === undefined) return undefined;
  const isOpus = codec !== 'h264' && (await hasEncoder(soundEncoders.opus, ffmpegPath, signal));
  return { track: soundTrack, codec: isOpus ? 'opus' : 'aac', startSeconds };
}
