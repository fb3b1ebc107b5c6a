import type { RunEntry } from '../../../src/model/run-index.ts';
import { plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { runRow } from './run-rows.ts';
import { trendCard, trendsOf } from './trends.ts';

const styleFiles = ['base.css', 'top.css', 'tables.css', 'index.css', 'print.css'] as const;

export interface RunIndexOptions {
  /** Address of a page on the history of runs, relative to the list; default none. */
  readonly historyPage?: string;
}

const heads = [
  ['Run', true],
  ['Started (UTC)', true],
  ['State', true],
  ['What it says', false],
  ['Primary verdicts', false],
  ['Trials', true],
] as const;

function runTable(runs: readonly RunEntry[]): Markup {
  if (runs.length === 0) {
    return markup`<p class="empty">No run yet. Start one with <code>npx h2h3 run web</code>.</p>`;
  }
  const head = heads.map(([title, sorts]) =>
    sorts
      ? markup`<th scope="col" aria-sort="none"><button type="button" class="sort">${title}</button></th>`
      : markup`<th scope="col">${title}</th>`,
  );
  return markup`<form class="filters js" id="row-filter"><label>Filter <input type="search" name="text" autocomplete="off"></label></form>
    <p class="shown js" id="shown" role="status">${plural(runs.length, 'run')}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Runs">
    <table class="runs" id="rows" data-nouns="run|runs"><thead><tr>${head}</tr></thead><tbody>${runs.map(runRow)}</tbody></table>
    </div>`;
}

function trendSection(runs: readonly RunEntry[], { historyPage }: RunIndexOptions): Markup {
  const trends = trendsOf(runs);
  const link =
    historyPage !== undefined &&
    markup`<p><a href="${historyPage}">History of all runs, with changes named</a></p>`;
  return markup`<section id="trends" aria-labelledby="trends-title">
    <h2 id="trends-title">Trends</h2>
    ${link}
    ${
      trends.length === 0
        ? markup`<p class="empty">A trend needs two runs of the same plan: then each primary comparison is followed here from run to run.</p>`
        : markup`<p class="note">Primary comparisons of runs with the same name, oldest on the left: estimate and 95 % interval of the change, higher values upwards. Inside the shaded band a difference does not matter.</p>
    <ul class="cards trends">${trends.map(trendCard)}</ul>`
    }
  </section>`;
}

/** The list of the runs of a folder as one page: what each says, its state, and the trend over runs of one plan. */
export async function renderRunIndex(
  runs: readonly RunEntry[],
  options: RunIndexOptions = {},
): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const body = markup`${topBar('runs', [
    ['#runs-section', 'Runs'],
    ['#trends', 'Trends'],
  ])}
    <main id="main">
    <section class="hero" id="runs-section" aria-labelledby="runs-title">
    <h1 id="runs-title">${plural(runs.length, 'run')}</h1>
    ${runTable(runs)}
    </section>
    ${trendSection(runs, options)}
    </main>
    <footer><p>Made by h2h3 whenever a run is published; it asks the network for nothing.</p></footer>`;
  return pageText({ title: `${plural(runs.length, 'run')} · h2h3`, assets, body });
}
