import { H2h3Error } from '../../src/core/model/errors.ts';
import {
  ci,
  clock,
  padded,
  paddedAv1,
  paddedVp9,
  paper,
  streaming,
  streaming1080p,
  streaming1080pSound,
  streaming720p,
} from './catalogue.ts';
import { checked } from './check-ladder.ts';
import type { Ladder } from './ladder.ts';
import { didYouMean } from '../../src/core/model/nearest-name.ts';

const registered: readonly Ladder[] = [
  padded,
  paddedVp9,
  paddedAv1,
  paper,
  streaming,
  streaming1080p,
  streaming1080pSound,
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
