import type { Agreement, ExperimentResult, Studies } from '../../../src/model/studies.ts';
import { plural } from '../../format/numbers.ts';
import { runState } from '../../format/run-state.ts';
import { isUnexplained, signWords } from '../../format/sign-words.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { measuredHere } from '../sections/published.ts';

const styleFiles = ['base.css', 'top.css', 'tables.css', 'index.css', 'print.css'] as const;

const signs: Readonly<Record<Agreement, string>> = {
  same: '✓ same direction',
  'same, small': '≈ same direction, size undecided',
  other: '✗ other direction',
  partly: '± partly the same',
  undecided: '? undecided',
  'no direction': 'no direction published',
  'not measured': 'not measured',
};

function figureRows({ figures, differs }: ExperimentResult): Markup[] {
  return figures.map(
    ({ experiment, figure, source, ours, agreement }) => markup`<tr>
      <th scope="row">${experiment}<small>${source}</small></th>
      <td>${figure}</td>
      <td>${measuredHere(ours)}</td>
      <td>${signs[agreement]}${differs !== undefined && isUnexplained(agreement) ? markup`<br><small>Set-ups differ: ${differs}.</small>` : ''}</td>
    </tr>`,
  );
}

/** The directions by which a bench of these studies is to be known; nothing where they were not looked for. */
function wantedDirections({ signs: wanted = [] }: Studies): Insert {
  if (wanted.length === 0) return '';
  return markup`<section aria-labelledby="directions"><h2 id="directions">Directions looked for</h2>
    <p class="note">What these studies stand for, whatever the machine. Each rests on the comparisons beside it: change of the first arm against the second, with the interval of the verdict. Where one change is set against another, they are compared block by block.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Directions looked for">
    <table class="plain"><thead><tr><th scope="col">Direction</th><th scope="col">Outcome</th><th scope="col">Measured here</th></tr></thead><tbody>${wanted.map(
      ({ words, agreement, evidence }) => markup`<tr>
      <th scope="row">${words}</th>
      <td>${signs[agreement]}</td>
      <td>${evidence.length === 0 ? 'not measured' : markup`<ul>${evidence.map((one) => markup`<li>${signWords(one)}</li>`)}</ul>`}</td>
    </tr>`,
    )}</tbody></table></div></section>`;
}

function section(result: ExperimentResult, alone: boolean): Markup {
  const { id, title, study, place, run } = result;
  if (run === undefined) return markup``;
  return markup`<section><h2 id="${id}">${id}: ${title}</h2><p class="note">${study}, ${place}.
    ${alone ? '' : markup`<a href="${encodeURI(run.path)}/report.html">Report</a>: `}${runState(run)}; ${run.startedAt?.slice(0, 10) ?? 'no date'}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">Published</th><th scope="col">Measured here</th><th scope="col">Direction</th></tr></thead><tbody>${figureRows(result)}</tbody></table>
    </div></section>`;
}

function outcome({ preset, needs, run, figures }: ExperimentResult): Insert {
  if (needs !== undefined) return `unsupported: needs ${needs}`;
  if (run === undefined) return markup`not run: <code>npx h2h3 run ${preset}</code>`;
  const told = [...Map.groupBy(figures, ({ agreement }) => signs[agreement])];
  return told.map(([sign, those]) => (those.length === 1 ? sign : `${sign} (${those.length})`)).join(', ');
}

function overview({ experiments }: Studies): Markup {
  return markup`<section aria-labelledby="all"><h2 id="all">All experiments</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="All experiments">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">Study</th><th scope="col">Here</th></tr></thead><tbody>
    ${experiments.map(
      (one) => markup`<tr>
      <th scope="row">${one.run === undefined ? one.id : markup`<a href="#${one.id}">${one.id}</a>`}: ${one.title}</th>
      <td>${one.study}, <small>${one.place}</small></td>
      <td>${outcome(one)}</td>
    </tr>`,
    )}</tbody></table></div></section>`;
}

function headline({ experiments }: Studies): string {
  const figures = experiments.flatMap((one) => one.figures);
  const count = (wanted: Agreement): number => figures.filter(({ agreement }) => agreement === wanted).length;
  const small = count('same, small');
  const told = experiments.filter((one) => one.run !== undefined).length;
  const directed = figures.filter(({ expects }) => expects !== undefined).length;
  return `${told} of ${experiments.length} experiments were run. Of ${plural(directed, 'published result')} with a direction ${count('same')} came out the same here${small === 0 ? '' : ` (${small} more in direction alone)`}, ${count('partly')} partly, ${count('other')} otherwise; ${count('undecided')} are undecided.`;
}

/**
 * Every experiment of the studies, published beside measured, as one page.
 *
 * @param alone whether the reports of the runs do not lie beside it, so that it has no links to them
 */
export async function renderStudiesPage(studies: Studies, { alone = false } = {}): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const body = markup`${topBar('studies', [
    ['#all', 'All experiments'],
    ...studies.experiments.flatMap(({ id, run }) => (run === undefined ? [] : [[`#${id}`, id] as const])),
  ])}
    <main id="main"><section class="hero" aria-labelledby="headline"><p class="eyebrow">Four studies, run again</p>
    <h1 id="headline" class="long longer">${headline(studies)}</h1>
    <p class="lede">Other machines, browsers and servers may honestly differ; the report of each run names them.</p></section>
    ${wantedDirections(studies)} ${overview(studies)} ${studies.experiments.map((one) => section(one, alone))}</main>
    <footer><p>Made by h2h3 studies; it asks the network for nothing.</p></footer>`;
  return pageText({ title: 'Four studies, run again · h2h3', assets, body });
}
