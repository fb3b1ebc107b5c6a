import { H2h3Error } from '../../src/core/model/errors.ts';
import { ci } from './ci.ts';
import { checked } from './check-ladder.ts';
import { clock } from './clock.ts';
import type { Ladder } from './ladder.ts';
import { paddedAv1 } from './padded-av1.ts';
import { paddedVp9 } from './padded-vp9.ts';
import { padded } from './padded.ts';
import { paper } from './paper.ts';
import { streaming } from './streaming.ts';
import { streaming1080p } from './streaming-1080p.ts';
import { streaming720p } from './streaming-720p.ts';
import { didYouMean } from '../../src/core/model/nearest-name.ts';

const registered: readonly Ladder[] = [
  padded,
  paddedVp9,
  paddedAv1,
  paper,
  streaming,
  streaming1080p,
  streaming720p,
  clock,
  ci,
];

/** Every ladder. @throws H2h3Error `bad-input` when one of the files cannot be used as it is */
export function ladders(): readonly Ladder[] {
  return registered.map(checked);
}

/** @throws H2h3Error `usage` for a name that is no ladder. */
export function ladderNamed(id: string): Ladder {
  const found = ladders().find((ladder) => ladder.id === id);
  if (found !== undefined) return found;
  const names = registered.map((ladder) => ladder.id);
  throw new H2h3Error('usage', `there is no ladder called "${id}"`, {
    context: { expected: names.join(', '), got: id },
    next: didYouMean(id, names, '`npx h2h3 describe ladders` lists them.'),
  });
}
