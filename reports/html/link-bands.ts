import { isSilent, type Stretch } from '../../src/core/model/schedule-course.ts';
import { stretchWords } from '../svg/link-course.ts';
import type { PageLinkBand } from './page-data.ts';

/** More cannot be told apart; the trial's evidence has all. */
const maxBands = 200;

/** What a link's schedule set until a picture ends, for the page's script. */
export function linkBands(schedule: readonly Stretch[] = [], endMs = Infinity): PageLinkBand[] {
  return schedule
    .filter(({ fromMs }) => fromMs < endMs)
    .slice(0, maxBands)
    .map((stretch) => [
      Math.round(stretch.fromMs),
      Math.round(Math.min(stretch.toMs, endMs)),
      isSilent(stretch),
      stretchWords(stretch),
    ]);
}
