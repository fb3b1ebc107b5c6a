import type { Agreement, ExperimentResult, Studies } from '../../../src/model/studies.ts';
import { markup, type Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';

const styleFiles = ['base.css', 'top.css', 'tables.css', 'index.css', 'print.css'] as const;

const signs: Readonly<Record<Agreement, string>> = {
  same: '✓ same direction',
  other: '✗ other direction',
  partly: '± partly the same',
  undecided: '? undecided',
  'no direction': 'no direction published',
  'not measured': 'not measured',
};

function figureRows({ figures }: ExperimentResult): Markup[] {
  return figures.map(
    ({ experiment, figure, source, ours, agreement }) => markup`<tr>
      <th scope="row">${experiment}<small>${source}</small></th>
      <td>${figure}</td>
      <td>${
        ours.length === 0
          ? 'not measured in this run'
          : markup`<ul>${ours.map(({ place, text }) => markup`<li>${text} <small>${place}</small></li>`)}</ul>`
      }</td>
      <td>${signs[agreement]}</td>
    </tr>`,
  );
}

function section(result: ExperimentResult): Markup {
  const { id, preset, title, study, place, needs, run } = result;
  const head = markup`<h2 id="${id}">${id}: ${title}</h2><p class="note">${study}, ${place}. <code>h2h3 run ${preset}</code></p>`;
  if (needs !== undefined) return markup`<section>${head}<p>Unsupported: needs ${needs}.</p></section>`;
  if (run === undefined) return markup`<section>${head}<p>Not run.</p></section>`;
  return markup`<section>${head}
    <p><a href="${encodeURI(run.path)}/report.html">Report</a>: ${run.clients.join(', ')}; ${run.blocks} blocks, ${run.trialsOk} of ${run.trialsPlanned} trials valid, ${run.startedAt?.slice(0, 10) ?? 'no date'}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">Published</th><th scope="col">Measured here</th><th scope="col">Direction</th></tr></thead><tbody>${figureRows(result)}</tbody></table>
    </div></section>`;
}

function headline({ experiments }: Studies): string {
  const figures = experiments.flatMap((one) => one.figures);
  const count = (wanted: Agreement): number => figures.filter(({ agreement }) => agreement === wanted).length;
  const run = experiments.filter((one) => one.run !== undefined).length;
  return `${run} of ${experiments.length} experiments run: of ${figures.length} published results ${count('same')} have the same direction here, ${count('partly')} partly, ${count('other')} another, ${count('undecided')} are undecided.`;
}

/** Every experiment of the studies, published beside measured, as one page. */
export async function renderStudiesPage(studies: Studies): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const body = markup`${topBar(
    'studies',
    studies.experiments.map(({ id }) => [`#${id}`, id] as const),
  )}
    <main id="main"><section class="hero" aria-labelledby="headline"><p class="eyebrow">Four studies, run again</p>
    <h1 id="headline" class="long longer">${headline(studies)}</h1>
    <p class="lede">Other machines, browsers and servers may honestly differ; the report of each run names them.</p></section>
    ${studies.experiments.map(section)}</main>
    <footer><p>Made by h2h3 studies; it asks the network for nothing.</p></footer>`;
  return pageText({ title: 'Four studies, run again · h2h3', assets, body });
}
