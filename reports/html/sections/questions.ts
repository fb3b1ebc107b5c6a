import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

interface Question {
  /** Name by which tests and permalinks know it. */
  readonly id: string;
  readonly text: string;
  readonly href: string;
}

function asked(context: ReportContext): Question[] {
  const { summary } = context;
  if (summary.comparisons.length === 0) return [];
  const workloads = new Set(summary.comparisons.map(({ workload }) => workload)).size;
  const all: (Question | false)[] = [
    workloads > 1 && { id: 'worst', text: 'Worst first', href: '#scorecard?order=worst' },
    { id: 'why', text: 'Why?', href: '#why' },
    (summary.published ?? []).length > 0 && {
      id: 'published',
      text: 'What did others see?',
      href: '#published',
    },
    context.hasInside && { id: 'side-by-side', text: 'Worst page side by side', href: '#inside?page=worst' },
    summary.differenceInDifferences.length > 0 && {
      id: 'whose',
      text: 'The browser or QUIC?',
      href: '#versions',
    },
  ];
  return all.filter((question) => question !== false);
}

/** What readers ask next, one click each; cost and trust are asked by the chips of the first screen. */
export function questions(context: ReportContext): Markup {
  const items = asked(context).map(
    ({ id, text, href }) => markup`<li><a data-question="${id}" href="${href}">${text}</a></li>`,
  );
  return items.length === 0
    ? markup``
    : markup`<nav class="questions" aria-label="Questions"><ul>${items}</ul></nav>`;
}
