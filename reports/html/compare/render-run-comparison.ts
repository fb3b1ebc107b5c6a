import { namesFrom } from '../../../src/core/model/names.ts';
import type { RunComparison, RunDifference } from '../../../src/core/model/run-comparison.ts';
import { formatCount, plural, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { dumbbellRow } from '../../format/dumbbell-rows.ts';
import { metricWords } from '../../format/metric-words.ts';
import { verdictOrder } from '../../format/verdict-words.ts';
import { figureOf } from '../sections/dumbbell-figure.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { contrastRow } from './contrast-row.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'answer.css',
  'tables.css',
  'index.css',
  'print.css',
] as const;

/** Rows in one page; the CSV and JSON next to it have all. */
const maxRows = 1500;

function runBox(letter: string, { folder, run, trials }: RunComparison['a']): Markup {
  const started = run.startedAt === null ? 'no trial' : run.startedAt.slice(0, 16).replace('T', ' ');
  return markup`<div class="box"><h2>${letter}: ${run.name}</h2>
    <ul>
    <li>${folder}</li>
    <li>${started}${run.startedAt !== null && ' UTC'}</li>
    <li>${formatCount(trials.ok)} valid trials, ${plural(run.repetitions, 'block')} planned</li>
    <li><code>${run.command}</code></li>
    </ul></div>`;
}

function differenceRow({ what, a, b, refuses }: RunDifference): Markup {
  const weight = refuses ? '✕ makes the figures incomparable' : '· named only';
  return markup`<tr><th scope="row">${what}</th><td>${a}</td><td>${b}</td><td>${weight}</td></tr>`;
}

function differenceSection({ differences }: RunComparison): Markup {
  if (differences.length === 0) return markup``;
  const rows = differences.map(differenceRow);
  const table = markup`<div class="scroll" tabindex="0" role="region" aria-label="Differences between the runs"><table class="plain"><thead><tr><th scope="col">What</th><th scope="col">A</th><th scope="col">B</th><th scope="col">Weight</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return markup`<section id="differences" aria-labelledby="differences-title">
    <h2 id="differences-title">What else differs</h2>
    ${table}
  </section>`;
}

const heads = ['Workload', 'Metric', 'A', 'B', 'Change, 95 % interval', '', 'n (A / B)', 'p', 'Verdict on B'];
const wideColumns = new Set(['A', 'B', 'n (A / B)', 'p']);

function contrastTable({ contrasts, names: table }: RunComparison): Markup {
  const names = namesFrom(table);
  const head = heads.map((title) => {
    const className = title === '' ? 'graph' : wideColumns.has(title) ? 'wide' : '';
    return title === ''
      ? markup`<th scope="col" class="graph">worse ↔ better</th>`
      : markup`<th scope="col" class="${className}" aria-sort="none"><button type="button" class="sort">${title}</button></th>`;
  });
  const rest = contrasts.length - maxRows;
  return markup`<section id="contrasts" aria-labelledby="contrasts-title">
    <h2 id="contrasts-title">Run B against run A</h2>
    <p class="note">A gap is one arm against the other within a run: each block’s own pair cancels what the machine did to both. Single arms carry everything that changed between the runs. Blocks of the two runs are not paired: Hodges–Lehmann shift, Mann–Whitney test of no difference, adjusted by Holm for primary gaps, by Benjamini–Hochberg otherwise.</p>
    <form class="filters js" id="row-filter"><label>Filter <input type="search" name="text" autocomplete="off"></label>
    <label>Question <select name="what"><option value="">both</option><option value="gap, ">gaps between arms</option><option value=" alone">single arms</option></select></label>
    <label>Verdict <select name="verdict"><option value="">all</option><option>worse</option><option>better</option><option>no difference</option><option>not decided</option></select></label>
    <button type="button" id="copy-rows">Copy CSV</button></form>
    <p class="shown js" id="shown" role="status">${plural(contrasts.length, 'contrast')}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Contrasts">
    <table class="comparisons" id="rows" data-nouns="contrast|contrasts"><thead><tr>${head}</tr></thead><tbody>${contrasts.slice(0, maxRows).map((contrast) => contrastRow(contrast, names))}</tbody></table>
    </div>
    ${rest > 0 && markup`<p class="note">The first ${formatCount(maxRows)} of ${formatCount(contrasts.length)} are shown. The CSV next to this page has all of them.</p>`}
  </section>`;
}

/** Rows of the picture; more do not fit a first screen. */
const maxPictured = 5;

/** What became of each primary gap, run A at no change. */
function picture({ contrasts, names: table }: RunComparison): Markup {
  const names = namesFrom(table);
  const gaps = contrasts
    .filter(({ what, primary }) => what === 'gap' && primary)
    .toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict))
    .slice(0, maxPictured);
  const [first] = gaps;
  if (first === undefined) return markup``;
  const rows = gaps.map((gap) =>
    dumbbellRow(gap, {
      name: [names.workload(gap.workload, gap.workloadKind), metricWords(gap.metric).title].join(', '),
      medians: '',
      median: gap.a.median,
      leads: true,
    }),
  );
  return figureOf({ rows, metric: '', baseline: 'run A', candidate: 'run B' });
}

/** What to do after a comparison of two runs, whose evidence is weaker than that of one. */
function nextStep({ differences }: RunComparison): Markup {
  const grave = differences.some(({ refuses }) => refuses);
  return markup`<ul class="answers"><li class="answer a-measure-more"><p class="answer-do"><span class="action">Next</span> ${
    grave ? 'Make both runs alike, and compare again.' : 'To be certain, make both sides arms of one run.'
  }</p></li></ul>`;
}

function top(comparison: RunComparison): Markup {
  const { headline, caution, differences, a, b } = comparison;
  const [first = '', ...rest] = headline.map(unbroken);
  const grave = differences.filter(({ refuses }) => refuses);
  return markup`<section class="hero" aria-labelledby="headline">
    <h1 id="headline" dir="auto">${first}</h1>
    <p class="facts">Run B (${b.run.name}) against run A (${a.run.name}), unpaired${differences.length === 0 && ', same machine, versions, network and workloads'}</p>
    ${picture(comparison)}
    ${nextStep(comparison)}
    ${rest.map((sentence) => markup`<p class="lede">${sentence}</p>`)}
    <ul class="notices">
    ${grave.length > 0 && markup`<li><b>These runs are not comparable. This page was forced.</b> They differ in ${grave.map(({ what }) => what).join(', ')}: <a href="#differences">see the list</a>.</li>`}
    <li>${caution}</li>
    ${comparison.warnings.map((warning) => markup`<li>${warning}</li>`)}
    </ul>
    <div class="columns">${runBox('A', a)}${runBox('B', b)}</div>
  </section>`;
}

/** The comparison of two runs as one page. */
export async function renderRunComparison(comparison: RunComparison): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const body = markup`${topBar(`${comparison.a.run.name} → ${comparison.b.run.name}`, [
    ['#contrasts', 'Contrasts'],
    ...(comparison.differences.length > 0 ? [['#differences', 'Differences'] as const] : []),
  ])}
    <main id="main">${top(comparison)} ${contrastTable(comparison)} ${differenceSection(comparison)}</main>
    <footer><p>Made by h2h3 compare. It loads nothing from the network.</p></footer>`;
  return pageText({ title: `${comparison.headline[0] ?? 'Two runs'} · h2h3`, assets, body });
}
