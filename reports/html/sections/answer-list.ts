import { pairNamesOfLabels } from '../../../src/core/factors/arm-name.ts';
import type { Answer, AnswerAction } from '../../../src/core/model/answer.ts';
import type { UnlikeFlights } from '../../../src/core/model/first-flights.ts';
import { flightsRunOf } from '../../format/first-flights.ts';
import { typed } from '../../format/rerun-command.ts';
import { minutesText, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** More answers than these fold. */
const maxOpen = 4;

const actionWords: Readonly<Record<AnswerAction, string>> = {
  do: '✓ Take',
  'do-not': '✕ Keep',
  either: '≈ No difference',
  'by-workload': '◆ Depends on the page',
  'measure-more': '? Measure more',
  'measure-network': '? Measure over a network',
  'measure-harder': '? Measure where it is at risk',
  none: '· Check only',
};

/** A command whose lines break between its words, never within an option. */
export function commandWords(line: string): Markup {
  return markup`${line.split(' ').map((word, place) => markup`${place > 0 && ' '}<span class="command-word">${word}</span>`)}`;
}

/** With what it is measured how much of a difference unlike first flights are; nothing where no run does. */
export function flightsRun(flights: UnlikeFlights): Markup {
  const run = flightsRunOf(flights);
  return run === null
    ? markup``
    : markup` To measure how much that is: <code>${commandWords(run.command)}</code>${run.took}.`;
}

/** Longer names of arms would fill the line. */
const maxArmCharacters = 30;

/** What to do in two words: `Keep HTTP/2`. */
function actionWord({ action, baselineArm, candidateArm, kind }: Answer): string {
  const word = actionWords[action];
  if (action === 'by-workload') return kind === 'page' ? word : `◆ Depends on the ${kind}`;
  if (action !== 'do' && action !== 'do-not') return word;
  // Each by what sets it apart from the other: `Chromium 148`, where both are over HTTP/3.
  const names = pairNamesOfLabels(baselineArm, candidateArm);
  const arm = action === 'do' ? names.candidate : names.baseline;
  return arm.length > maxArmCharacters
    ? `${word} the ${action === 'do' ? 'candidate' : 'baseline'}`
    : `${word} ${arm}`;
}

function next({ minutes, command }: Answer): Markup {
  if (command === null) return markup``;
  const line = typed(command);
  const took = minutesText(minutes);
  return markup`<p class="command"><code>${commandWords(line)}</code> <button type="button" class="js copy-next" data-copy="${line}">Copy</button>${took !== '' && markup` <small>${took} on this machine</small>`}</p>`;
}

/** The ways from an answer to what it rests on, one click each. */
function ways(answer: Answer, context: ReportContext): Markup {
  const { comparisons } = context.summary;
  const [telling] = answer.comparisons.map((place) => comparisons[place]);
  const evidence =
    telling === undefined
      ? markup`<a href="#comparisons">Evidence</a>`
      : markup`<a href="#${context.anchorOf(telling)}">Evidence</a>`;
  const why = telling === undefined ? null : context.explanationAnchorOf(telling);
  const inside = context.hasInside && answer.kind === 'page';
  return markup`<p class="ways">${evidence}${why !== null && markup`<a href="#${why}">Why</a>`}${inside && markup`<a href="#inside">Waterfall of both</a>`}${answer.kind === 'video' && markup`<a href="#sessions">Sessions of both</a>`}</p>`;
}

function item(answer: Answer, context: ReportContext): Markup {
  const { sentence, action, advice, asides, cheaper } = answer;
  return markup`<li class="answer a-${action}">
    <p class="answer-do"><span class="action">${actionWord(answer)}</span> ${unbroken(advice)}</p>
    ${next(answer)}
    ${cheaper !== undefined && markup`<p class="answer-says">${unbroken(cheaper)}</p>`}
    <p class="answer-says">${unbroken(sentence)}</p>
    ${asides.map((aside) => markup`<p class="aside"><b>A possible cause.</b> ${unbroken(aside)}</p>`)}
    ${ways(answer, context)}
  </li>`;
}

/** What to do for each audience, with the command and the time of the next measurement. */
export function answerList(context: ReportContext, answers: readonly Answer[]): Markup {
  if (answers.length === 0) return markup``;
  const items = answers.map((answer) => item(answer, context));
  const more = items.length - maxOpen;
  return markup`<ul class="answers">${items.slice(0, maxOpen)}</ul>
    ${more > 0 && markup`<details><summary>${more} more ${more === 1 ? 'answer' : 'answers'}</summary><ul class="answers">${items.slice(maxOpen)}</ul></details>`}`;
}
