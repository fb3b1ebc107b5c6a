import { partLinks } from '../render-parts.ts';
import { budgets } from './budgets.ts';
import { comparisonTable } from './comparison-table.ts';
import { differenceInDifferences } from './difference-in-differences.ts';
import { films } from './films.ts';
import { harLinks } from './har-links.ts';
import { hosts } from './hosts.ts';
import { limits } from './limits.ts';
import { corpusPlot, pageLoadPlots, plots, sessionPlots } from './plots.ts';
import { primaryCards } from './primary-cards.ts';
import { published } from './published.ts';
import type { ReportSection } from './report-section.ts';
import { scorecard } from './scorecard.ts';
import { trust, trustworthiness } from './trust.ts';
import { why } from './why.ts';

/** Every section below the answer, in the order of the page. */
export const reportSections: readonly ReportSection[] = [
  { layer: 'evidence', render: (input) => budgets(input.budgets) },
  { layer: 'evidence', render: ({ context }) => primaryCards(context) },
  { layer: 'evidence', render: ({ context }) => why(context) },
  {
    layer: 'evidence',
    render: ({ inside, parts }) => pageLoadPlots(inside.groups, parts.length === 0 ? inside.leftOut : 0),
  },
  { layer: 'evidence', render: (input) => films(input.films) },
  { layer: 'evidence', render: ({ context }) => scorecard(context) },
  { layer: 'evidence', render: ({ context }) => differenceInDifferences(context) },
  { layer: 'evidence', render: ({ context }) => sessionPlots(context) },
  { layer: 'evidence', render: ({ context }) => published(context) },
  { layer: 'evidence', render: ({ context }) => trustworthiness(context) },
  { layer: 'lab', render: ({ context }) => hosts(context) },
  { layer: 'lab', render: ({ context, comparisons }) => comparisonTable(context, comparisons) },
  { layer: 'lab', render: ({ context }) => plots(context) },
  { layer: 'lab', render: ({ context }) => corpusPlot(context) },
  { layer: 'lab', render: ({ context, hars }) => harLinks(context, hars) },
  { layer: 'lab', render: ({ parts }) => partLinks(parts) },
  { layer: 'lab', render: ({ context }) => limits(context) },
  { layer: 'lab', render: ({ context }) => trust(context) },
];
