import type { Answer, AnswerAction } from '../../../src/model/answer.ts';
import { typed } from '../../format/rerun-command.ts';
import { minutesText, unbroken } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** More answers than these fold. */
const mostOpen = 4;

const actionWords: Readonly<Record<AnswerAction, string>> = {
  do: '✓ Do',
  'do-not': '✕ Do not',
  either: '≈ Either',
  'by-workload': '◆ One by one',
  'measure-more': '? Measure more',
  'measure-network': '? Measure over a network',
  none: '· Check only',
};

function next({ minutes, command }: Answer): Markup {
  if (command === null) return markup``;
  const line = typed(command);
  const took = minutesText(minutes);
  return markup`<p class="command"><code>${line}</code> <button type="button" class="js copy-next" data-copy="${line}">Copy</button>${took !== '' && markup` <small>${took} on this machine</small>`}</p>`;
}

/** The ways from an answer to what it rests on, one click each. */
function ways(answer: Answer, context: ReportContext): Markup {
  const { comparisons } = context.summary;
  const [telling] = answer.comparisons.map((place) => comparisons[place]);
  const evidence =
    telling === undefined
      ? markup`<a href="#comparisons">Evidence</a>`
      : markup`<a href="#${context.anchorOf(telling)}">Evidence</a>`;
  const why = telling === undefined ? null : context.whyOf(telling);
  const inside = context.hasInside && answer.kind === 'page';
  return markup`<p class="ways">${evidence}${why !== null && markup`<a href="#${why}">Why</a>`}${inside && markup`<a href="#inside">Waterfall of both</a>`}${answer.kind === 'video' && markup`<a href="#sessions">Sessions of both</a>`}</p>`;
}

function item(answer: Answer, context: ReportContext, top: string): Markup {
  const { sentence, action, advice, asides } = answer;
  return markup`<li class="answer a-${action}">
    ${sentence !== top && markup`<p class="answer-says">${unbroken(sentence)}</p>`}
    <p class="answer-do"><span class="action">${actionWords[action]}</span> ${advice}</p>
    ${next(answer)}
    ${asides.map((aside) => markup`<p class="aside"><b>A possible cause.</b> ${unbroken(aside)}</p>`)}
    ${ways(answer, context)}
  </li>`;
}

/** What to do for each audience, with the command and the time of the next measurement. */
export function answerList(context: ReportContext, answers: readonly Answer[], top: string): Markup {
  if (answers.length === 0) return markup``;
  const items = answers.map((answer) => item(answer, context, top));
  const more = items.length - mostOpen;
  return markup`<ul class="answers">${items.slice(0, mostOpen)}</ul>
    ${more > 0 && markup`<details><summary>${more} more ${more === 1 ? 'answer' : 'answers'}</summary><ul class="answers">${items.slice(mostOpen)}</ul></details>`}`;
}
