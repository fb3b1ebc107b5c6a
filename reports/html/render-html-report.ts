import type { BudgetReport } from '../../src/core/model/budget.ts';
import type { PageChanges } from '../../src/core/model/request-changes.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { topSentence } from '../format/top-sentence.ts';
import { checkSummary } from '../check-summary.ts';
import { buildPageData, pageComparisons } from './build-page-data.ts';
import { buildPageLoads, shownChanges } from './build-page-loads.ts';
import { hasFlames } from './diagnosis-data.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { packComparisons } from './pack-comparisons.ts';
import type { PageChangesShown, PageComparison } from './page-data.ts';
import type { PageLoadEvidence } from './page-loads.ts';
import type { PageAssets } from './page-shell.ts';
import { loadAssets, pageText, topBar } from './page-shell.ts';
import type { LeftOut, ReportPage, ReportPart } from './render-parts.ts';
import { renderParts } from './render-parts.ts';
import { reportContext } from './report-context.ts';
import type { ReportContext } from './report-context.ts';
import { harFolder } from './sections/har-links.ts';
import type { UnpackedHar } from './sections/har-links.ts';
import type { ReportFilm } from './sections/films.ts';
import type { ShownFailure } from './sections/journey-failures.ts';
import { hero } from './sections/hero.ts';
import { reportSections } from './sections/registry.ts';
import type { SectionInput } from './sections/report-section.ts';
import { sessionGroups } from './session-groups.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'answer.css',
  'tables.css',
  'plots.css',
  'waterfall.css',
  'why.css',
  'print.css',
] as const;

export interface HtmlReportOptions {
  /** Page loads to show from inside, as `pageLoadsToShow` asks for them; default none. */
  readonly pageLoads?: readonly PageLoadEvidence[];
  /** Trials whose HAR lies next to the report; default none. */
  readonly hars?: readonly UnpackedHar[];
  /** What changed inside pages over all their blocks; default nothing. */
  readonly changes?: readonly PageChanges[];
  /** Films of both arms side by side that lie next to the report; default none. */
  readonly films?: readonly ReportFilm[];
  /** Ways in which journeys failed, with what their pages showed; default none. */
  readonly failures?: readonly ShownFailure[];
  /** How the run keeps the budgets of its plan; default none. */
  readonly budgets?: BudgetReport | null;
}

interface FirstPage extends Omit<SectionInput, 'parts'> {
  readonly assets: PageAssets;
  readonly changes: readonly PageChangesShown[];
}

function body(page: FirstPage, parts: readonly ReportPart[]): Markup {
  const { run, environment } = page.context.summary;
  const whole = parts.length === 0;
  const input: SectionInput = { ...page, parts };
  const sections = reportSections.map(({ links = [], render }) => ({ links, shown: render(input) }));
  const links = sections.flatMap(({ links: named, shown }) =>
    named
      .filter(([id]) => shown.text.includes(` id="${id}"`))
      .map(([id, title]): [string, string] => [`#${id}`, title]),
  );
  return markup`${topBar(run.name, links)}
    <main id="main">
      ${hero(page.context, page.budgets?.headline)}
      ${sections.map(({ shown }) => shown)}
    </main>
    <footer>
      <p>
        Made by h2h3${environment && ` ${environment.h2h3.version}`}. ${whole ? 'All of this page is in this one file. It' : 'This page'} loads nothing from the network.
      </p>
    </footer>`;
}

function firstPage(page: FirstPage, parts: readonly ReportPart[]): string {
  const { context, comparisons, inside, assets } = page;
  return pageText({
    title: `${topSentence(context.summary)} · h2h3`,
    assets,
    body: body(page, parts),
    data: buildPageData(context, comparisons, inside.groups, page.changes),
    policy: { ownFilms: page.films.length > 0 },
  });
}

/** Larger first pages give their single values to pages of their own. */
const maxFirstPageBytes = 3_000_000;

/** What the links to further pages may take. */
const linkBytes = 100_000;

interface FittingPage {
  readonly page: FirstPage;
  /** What it is without further pages; null where that was not made. */
  readonly alone: string | null;
}

