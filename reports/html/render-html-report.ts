import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Summary } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { buildPageData, pageComparisons } from './build-page-data.ts';
import { buildPageLoads } from './build-page-loads.ts';
import { bundleClient, chartLibraries } from './bundle-client.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { markup, jsonForScript, Markup } from './markup.ts';
import type { PageComparison } from './page-data.ts';
import type { PageLoadEvidence } from './page-loads.ts';
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

interface Assets {
  readonly style: string;
  readonly scripts: readonly string[];
}

async function loadAssets(): Promise<Assets> {
  const local = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const [styles, libraries, client] = await Promise.all([
    Promise.all(styleFiles.map((name) => readFile(local(`styles/${name}`), 'utf8'))),
    chartLibraries(),
    bundleClient(local('client/main.ts')),
  ]);
  const scripts = [...libraries, client];
  if (scripts.some((script) => /<\/script|<!--/i.test(script))) {
    throw new Error('A script of the report holds text that would end its own element.');
  }
  return { style: styles.join('\n'), scripts };
}

function navigation(context: ReportContext, hasInside: boolean): Markup {
  const { comparisons, sessions } = context.summary;
  const links = [
    comparisons.length > 0 && ['scorecard', 'Scorecard'],
    ['comparisons', 'Comparisons'],
    comparisons.length > 0 && ['effects', 'Effects'],
    comparisons.length > 0 && ['distributions', 'Distributions'],
    hasInside && ['inside', 'Inside'],
    sessions.length > 0 && ['sessions', 'Video sessions'],
    ['trials', 'Trials'],
    ['environment', 'Environment'],
    ['rerun', 'Run again'],
  ].filter((link) => link !== false);
  return markup`<nav aria-label="Sections">
    <ul>
      ${links.map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </nav>`;
}

function body(context: ReportContext, comparisons: readonly PageComparison[], inside: Markup): Markup {
  const { run } = context.summary;
  return markup`<a class="skip" href="#main">Skip to the result</a>
    <header class="bar">
      <div class="bar-in">
        <p class="brand"><b>h2h3</b> <span>${run.name}</span></p>
        ${navigation(context, inside.text !== '')}<button type="button" class="js theme" id="theme"><span aria-hidden="true">◐</span> <span class="theme-name">Theme: automatic</span></button>
      </div>
    </header>
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
  const { style, scripts } = await loadAssets();
  const context = reportContext(summary);
  const comparisons = pageComparisons(context);
  const inside = buildPageLoads(options.pageLoads ?? [], summary.run.arms, context.labels);
  const data = buildPageData(context, comparisons, inside.groups);
  const page = markup`<!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(scripts, [style])}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="h2h3">
    <title>${summary.headline[0] ?? summary.run.name} · h2h3</title>
    <link rel="icon" href="data:,">
    <style>${new Markup(style)}</style>
    </head>
    <body>
    ${body(context, comparisons, pageLoadPlots(inside.groups, inside.leftOut))}
    <script type="application/json" id="page-data">${jsonForScript(data)}</script>
    ${scripts.map((script) => markup`<script>${new Markup(script)}</script>`)}
    </body>
    </html>
  `;
  return page.text;
}
