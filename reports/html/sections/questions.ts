import type { Comparison } from '../../../src/model/summary.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** What the client pays, the most telling first. */
const costMetrics: readonly string[] = ['cpuSeconds', 'networkServiceCpuPercent', 'browserCpuPercent'];

interface Question {
  /** Name by which tests and permalinks know it. */
  readonly id: string;
  readonly text: string;
  readonly href: string;
}

function costOf({ comparisons }: ReportContext['summary']): Comparison | undefined {
  return costMetrics
    .map((metric) => comparisons.find((one) => one.metric === metric))
    .find((one) => one !== undefined);
}

function asked(context: ReportContext): Question[] {
  const { summary } = context;
  if (summary.comparisons.length === 0)
    return [{ id: 'trust', text: 'Can I trust this run?', href: '#trust' }];
  const cost = costOf(summary);
  const workloads = new Set(summary.comparisons.map(({ workload }) => workload)).size;
  const all: (Question | false)[] = [
    workloads > 1 && { id: 'worst', text: 'Worst first', href: '#scorecard?order=worst' },
    { id: 'why', text: 'Why?', href: '#why' },
    context.hasInside && { id: 'side-by-side', text: 'Worst page side by side', href: '#inside?page=worst' },
    summary.differenceInDifferences.length > 0 && {
      id: 'whose',
      text: 'The browser or QUIC?',
      href: '#versions',
    },
    cost !== undefined && {
      id: 'cost',
      text: 'What does it cost in CPU?',
      href: `#${context.anchorOf(cost)}`,
    },
    { id: 'trust', text: 'Can I trust this run?', href: '#trust' },
  ];
  return all.filter((one) => one !== false);
}

/** What readers ask next, one click each. */
export function questions(context: ReportContext): Markup {
  const items = asked(context).map(
    ({ id, text, href }) => markup`<li><a data-question="${id}" href="${href}">${text}</a></li>`,
  );
  return markup`<nav class="questions" aria-label="Questions"><ul>${items}</ul></nav>`;
}
