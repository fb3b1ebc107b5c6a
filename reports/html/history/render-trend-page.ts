import type { Night, Trend } from '../../../src/core/model/history.ts';
import { nightsToFind } from '../../../src/core/model/history.ts';
import { plural, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { gapHeadline, gapTable, gapTitle } from './gap-table.ts';
import { nightChanges } from './night-changes.ts';
import { trendCharts } from './trend-page-data.ts';
import type { TrendPageData } from './trend-page-data.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'tables.css',
  'plots.css',
  'index.css',
  'trend.css',
  'print.css',
] as const;

export interface TrendPageOptions {
  /** Address of the list of runs, relative to the page; default none. */
  readonly runsPage?: string;
}

const signs: Readonly<Record<Night['state'], string>> = {
  complete: '●',
  half: '◐',
  crashed: '✕',
  failed: '!',
  empty: '○',
  missed: '–',
  running: '…',
};

/** What so many nights can find. */
const foundWith = `A lasting step is found in at least 80 % of series after so many nights, by its size in standard deviations between nights: ${nightsToFind
  .map(({ step, nights }) => `${step} after ${nights}`)
  .join(', ')}.`;

function nightStrip(nights: readonly Night[]): Markup {
  if (nights.length === 0) return markup`<p class="empty">No night yet.</p>`;
  const counts = [...Map.groupBy(nights, ({ state }) => state)].map(
    ([state, group]) => `${signs[state]} ${state} ${group.length}`,
  );
  const troubled = nights.filter(({ state }) => state !== 'complete');
  return markup`<p class="strip" aria-hidden="true">${nights.map(
    ({ night, state, note }) =>
      markup`<span class="night n-${state}" title="${`${night}: ${state} ${note}`}">${signs[state]}</span>`,
  )}</p>
    <p class="note">${counts.join(', ')}. Only complete nights make the trends.</p>
    ${
      troubled.length > 0 &&
      markup`<details><summary>${plural(troubled.length, 'night')} not complete</summary>
    <table class="plain"><thead><tr><th scope="col">Night</th><th scope="col">State</th><th scope="col">Why</th></tr></thead>
    <tbody>${troubled.map(({ night, state, note }) => markup`<tr><td>${night}</td><td>${state}</td><td>${note}</td></tr>`)}</tbody></table></details>`
    }`;
}

/** A study of several versions in one night has a single point by night. */
function versionsSayMore({ series }: Trend): boolean {
  return (
    series.every(({ nights }) => nights.length <= 1) && series.some(({ versions }) => versions.length > 1)
  );
}

/** The history of runs over nights and versions as one self-contained page. */
export async function renderTrendPage(trend: Trend, options: TrendPageOptions = {}): Promise<string> {
  const assets = await loadAssets(styleFiles, 'trend.ts', { charts: true });
  const charts = trendCharts(trend);
  const data: TrendPageData = { charts };
  const links: [string, string][] = [
    ['#gaps', 'HTTP/3 against HTTP/2'],
    ['#changes', 'Changes'],
    ['#nights', 'Nights'],
    ['#charts', 'Trends'],
  ];
  if (options.runsPage !== undefined) links.push([options.runsPage, 'Runs']);
  const complete = trend.nights.filter(({ state }) => state === 'complete').length;
  const nights = `${plural(complete, 'complete night')} of ${trend.nights.length}`;
  const [first] = trend.gaps;
  const subject = first === undefined ? '' : gapTitle(first, trend).what;
  const body = markup`${topBar('history', links)}
    <main id="main">
    <section class="hero" aria-labelledby="headline" id="gaps">
    <h1 id="headline">${unbroken(gapHeadline(trend) || nights)}</h1>
    <ul class="facts">${[subject, nights].map((fact) => fact !== '' && markup`<li>${fact}</li>`)}</ul>
    ${gapTable(trend)}
    </section>
    <section aria-labelledby="changes-title" id="changes">
    <h2 id="changes-title">What changed, and when</h2>
    ${nightChanges(charts)}
    <details><summary>How changes are found</summary><p class="note">Change points by E-divisive (Matteson and James 2014) on the medians of the nights, each with a permutation test at 1 %. The test allows for nights that resemble their neighbours. Nights with a baseline next to the candidate are judged by both, block by block. ${foundWith} Stored figures are for trends. A verdict on a browser needs both browsers in the same blocks (npx h2h3 gate).</p></details>
    </section>
    <section id="nights" aria-labelledby="nights-title"><h2 id="nights-title">Nights</h2>${nightStrip(trend.nights)}</section>
    <section id="charts" aria-labelledby="charts-title"><h2 id="charts-title">Trends</h2>
    <p class="note">Medians with 95 % intervals. Browser builds, machines, networks and servers are never mixed in one chart.</p>
    <p class="filters js"><label>By <select id="trend-by"><option value="nights">night</option><option value="versions"${versionsSayMore(trend) && markup` selected`}>version</option></select></label>
    <label>Show <input type="search" id="trend-filter" autocomplete="off" placeholder="workload or metric"></label></p>
    <p class="shown js" id="trend-shown" role="status"></p>
    <div id="trend-charts" class="figures"></div>
    <noscript><p class="empty">Charts need scripts. The figures are in the history file.</p></noscript>
    </section>
    </main>
    <footer><p>Made by h2h3 on ${trend.generatedAt.slice(0, 10)}. All of this page is in this one file. It loads nothing from the network.</p></footer>`;
  return pageText({ title: `${gapHeadline(trend) || nights} · History · h2h3`, assets, body, data });
}
