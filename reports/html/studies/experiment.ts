import { textAt, type PublishedResult } from '../../../src/core/model/published.ts';
import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import type { StudyFigure } from '../../../src/core/model/study-figure.ts';
import type { ExperimentResult } from '../../../src/core/model/studies.ts';
import { agreementMarks, agreementText, campaignWords, countsLine } from '../../format/agreement-words.ts';
import { markup, type Insert, type Markup } from '../markup.ts';
import { commandWords } from '../sections/answer-list.ts';
import { measuredHere } from '../sections/published.ts';
import { figureResults } from './figure-results.ts';
import { isDrawn, renderFigure } from './figures/render-figure.ts';
import { outcomeClass } from './outcomes.ts';
import { runFacts, type FactsOptions } from './run-facts.ts';

/** What the rows of a table leave to the line above it. */
interface Shared {
  readonly scale: string | null;
  /** In how many campaigns most outcomes came out so; undefined where no two do. */
  readonly campaigns: string | undefined;
}

function row(result: PublishedResult, { scale, campaigns }: Shared): Markup {
  const { experiment, source, figure, ours, agreement, sizeWords, countedIn, price, afterTheFact } = result;
  const tone = afterTheFact === true ? 'o-none' : outcomeClass(agreement);
  const isSized = result.size !== undefined || textAt(result.instead, scale) !== undefined;
  const own = campaignWords(result);
  const notes = [
    ...(isSized ? [`Size: ${sizeWords}`] : []),
    ...(own === campaigns ? [] : [sentenceCase(own)]),
    ...(price === undefined ? [] : [`To decide: ${price}`]),
    ...(countedIn === undefined ? [] : [`Counted in ${countedIn}`]),
  ].filter(Boolean);
  return markup`<tr>
      <th scope="row">${experiment}</th>
      <td class="study-outcome"><b class="${tone}">${agreementMarks[agreement]} ${agreementText(result)}</b>${notes.length > 0 && markup`<br> <small>${notes.map((note) => `${note}.`).join(' ')}</small>`}</td>
      <td>${figure} <small>${source}</small></td>
      <td>${measuredHere(ours)}</td>
    </tr>`;
}

/** What most outcomes of several say of their campaigns, and whether all do. */
function commonCampaigns(
  results: readonly PublishedResult[],
): { readonly words: string; readonly isAll: boolean } | undefined {
  const said = results.map(campaignWords).filter(Boolean);
  const [most] = [...Map.groupBy(said, (words) => words)].toSorted(([, a], [, b]) => b.length - a.length);
  if (most === undefined || most[1].length < 2) return undefined;
  return { words: most[0], isAll: most[1].length === said.length };
}

/** Every result in a row, and how it was run. It scrolls sideways where the page is narrow, so that a result takes few lines. */
function table(result: ExperimentResult, options: FactsOptions): Markup {
  const { id, run, results } = result;
  if (results.length === 0) return runFacts(result, options);
  const common = commonCampaigns(results);
  const outcomes = common && `${common.isAll ? 'Every outcome' : 'Outcomes, unless said'}: ${common.words}`;
  // Without a run sizes are told as at the smallest scale (`experimentResult`).
  const scale = run === undefined ? 'quick' : run.scale;
  const rows = results.map((each) => row(each, { scale, campaigns: common?.words }));
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Published and measured: ${id}">
    <table class="plain study-table"><thead><tr><th scope="col">Result</th><th scope="col">Outcome</th><th scope="col">Published</th><th scope="col">Measured here</th></tr></thead><tbody>${rows}</tbody></table>
    ${runFacts(result, { ...options, outcomes })}</div>`;
}

export interface ExperimentOptions extends FactsOptions {
  /** The figure that stands above all experiments of the study, and not a second time here. */
  readonly lead?: StudyFigure | undefined;
}

/** Why there is nothing to show; nothing where something was measured. */
function notRunReason({ run, needs, preset }: ExperimentResult): Insert {
  if (needs !== undefined) return markup`<p class="study-line">Unsupported: needs ${needs}.</p>`;
  return (
    run === undefined &&
    markup`<p class="study-line">Not run: <code>${commandWords(`npx h2h3 run ${preset}`)}</code></p>`
  );
}

/** The first figure, and next to it the others once the experiment is unfolded. */
function figuresOf(result: ExperimentResult, lead: StudyFigure | undefined): Insert {
  const drawn = result.figures
    .filter((figure) => figure !== lead && isDrawn(figure))
    .map((figure, index) =>
      renderFigure(figure, { titled: index > 0, found: figureResults(figure, result) }),
    );
  return drawn.length < 2
    ? drawn
    : markup`<div class="study-figures" tabindex="0" role="region" aria-label="Figures: ${result.id}">${drawn}</div>`;
}

/** One experiment: picture, what was found of it, and the rest folded. */
export function renderExperiment(result: ExperimentResult, options: ExperimentOptions): Markup {
  const { id, title, question, results } = result;
  return markup`<article class="study" aria-labelledby="${id}"><h3 id="${id}">${id}: ${title}</h3>
    ${question !== undefined && markup`<p class="study-line">${question}</p>`}
    ${figuresOf(result, options.lead)}${notRunReason(result)}
    <details><summary>${results.length === 0 ? 'Set-up' : countsLine(results)}</summary>
    ${table(result, options)}</details></article>`;
}
