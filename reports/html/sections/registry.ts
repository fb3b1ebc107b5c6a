import { partLinks } from '../render-parts.ts';
import { audience } from './audience.ts';
import { broadcasts } from './broadcasts.ts';
import { budgets } from './budgets.ts';
import { comparisonTable } from './comparison-table.ts';
import { cost } from './cost.ts';
import { differenceInDifferences } from './difference-in-differences.ts';
import { films } from './films.ts';
import { harLinks } from './har-links.ts';
import { hosts } from './hosts.ts';
import { journeyFailures } from './journey-failures.ts';
import { limits } from './limits.ts';
import { linkCourses } from './link-courses.ts';
import { corpusPlot, messagePlots, pageLoadPlots, plots, sessionPlots } from './plots.ts';
import { published } from './published.ts';
import type { ReportSection } from './report-section.ts';
import { scorecard } from './scorecard.ts';
import { tails } from './tails.ts';
import { trust, trustworthiness } from './trust.ts';
import { viewing } from './viewing.ts';
import { why } from './why.ts';

/**
 * Every section below the first screen, in the order of the page: the main result with its pictures, why, cost, all
 * comparisons, trust and set-up. At most five have an entry in the navigation, and the users of an audience.
 */
export const reportSections: readonly ReportSection[] = [
  { render: (input) => budgets(input.budgets) },
  { render: ({ context, failures }) => journeyFailures(context, failures) },
  { render: ({ context }) => viewing(context) },
  { links: [['scorecard', 'Main result']], render: ({ context }) => scorecard(context) },
  { links: [['audience', 'Your users']], render: ({ context }) => audience(context) },
  { render: ({ context }) => differenceInDifferences(context) },
  { render: ({ context }) => tails(context) },
  {
    render: ({ inside, parts }) => pageLoadPlots(inside.groups, parts.length === 0 ? inside.leftOut : 0),
  },
  { render: (input) => films(input.films) },
  { render: ({ context }) => sessionPlots(context) },
  { render: ({ context }) => messagePlots(context) },
  { render: ({ context }) => broadcasts(context) },
  { render: ({ context }) => linkCourses(context) },
  { links: [['why', 'Why']], render: ({ context }) => why(context) },
  { links: [['cost', 'Cost']], render: ({ context }) => cost(context) },
  { render: ({ context }) => published(context) },
  {
    links: [['comparisons', 'All comparisons']],
    render: ({ context, comparisons }) => comparisonTable(context, comparisons),
  },
  { render: ({ context }) => plots(context) },
  { render: ({ context }) => corpusPlot(context) },
  { render: ({ context }) => hosts(context) },
  { render: ({ parts }) => partLinks(parts) },
  { links: [['trust', 'Trust']], render: ({ context }) => trustworthiness(context) },
  { render: ({ context }) => limits(context) },
  { render: ({ context }) => trust(context) },
  { render: ({ context, hars }) => harLinks(context, hars) },
];
