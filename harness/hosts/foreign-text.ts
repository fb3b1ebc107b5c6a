import { startOfText } from '../../src/core/model/cut-text.ts';
import { withoutSteering } from '../../src/core/model/steering-characters.ts';

const shownCharacters = 500;

/** Text of another machine as it may be shown: of bounded length, on one line, without what steers a terminal. */
export function foreignText(text: string): string {
  return withoutSteering(startOfText(text, shownCharacters).replace(/\s+/g, ' ').trim());
}
