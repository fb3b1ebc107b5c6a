import type { Ladder } from './ladders/ladder.ts';

/** Generated pictures look alike all the time: longer ones cost an encoder time and tell nothing more (s). */
const generatedSeconds = 20;

/** Every chunk length of a ladder divides it (s). */
function commonSeconds({ chunkSeconds }: Ladder): number {
  return chunkSeconds.reduce((common, length) => {
    const multiples = Array.from({ length }, (_, index) => common * (index + 1));
    return multiples.find((multiple) => multiple % length === 0) ?? common * length;
  }, 1);
}

/**
 * How much of the generated pictures is encoded for media of this length (s): the media repeat it. Frames that say their
 * numbers are encoded to the last, because no number may come twice.
 */
export function generatedFilmSeconds(ladder: Ladder, mediaSeconds: number): number {
  if (ladder.numbersFrames === true) return mediaSeconds;
  const common = commonSeconds(ladder);
  return Math.min(mediaSeconds, Math.ceil(generatedSeconds / common) * common);
}

/**
 * Lengths to which a film of the user's own can be cut (s), so that chunks of every length are of the same pictures. Of a film
 * that is shorter than that: its whole GOPs, and only chunks that divide them.
 */
export function filmLengths(ladder: Ladder, availableSeconds: number): readonly number[] {
  const common = commonSeconds(ladder);
  const unit = availableSeconds >= common ? common : ladder.gopSeconds;
  return Array.from({ length: Math.floor(availableSeconds / unit) }, (_, index) => (index + 1) * unit);
}
