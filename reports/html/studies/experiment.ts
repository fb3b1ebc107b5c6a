import type { PublishedResult } from '../../../src/core/model/published.ts';
import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import type { StudyFigure } from '../../../src/core/model/study-figure.ts';
import type { ExperimentResult } from '../../../src/core/model/studies.ts';
import { agreementMarks, agreementText, campaignWords, countsLine } from '../../format/agreement-words.ts';
import { campaignsWords, rawRateWords, runState, setUpWords } from '../../format/run-state.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { commandWords } from '../sections/answer-list.ts';
import { measuredHere } from '../sections/published.ts';
import { figureResults } from './figure-results.ts';
import { isDrawn, renderFigure } from './figures/render-figure.ts';
import { outcomeClass } from './outcomes.ts';

function row(result: PublishedResult): Markup {
  const { experiment, source, figure, ours, agreement, sizeWords, countedIn, price, afterTheFact } = result;
  const tone = afterTheFact === true ? 'o-none' : outcomeClass(agreement);
  const notes = [
    `Size: ${sizeWords}`,
    sentenceCase(campaignWords(result)),
    ...(price === undefined ? [] : [`To decide: ${price}`]),
    ...(countedIn === undefined ? [] : [`Counted in ${countedIn}`]),
  ].filter(Boolean);
  return markup`<tr>
      <th scope="row">${experiment}<small>${source}</small></th>
      <td data-head="Published">${figure}</td>
      <td data-head="Measured here">${measuredHere(ours)}</td>
      <td class="study-outcome"><b class="${tone}">${agreementMarks[agreement]} ${agreementText(result)}</b><br><small>${notes.map((note) => `${note}.`).join(' ')}</small></td>
    </tr>`;
}

function table({ id, results }: ExperimentResult): Insert {
  if (results.length === 0) return '';
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain study-table"><thead><tr><th scope="col">Result</th><th scope="col">Published</th><th scope="col">Measured here</th><th scope="col">Outcome</th></tr></thead><tbody>${results.map(row)}</tbody></table>
    </div>`;
}

/** Our machine, clients and servers; several servers of one kind are named once. */
function setUps({ run, results }: ExperimentResult): Insert {
  const [first] = results;
  if (run === undefined || first === undefined) return '';
  const ours = [...new Set(first.ourMachine.split(' · '))].join(', ');
  return markup`<p class="note">Here: ${ours}.</p>`;
}

export interface ExperimentOptions {
  /** Whether the page must do without the runs' folders. */
  readonly alone: boolean;
  /** That most runs of the page are of. */
  readonly revision: string | null;
  /** The figure that stands above all experiments of the study, and not a second time here. */
  readonly lead?: StudyFigure | undefined;
}

/** How the run was made, and in what it differs. */
function facts(result: ExperimentResult, { alone, revision }: ExperimentOptions): Markup {
  const { study, place, run, differs, missing = [] } = result;
  const other = run !== undefined && run.revision !== revision && ' Another revision than most runs here.';
  const link =
    run?.path === undefined || alone ? '' : markup` <a href="${encodeURI(run.path)}/report.html">Report</a>.`;
  const raw = run === undefined ? undefined : rawRateWords(run);
  const made = run === undefined ? undefined : setUpWords(run);
  const campaigns = campaignsWords(result);
  return markup`<p class="note">${study}, ${place}. ${run !== undefined && `${runState(run)}.`}${other}${link}</p>
    ${setUps(result)}
    ${campaigns !== undefined && markup`<p class="note">${campaigns}.</p>`}
    ${made !== undefined && markup`<p class="note">${made}.</p>`}
    ${raw !== undefined && markup`<p class="note">${raw}.</p>`}
    ${differs !== undefined && markup`<p class="note">Set-ups differ: ${differs}.</p>`}
    ${missing.length > 0 && markup`<p class="note">Not measured here: ${missing.join('. ')}.</p>`}`;
}

/** Why there is nothing to show; nothing where something was measured. */
function notRunReason({ run, needs, preset }: ExperimentResult): Insert {
  if (needs !== undefined) return markup`<p class="study-line">Unsupported: needs ${needs}.</p>`;
  return (
    run === undefined &&
    markup`<p class="study-line">Not run: <code>${commandWords(`npx h2h3 run ${preset}`)}</code></p>`
  );
}

/** One experiment: picture, what was found of it, and the rest folded. */
export function renderExperiment(result: ExperimentResult, options: ExperimentOptions): Markup {
  const { id, title, question, figures, results } = result;
  const [first, ...more] = figures
    .filter((figure) => figure !== options.lead && isDrawn(figure))
    .map((figure, index) =>
      renderFigure(figure, { titled: index > 0, found: figureResults(figure, result) }),
    );
  return markup`<article class="study" aria-labelledby="${id}"><h3 id="${id}">${id}: ${title}</h3>
    ${question !== undefined && markup`<p class="study-line">${question}</p>`}
    ${first}${notRunReason(result)}
    <details><summary>${results.length === 0 ? 'Set-up' : countsLine(results)}</summary>
    ${table(result)}${facts(result, options)}${more}</details></article>`;
}
