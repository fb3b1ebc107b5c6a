import type { Summary } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { buildPageData, pageComparisons } from './build-page-data.ts';
import { buildPageLoads } from './build-page-loads.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import type { PageComparison } from './page-data.ts';
import type { PageLoadEvidence } from './page-loads.ts';
import { loadAssets, pageText, topBar } from './page-shell.ts';
import { reportContext } from './report-context.ts';
import type { ReportContext } from './report-context.ts';
import { comparisonTable } from './sections/comparison-table.ts';
import { differenceInDifferences } from './sections/difference-in-differences.ts';
import { hero } from './sections/hero.ts';
import { limits } from './sections/limits.ts';
import { pageLoadPlots, plots, sessionPlots } from './sections/plots.ts';
import { scorecard } from './sections/scorecard.ts';
import { trust } from './sections/trust.ts';

const styleFiles = ['base.css', 'top.css', 'tables.css', 'plots.css', 'waterfall.css', 'print.css'] as const;

export interface HtmlReportOptions {
  /** Page loads to show from inside, as `pageLoadsToShow` asks for them; default none. */
  readonly pageLoads?: readonly PageLoadEvidence[];
}

function navigation(context: ReportContext, hasInside: boolean): (readonly [string, string])[] {
  const { comparisons, sessions } = context.summary;
  const links: (readonly [string, string] | false)[] = [
    comparisons.length > 0 && ['#scorecard', 'Scorecard'],
    ['#comparisons', 'Comparisons'],
    comparisons.length > 0 && ['#effects', 'Effects'],
    comparisons.length > 0 && ['#distributions', 'Distributions'],
    hasInside && ['#inside', 'Inside'],
    sessions.length > 0 && ['#sessions', 'Video sessions'],
    ['#trials', 'Trials'],
    ['#environment', 'Environment'],
    ['#rerun', 'Run again'],
  ];
  return links.filter((link) => link !== false);
}

function body(context: ReportContext, comparisons: readonly PageComparison[], inside: Markup): Markup {
  const { run } = context.summary;
  return markup`${topBar(run.name, navigation(context, inside.text !== ''))}
    <main id="main">
      ${hero(context)} ${scorecard(context)} ${comparisonTable(context, comparisons)} ${differenceInDifferences(context)} ${plots(context)}
      ${inside} ${sessionPlots(context)} ${limits(context)} ${trust(context)}
    </main>
    <footer>
      <p>
        Made by h2h3${context.summary.environment && ` ${context.summary.environment.h2h3.version}`}. All of
        this page is in this one file; it asks the network for nothing.
      </p>
    </footer>`;
}

/**
 * The report of a run as one HTML file: no request leaves it, and its policy lets only its own scripts run.
 * @throws H2h3Error `bad-input` when `summary` is no summary, or one of a newer h2h3.
 */
export async function renderHtmlReport(summary: Summary, options: HtmlReportOptions = {}): Promise<string> {
  checkSummary(summary);
  const assets = await loadAssets(styleFiles, 'main.ts', { charts: true });
  const context = reportContext(summary);
  const comparisons = pageComparisons(context);
  const inside = buildPageLoads(options.pageLoads ?? [], summary.run.arms, context.labels);
  const data = buildPageData(context, comparisons, inside.groups);
  return pageText({
    title: `${summary.headline[0] ?? summary.run.name} · h2h3`,
    assets,
    body: body(context, comparisons, pageLoadPlots(inside.groups, inside.leftOut)),
    data,
  });
}
