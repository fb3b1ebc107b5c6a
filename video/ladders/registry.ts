import { H2h3Error } from '../../src/model/errors.ts';
import { ci } from './ci.ts';
import type { Ladder } from './ladder.ts';
import { paddedAv1 } from './padded-av1.ts';
import { paddedVp9 } from './padded-vp9.ts';
import { padded } from './padded.ts';
import { paper } from './paper.ts';
import { streaming } from './streaming.ts';
import { streaming720p } from './streaming-720p.ts';

const registered: readonly Ladder[] = [padded, paddedVp9, paddedAv1, paper, streaming, streaming720p, ci];

/** Every ladder. @throws H2h3Error `bad-input` when one of the files cannot be used as it is */
export function ladders(): readonly Ladder[] {
  return registered.map(checked);
}

/** @throws H2h3Error `usage` for a name that is no ladder. */
export function ladderNamed(id: string): Ladder {
  const found = ladders().find((ladder) => ladder.id === id);
  if (found !== undefined) return found;
  throw new H2h3Error('usage', `there is no ladder called "${id}"`, {
    context: { expected: registered.map((ladder) => ladder.id).join(', '), got: id },
    next: 'h2h3 describe ladders',
  });
}

/** Refuses a ladder that no player could use as it is meant. @throws H2h3Error `bad-input` */
export function checked(ladder: Ladder): Ladder {
  const refuse = (expected: string, got: string): never => {
    throw new H2h3Error('bad-input', `ladder "${ladder.id}" cannot be used`, {
      context: { file: `video/ladders/${ladder.id}.ts`, expected, got },
      next: 'Mend the file of the ladder.',
    });
  };
  if (ladder.tracks.length === 0) refuse('at least one track', 'none');
  const rates = ladder.tracks.map((track) => track.bitrateKbps);
  if (rates.some((rate) => !(rate > 0))) refuse('positive bitrates', rates.join(', '));
  if (rates.some((rate, index) => index > 0 && rate <= (rates[index - 1] ?? 0))) {
    refuse('bitrates that rise from track to track', rates.join(', '));
  }
  const uneven = ladder.chunkSeconds.filter((length) => !(length > 0) || length % ladder.gopSeconds !== 0);
  if (ladder.chunkSeconds.length === 0 || uneven.length > 0) {
    refuse(`chunk lengths that are multiples of ${ladder.gopSeconds} s`, ladder.chunkSeconds.join(', '));
  }
  if (ladder.form === 'padded' && ladder.base === undefined) refuse('a base encode to pad', 'none');
  if (ladder.codec !== 'h264' && ladder.form !== 'padded') refuse('H.264, or padded segments', ladder.codec);
  if (!Number.isInteger(ladder.framesPerSecond * ladder.gopSeconds)) {
    refuse('a whole number of frames in a GOP', String(ladder.framesPerSecond * ladder.gopSeconds));
  }
  return ladder;
}
