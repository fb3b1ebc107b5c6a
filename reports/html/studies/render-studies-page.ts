import { longestHeadline } from '../../../src/model/first-screen.ts';
import type { Agreement, ExperimentResult, Studies } from '../../../src/model/studies.ts';
import { plural } from '../../format/numbers.ts';
import { runState } from '../../format/run-state.ts';
import { isUnexplained, signWords } from '../../format/sign-words.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';
import { commandWords } from '../sections/answer-list.ts';
import { measuredHere } from '../sections/published.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'answer.css',
  'tables.css',
  'index.css',
  'print.css',
] as const;

const signs: Readonly<Record<Agreement, string>> = {
  same: '✓ same direction',
  'same, small': '≈ same direction, too small to call',
  other: '✗ opposite direction',
  partly: '± partly the same',
  undecided: '? not decided',
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

/** The directions that these studies should show; nothing where they were not looked for. */
function wantedDirections({ signs: wanted = [] }: Studies): Insert {
  if (wanted.length === 0) return '';
  return markup`<section aria-labelledby="directions"><h2 id="directions">Directions looked for</h2>
    <p class="note">These directions do not depend on the machine. Each row names its comparisons: the change of the first arm against the second, with its interval. Where one change is set against another, they are compared block by block.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Directions looked for">
    <table class="plain"><thead><tr><th scope="col">Direction</th><th scope="col">Outcome</th><th scope="col">Measured here</th></tr></thead><tbody>${wanted.map(
      ({ words, agreement, evidence }) => markup`<tr>
      <th scope="row">${words}</th>
      <td>${signs[agreement]}</td>
      <td>${evidence.length === 0 ? 'not measured' : markup`<ul>${evidence.map((evidenceSign) => markup`<li>${signWords(evidenceSign)}</li>`)}</ul>`}</td>
    </tr>`,
    )}</tbody></table></div></section>`;
}

function section(result: ExperimentResult, alone: boolean): Markup {
  const { id, title, study, place, run } = result;
  if (run === undefined) return markup``;
  return markup`<section><h2 id="${id}">${id}: ${title}</h2><p class="note">${study}, ${place}.
    ${alone ? '' : markup`<a href="${encodeURI(run.path)}/report.html">Report</a>: `}${runState(run)}, ${run.startedAt?.slice(0, 10) ?? 'no date'}.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">Published</th><th scope="col">Measured here</th><th scope="col">Direction</th></tr></thead><tbody>${figureRows(result)}</tbody></table>
    </div></section>`;
}

function outcome({ preset, needs, run, figures }: ExperimentResult): Insert {
  if (needs !== undefined) return `unsupported: needs ${needs}`;
  if (run === undefined) return markup`not run: <code>${commandWords(`npx h2h3 run ${preset}`)}</code>`;
  const told = [...Map.groupBy(figures, ({ agreement }) => signs[agreement])];
  return told.map(([sign, those]) => (those.length === 1 ? sign : `${sign} (${those.length})`)).join(', ');
}

const isLater = ({ question }: ExperimentResult): boolean => question !== undefined;

function overview({ experiments }: Studies): Markup {
  const later = experiments.filter(isLater);
  const ofStudies = experiments.filter((experiment) => !isLater(experiment));
  return markup`${list('all', 'All experiments', ofStudies)}${later.length === 0 ? '' : list('later', 'Research after the four studies', later)}`;
}

function list(id: string, title: string, experiments: readonly ExperimentResult[]): Markup {
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">Study</th><th scope="col">Here</th></tr></thead><tbody>
    ${experiments.map(
      (experiment) => markup`<tr>
      <th scope="row">${experiment.run === undefined ? experiment.id : markup`<a href="#${experiment.id}">${experiment.id}</a>`}: ${experiment.title}${experiment.question === undefined ? '' : markup`<br><small>${experiment.question}</small>`}</th>
      <td>${experiment.study}, <small>${experiment.place}</small></td>
      <td>${outcome(experiment)}</td>
    </tr>`,
    )}</tbody></table></div></section>`;
}

/** How the published results with a direction came out here; every one of them is counted once. */
export interface StudyCounts {
  readonly all: number;
  /** Small ones among them. */
  readonly same: number;
  readonly small: number;
  readonly partly: number;
  readonly opposite: number;
  readonly open: number;
  readonly notRun: number;
}

export function studyCounts({ experiments }: Studies): StudyCounts {
  const figures = experiments
    .flatMap((experiment) => experiment.figures)
    .filter(({ expects }) => expects !== undefined);
  const count = (...wanted: readonly Agreement[]): number =>
    figures.filter(({ agreement }) => wanted.includes(agreement)).length;
  return {
    all: figures.length,
    same: count('same', 'same, small'),
    small: count('same, small'),
    partly: count('partly'),
    opposite: count('other'),
    open: count('undecided', 'no direction'),
    notRun: count('not measured'),
  };
}

/** The outcome in one sentence; its counts add up to all. */
export function studiesHeadline(counts: StudyCounts): string {
  const { all, same, partly, opposite, open, notRun } = counts;
  const parts = [
    `${same} same direction`,
    ...(partly > 0 ? [`${partly} partly`] : []),
    `${opposite} opposite`,
    ...(open > 0 ? [`${open} not decided`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ];
  if (all === 0) return 'No published finding has been measured here yet.';
  const whole = (what: string): string => `Of ${plural(all, what)}: ${parts.join(', ')}.`;
  const long = whole('published finding');
  return long.length <= longestHeadline ? long : whole('finding');
}

const segments = [
  ['same', 'same direction', 'better'],
  ['partly', 'partly', 'mixed'],
  ['opposite', 'opposite', 'worse'],
  ['open', 'not decided', 'inconclusive'],
  ['notRun', 'not run', 'none'],
] as const;

/** All findings as one bar. */
function bar(counts: StudyCounts): Markup {
  if (counts.all === 0) return markup``;
  let before = 0;
  const parts = segments.flatMap(([key, , tone]) => {
    const count = counts[key];
    if (count === 0) return [];
    const x = (before / counts.all) * 100;
    before += count;
    const width = (count / counts.all) * 100;
    return [
      markup`<rect class="study-bar v-${tone}" x="${x.toFixed(2)}%" y="2" width="${width.toFixed(2)}%" height="30"/><text class="study-count" x="${(x + width / 2).toFixed(2)}%" y="22" text-anchor="middle">${count}</text>`,
    ];
  });
  const key = segments
    .filter(([name]) => counts[name] > 0)
    .map(
      ([name, title, tone]) =>
        markup`<li class="v-${tone}"><i class="study-key"></i>${title} ${counts[name]}</li>`,
    );
  return markup`<figure class="dumbbell-figure" id="picture"><svg width="100%" height="34" role="img" aria-label="${studiesHeadline(counts)}">${parts}</svg><figcaption><ul class="study-keys">${key}</ul></figcaption></figure>`;
}

function nextStep({ experiments }: Studies): Markup {
  const [missing] = experiments.filter(({ run, needs }) => run === undefined && needs === undefined);
  const does =
    missing === undefined
      ? markup`Read how each came out <a href="#all">in the list</a>.`
      : markup`Run what is missing: <code>${commandWords(`npx h2h3 run ${missing.preset}`)}</code>`;
  return markup`<ul class="answers"><li class="answer a-measure-more"><p class="answer-do"><span class="action">Next</span> ${does}</p></li></ul>`;
}

/**
 * Every experiment of the studies, published beside measured, as one page.
 *
 * @param alone whether the reports of the runs do not lie beside it, so that it has no links to them
 */
export async function renderStudiesPage(studies: Studies, { alone = false } = {}): Promise<string> {
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const counts = studyCounts(studies);
  const headline = studiesHeadline(counts);
  const told = studies.experiments.filter((experiment) => experiment.run !== undefined).length;
  const body = markup`${topBar('studies', [
    ['#all', 'All experiments'],
    ...(studies.signs.length > 0 ? [['#directions', 'Directions looked for'] as const] : []),
  ])}
    <main id="main"><section class="hero" aria-labelledby="headline">
    <h1 id="headline">${headline}</h1>
    <p class="facts">${told} of ${plural(studies.experiments.length, 'experiment')} run here</p>
    ${bar(counts)}
    ${nextStep(studies)}
    <p class="detail">${counts.small > 0 && `${counts.small} of the same direction ${counts.small === 1 ? 'is' : 'are'} too small to call. `}Other machines, browsers and servers may differ. The report of each run names them.</p></section>
    ${wantedDirections(studies)} ${overview(studies)} ${studies.experiments.map((experiment) => section(experiment, alone))}</main>
    <footer><p>Made by h2h3 studies. It loads nothing from the network.</p></footer>`;
  return pageText({ title: `${headline} · h2h3`, assets, body });
}
