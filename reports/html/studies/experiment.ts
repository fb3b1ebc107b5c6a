import type { Agreement, PublishedResult } from '../../../src/model/published.ts';
import type { ExperimentResult } from '../../../src/model/studies.ts';
import { agreementWords, outcomeLine } from '../../format/agreement-words.ts';
import { rawRateWords, runState } from '../../format/run-state.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { commandWords } from '../sections/answer-list.ts';
import { measuredHere } from '../sections/published.ts';
import { isDrawn, renderFigure } from './figures/render-figure.ts';

const marks: Readonly<Record<Agreement, string>> = {
  same: '✓',
  partly: '±',
  other: '✗',
  undecided: '?',
  'no direction': '·',
  'not measured': '–',
};

function row(result: PublishedResult): Markup {
  const { experiment, source, figure, ours, agreement, sizeWords, countedIn, price } = result;
  const counted = countedIn === undefined ? '' : markup`<br><small>Counted in ${countedIn}.</small>`;
  return markup`<tr>
      <th scope="row">${experiment}<small>${source}</small></th>
      <td>${figure}</td>
      <td>${measuredHere(ours)}</td>
      <td>${marks[agreement]} ${agreementWords[agreement]}<br><small>Size: ${sizeWords}.</small>${price !== undefined && markup`<br><small>To decide: ${price}.</small>`}${counted}</td>
    </tr>`;
}

function table({ id, results }: ExperimentResult): Insert {
  if (results.length === 0) return '';
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain"><thead><tr><th scope="col">Result</th><th scope="col">Published</th><th scope="col">Measured here</th><th scope="col">Outcome</th></tr></thead><tbody>${results.map(row)}</tbody></table>
    </div>`;
}

/** How the run was made, and in what it differs. */
function facts({ study, place, run, differs, missing = [] }: ExperimentResult, alone: boolean): Markup {
  const link =
    run?.path === undefined || alone ? '' : markup` <a href="${encodeURI(run.path)}/report.html">Report</a>.`;
  const raw = run === undefined ? undefined : rawRateWords(run);
  return markup`<p class="note">${study}, ${place}. ${run !== undefined && `${runState(run)}.`}${link}</p>
    ${raw !== undefined && markup`<p class="note">${raw}.</p>`}
    ${differs !== undefined && markup`<p class="note">Set-ups differ: ${differs}.</p>`}
    ${missing.length > 0 && markup`<p class="note">Not measured here: ${missing.join('. ')}.</p>`}`;
}

/** One line of words below the picture. */
function line(result: ExperimentResult): Markup {
  const { run, needs, preset, results } = result;
  if (needs !== undefined) return markup`<p class="study-line">Unsupported: needs ${needs}.</p>`;
  if (run === undefined)
    return markup`<p class="study-line">Not run: <code>${commandWords(`npx h2h3 run ${preset}`)}</code></p>`;
  return markup`<p class="study-line">${outcomeLine(results)}</p>`;
}

/** One experiment: picture, line, and the rest folded. */
export function renderExperiment(result: ExperimentResult, { alone }: { readonly alone: boolean }): Markup {
  const { id, title, question, figures, results } = result;
  const [first, ...more] = figures.filter(isDrawn);
  const count = results.filter(({ expects }) => expects !== undefined).length;
  return markup`<article class="study" aria-labelledby="${id}"><h3 id="${id}">${id}: ${title}</h3>
    ${question !== undefined && markup`<p class="study-line">${question}</p>`}
    ${first !== undefined && renderFigure(first, { titled: false })}
    ${line(result)}
    <details><summary>${count === 0 ? 'Table and set-up' : `Table of ${count} results and set-up`}</summary>
    ${table(result)}${facts(result, alone)}${more.map((figure) => renderFigure(figure, { titled: true }))}</details></article>`;
}
