import { byArm } from '../../../src/model/factor.ts';
import { blocksWords, nothingCompared, trialsBegun } from '../../format/counts.ts';
import { armTitle, comparedArms } from '../../format/labels.ts';
import { formatCount, formatSpan, missing, plural, unbroken } from '../../format/numbers.ts';
import { inOrderOfWeight, topSentence } from '../../format/top-sentence.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { answerList } from './answer-list.ts';
import { questions } from './questions.ts';

/** Networks named on top; more are counted. */
const mostNetworks = 3;
/** Longer first sentences are set smaller, in two steps. */
const shortHeadline = 90;
const longHeadline = 200;

/** The clients, also where the arms set them. */
function clientsWords({ summary, labels, clients }: ReportContext): string {
  const ids = clients.includes(byArm) ? (summary.environment?.clients ?? []).map(({ id }) => id) : clients;
  return [...new Set(ids.map((id) => labels.client(id)))].join(', ');
}

function facts(context: ReportContext): Markup {
  const { summary, labels, networks } = context;
  const { run, trials } = summary;
  const items = [
    clientsWords(context),
    networks.length > mostNetworks
      ? plural(networks.length, 'network')
      : networks.map((id) => labels.network(id)).join('; '),
    blocksWords(summary),
    `${formatCount(trials.ok)} of ${plural(trialsBegun(summary), 'trial')} valid`,
    formatSpan(run.spanMs),
    run.startedAt === null ? '' : `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  const known = items.filter((item) => item !== '' && item !== missing);
  return markup`<ul class="facts">${known.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

/** What must be known before any number is believed. */
function notices({ summary }: ReportContext, caveats: readonly string[]): Markup {
  const { run, trials } = summary;
  const lost = trials.invalid + trials.failed;
  const lines = [
    ...(summary.banners ?? []).map((sentence) => `Take care: ${sentence}.`),
    ...caveats.map((sentence) => unbroken(sentence)),
    caveats.length === 0 &&
      !run.complete &&
      `This run is not complete: ${plural(trials.notRun, 'trial')} did not run.`,
    caveats.length === 0 &&
      run.exploratory &&
      'Exploratory run: it looks for effects and does not confirm any.',
    lost > 0 && markup`${plural(lost, 'trial')} did not count. <a href="#trials">See the reasons</a>.`,
  ].filter((line) => line !== false);
  return lines.length === 0
    ? markup``
    : markup`<ul class="notices">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

/** A sentence whose evidence in brackets is set lighter, so that the answer is read first. */
function sentenceMarkup(sentence: string): Markup {
  const match = /^(?<answer>.+?)(?<proof> \([^()]*interval[^()]*\)\.?)(?<rest>.*)$/s.exec(unbroken(sentence));
  if (!match?.groups) return markup`${unbroken(sentence)}`;
  const { answer = '', proof: evidence = '', rest = '' } = match.groups;
  return markup`${answer}<span class="proof">${evidence}</span><span class="rest">${rest}</span>`;
}

/** What is compared with what; the arms where there are several pairs. */
function eyebrow({ summary }: ReportContext): string {
  const { baseline, candidate, several } = comparedArms(summary);
  if (several) return summary.run.arms.map(armTitle).join(', ');
  return baseline === '' ? candidate : `${candidate} against ${baseline}`;
}

function title(sentence: string): Markup {
  const size = sentence.length > longHeadline ? 'long longer' : sentence.length > shortHeadline ? 'long' : '';
  return markup`<h1 id="headline"${size !== '' && markup` class="${size}"`}>${sentenceMarkup(sentence)}</h1>`;
}

/** The top of the page: what to do, for whom, how sure, whether budgets are kept; and the way to everything else. */
export function hero(context: ReportContext, budgetWords: readonly string[] = []): Markup {
  const { summary } = context;
  const { caveats = [] } = summary;
  const told = summary.headline.filter((one) => !caveats.includes(one));
  const answers = inOrderOfWeight(summary.answers ?? []);
  const top = topSentence(summary);
  const overview = (summary.overview ?? []).filter((one) => one !== top && answers.length > 1);
  const sentences = new Set([top, ...overview, ...answers.map(({ sentence }) => sentence)]);
  const rest = told.filter((one) => !sentences.has(one));
  const silent = summary.comparisons.length === 0 && summary.headline.length > 0;
  return markup`<section class="hero" id="answer" aria-labelledby="headline">
    <p class="eyebrow">${eyebrow(context)}</p>
    ${title(top)}
    ${overview
      .filter((one) => !answers.some(({ sentence }) => sentence === one))
      .map((sentence) => markup`<p class="lede">${sentenceMarkup(sentence)}</p>`)}
    ${answerList(context, answers, top)}
    ${answers.length === 0 && rest.map((sentence) => markup`<p class="lede">${sentenceMarkup(sentence)}</p>`)}
    ${budgetWords.length > 0 && markup`<p class="lede"><a href="#budgets">${budgetWords.join(' ')}</a></p>`}
    ${notices(context, caveats)}
    ${silent && markup`<p class="empty">${nothingCompared(summary)}</p>`}
    ${questions(context)}
    <p class="js one-sheet"><button type="button" id="one-page">One page for print or PDF</button></p>
    ${facts(context)}
    ${answers.length > 0 && rest.length > 0 && markup`<details class="exactly"><summary>In the words of the statistics</summary>${rest.map((sentence) => markup`<p class="lede">${sentenceMarkup(sentence)}</p>`)}</details>`}
  </section>`;
}