/** The page with every comparison; where that is too large without single values, else without those that decide least. */
function withRowsThatFit(page: FirstPage): FittingPage {
  let shown: readonly PageComparison[] = [];
  let fittingBytes = 0;
  for (const maxValues of [undefined, 0]) {
    shown = pageComparisons(page.context, maxValues);
    const fitting = { ...page, comparisons: shown };
    const alone = firstPage(fitting, []);
    fittingBytes = Buffer.byteLength(alone);
    if (fittingBytes <= maxFirstPageBytes) return { page: fitting, alone };
  }
  const { rows } = packComparisons(shown);
  let excess = fittingBytes + linkBytes - maxFirstPageBytes;
  const rank = ({ primary, pooled }: PageComparison): number => (primary ? 0 : 2) + (pooled ? 0 : 1);
  const lastFirst = shown
    .map((comparison, place) => ({ comparison, place }))
    .sort((a, b) => rank(b.comparison) - rank(a.comparison) || b.place - a.place);
  const ids = new Set(shown.map(({ id }) => id));
  for (const { comparison, place } of lastFirst) {
    if (excess <= 0) break;
    ids.delete(comparison.id);
    excess -= Buffer.byteLength(JSON.stringify(rows[place])) + 1;
  }
  const { anchorOf } = page.context;
  const context: ReportContext = {
    ...page.context,
    // What is not on this page is found from its table.
    anchorOf: (comparison) => (ids.has(anchorOf(comparison)) ? anchorOf(comparison) : 'comparisons'),
  };
  return { page: { ...page, context, comparisons: shown.filter(({ id }) => ids.has(id)) }, alone: null };
}

function pageKey({ workload, client, network, server }: PageLoadEvidence): string {
  return JSON.stringify([workload, client, network, server]);
}

/** What the first page does not show, as the sections themselves have decided. */
function leftOutOf({ context, comparisons, inside }: FirstPage, loads: readonly PageLoadEvidence[]): LeftOut {
  const { summary } = context;
  const shown = new Set(inside.groups.flatMap((group) => group.loads.map(({ trialId }) => trialId)));
  const shownPages = new Set(loads.filter(({ trialId }) => shown.has(trialId)).map(pageKey));
  const whole = new Set(comparisons.filter((comparison) => !comparison.valuesLeftOut).map(({ id }) => id));
  const sessions = sessionGroups(summary, context.labels);
  const shownSessions = new Set(
    sessions.flatMap(({ blocks }) => blocks.flatMap((block) => block.sessions.map(({ trialId }) => trialId))),
  );
  const complete = summary.sessions.every(({ trialId }) => shownSessions.has(trialId));
  return {
    // Pages of which no block has room; a further block of a page that is shown is no reason for another file.
    loads: loads.filter((load) => !shownPages.has(pageKey(load))),
    sessions: complete ? [] : summary.sessions,
    comparisons: summary.comparisons.filter((comparison) => !whole.has(context.anchorOf(comparison))),
  };
}

/**
 * The report of a run: `report.html`, alone where all fits into one file, else with further pages in a folder next to
 * it. No request leaves a page, and its policy lets only its own scripts run.
 * @throws H2h3Error `bad-input` when `summary` is no summary, or one of a newer h2h3.
 */
export async function renderReportPages(
  summary: Summary,
  {
    pageLoads = [],
    hars = [],
    changes = [],
    films = [],
    failures = [],
    budgets = null,
  }: HtmlReportOptions = {},
): Promise<ReportPage[]> {
  checkSummary(summary);
  const context = reportContext(summary, hars.length > 0 ? `${harFolder}/` : null, pageLoads.length > 0);
  const [assets, partAssets] = await Promise.all([
    loadAssets(styleFiles, 'main.ts', { charts: true, flames: hasFlames(summary) }),
    loadAssets(styleFiles, 'more-comparisons.ts', { charts: true }),
  ]);
  const shown = shownChanges(changes, pageLoads, context.labels);
  const inside = buildPageLoads(pageLoads, summary.run, context.labels);
  const page = { context, comparisons: [], inside, assets, hars, films, failures, budgets, changes: shown };
  const { page: first, alone } = withRowsThatFit(page);
  const parts = renderParts(context, leftOutOf(first, pageLoads), partAssets);
  const text = parts.length === 0 && alone !== null ? alone : firstPage(first, parts);
  return [{ path: 'report.html', text }, ...parts];
}

/** The first page of the report of a run. */
export async function renderHtmlReport(summary: Summary, options: HtmlReportOptions = {}): Promise<string> {
  const [first] = await renderReportPages(summary, options);
  return first?.text ?? '';
}
