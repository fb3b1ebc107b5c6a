import type { Agreement, PublishedResult } from '../../../src/core/model/published.ts';
import type { ExperimentResult, StudyLead } from '../../../src/core/model/studies.ts';
import type { StudyFigure } from '../../../src/core/model/study-figure.ts';
import { agreementText } from '../../format/agreement-words.ts';
import { markup, type Markup } from '../markup.ts';
import { figureResults } from './figure-results.ts';
import { isDrawn, renderFigure } from './figures/render-figure.ts';
import { apartWords, studyCounts, threeNumbers } from './study-counts.ts';

/** To a question that the study answers with yes. */
const answers: Partial<Readonly<Record<Agreement, string>>> = {
  same: 'Yes',
  other: 'No',
  undecided: 'Not decided',
};

function answerWords(claim: PublishedResult | undefined): string {
  const [first] = claim?.ours ?? [];
  const answer = claim === undefined ? undefined : answers[claim.agreement];
  if (claim === undefined || first === undefined || answer === undefined) return 'Not measured here.';
  return `${answer}: ${claim.experiment}, ${first.change} here. Published: ${claim.figure}. (${agreementText(claim)})`;
}

/** A study in ten seconds: what it asks, what was found, its three numbers and its figure. */
export interface ShownLead {
  readonly shown: Markup;
  /** The figure that it shows. */
  readonly figure: StudyFigure | undefined;
}

/** Undefined for research that has no such line. @param those the experiments of the study */
export function renderLead(
  lead: StudyLead | undefined,
  those: readonly ExperimentResult[],
): ShownLead | undefined {
  if (lead === undefined) return undefined;
  const experimentOf = (id: string): ExperimentResult | undefined => those.find((each) => each.id === id);
  const claim = experimentOf(lead.claim.id)?.results.find(
    ({ experiment }) => experiment === lead.claim.experiment,
  );
  const owner = experimentOf(lead.figure.id);
  const figure = owner?.figures.find((each) => each.place === lead.figure.place && isDrawn(each));
  const counts = studyCounts({ experiments: [...those] });
  const shown = markup`<p class="study-answer"><b>${lead.question}</b> ${answerWords(claim)}</p>
    <p class="study-numbers">Of ${counts.all} findings: ${threeNumbers(counts)}. Counted apart: ${apartWords(counts)}.</p>
    ${figure !== undefined && owner !== undefined && renderFigure(figure, { titled: true, found: figureResults(figure, owner) })}`;
  return { shown, figure };
}
