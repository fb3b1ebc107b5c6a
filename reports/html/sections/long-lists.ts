import { formatCount } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** Lines of a list that a page shows; the count of the rest is said. */
export const maxLines = 200;

/** Says how much of a list was left out; nothing where all of it is shown. */
export function truncated(total: number, what = ''): Markup {
  return total > maxLines
    ? markup`<p class="note">
        The first ${maxLines} of ${formatCount(total)}${what !== '' && ` ${what}`} are shown. All are in summary.json.
      </p>`
    : markup``;
}
