import type { RunEntry } from '../../../src/core/model/run-index.ts';
import { plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { runRow } from './run-rows.ts';
import { trendCard, trendsOf } from './trends.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'tables.css',
  'index.css',
  'print.css',
] as const;

export interface RunIndexOptions {
  /** Address of a page on the history of runs, relative to the list; default none. */
  readonly historyPage?: string;
  /** Whether a server shows the list, which can follow runs and compare two. Default: the list is a file. */
  readonly served?: boolean;
  /** How far runs under way are, by folder; default not known. */
  readonly progress?: ReadonlyMap<string, string>;
}

const heads = [
  ['Run', true],
  ['Started (UTC)', true],
  ['State', true],
  ['What it says', false],
  ['Primary verdicts', false],
  ['Trials', true],
] as const;

function runTable(runs: readonly RunEntry[], { served = false, progress }: RunIndexOptions): Markup {
  if (runs.length === 0) {
    return markup`<p class="empty">No run yet. Start one with <code>npx h2h3 run web</code>.</p>`;
  }
  const head = heads.map(([title, sorts]) =>
    sorts
      ? markup`<th scope="col" aria-sort="none"><button type="button" class="sort">${title}</button></th>`
      : markup`<th scope="col">${title}</th>`,
  );
  return markup`<form class="filters js" id="row-filter"><label>Search <input type="search" name="text" autocomplete="off" placeholder="name, tag, headline…"></label></form>
    ${
      served
        ? markup`<p class="js" id="compare-two" role="status" hidden><a class="action" href="compare">Compare these two runs</a></p>`
        : markup`<p class="command js" id="compare-two" role="status" hidden><code></code> <button type="button">Copy</button> <small>in this folder</small></p>`
    }
    <p class="shown js" id="shown" role="status">${plural(runs.length, 'run')}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Runs">
    <table class="runs" id="rows" data-nouns="run|runs"><thead><tr>${head}</tr></thead><tbody>${runs.map((run) => runRow(run, { served, progress: progress?.get(run.folder) }))}</tbody></table>
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
    ${runTable(runs, options)}
    </section>
    ${trendSection(runs, options)}
    </main>
    <footer><p>${options.served === true ? 'Served by h2h3 on this machine only. Ctrl-C in the terminal ends it.' : markup`Made by h2h3 whenever a run is published. It loads nothing from the network. <code>npx h2h3 report --serve</code> also follows runs under way.`}</p></footer>`;
  return pageText({ title: `${plural(runs.length, 'run')} · h2h3`, assets, body });
}
