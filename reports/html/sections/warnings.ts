import type { Summary } from '../../../src/core/model/summary.ts';
import { groupAlike } from '../../format/alike.ts';
import type { Alike } from '../../format/alike.ts';
import { formatCount, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { maxLines, truncated } from './long-lists.ts';

function warningLine({ text, count, isExample }: Alike): Markup {
  if (count === 1) return markup`<li>${text}</li>`;
  const others = isExample ? `and ${formatCount(count - 1)} more of its kind` : `${formatCount(count)} times`;
  return markup`<li>${text} <small class="times">${others}</small></li>`;
}

/** Those of the trials and of the machine, each once. */
export function warningsOf(summary: Summary): string[] {
  return [...new Set([...summary.warnings, ...(summary.environment?.warnings ?? [])])];
}

/** Every kind of warning with how often it came; ten thousand of one kind are one line. Nothing without any. */
export function warnings({ summary }: ReportContext): Markup {
  const all = warningsOf(summary);
  if (all.length === 0) return markup``;
  const kinds = groupAlike(all);
  return markup`<section id="warnings" aria-labelledby="warnings-title">
    <h2 id="warnings-title">${plural(all.length, 'warning')}</h2>
    ${kinds.length < all.length && markup`<p class="note">Warnings that differ only in their figures are shown together: ${plural(kinds.length, 'kind')}.</p>`}
    <ul class="warnings">${kinds.slice(0, maxLines).map(warningLine)}</ul>
    ${truncated(kinds.length, 'kinds')}
  </section>`;
}
