import { metricDefinition } from '../../src/core/metrics/registry.ts';
import { machinePartsOf } from '../../src/core/model/before-codes.ts';
import type { AskedQuestion, QuestionAnswer, QuestionOutcome } from '../../src/core/model/question.ts';
import type { PublishedComparison, PublishedResult } from '../../src/core/model/published.ts';
import { percentDigits, valueDigits } from '../../src/core/model/rounding.ts';
import type { StudyRun } from '../../src/core/model/study-run.ts';
import { plural } from '../format/numbers.ts';
import { code, plain } from './markdown-text.ts';

/** The first line of every such page, by which one of ours is known. */
const mark = '<!-- made by `npx h2h3 questions` -->';

const head = `# Asked in public

Questions that people asked in public threads. What is compared, and by how much it must differ, was fixed before each run. Path and client
were chosen near the thread, at times to fit its figures, and then the answer says so. All paths are emulated on one machine.

\`\`\`sh
npx h2h3 questions --list                 # what is asked, and how long each takes
npx h2h3 questions --only nginx-window    # measures one and renews its answer
npx h2h3 question new 'Is HTTP/3 slower?' --thread owner/repository#123   # the skeleton of another
\`\`\`

- **Yes**: the change is at least as large as named, by the whole 95 % interval.
- **No**: it is smaller, by the whole interval. That does not mean that there is none: the answer names what the interval leaves.
- **Not decided**: the interval has that size in it.
- **Related**: near the thread and no answer to it, because its program, version or quantity is not in the set-up.
- **Cannot be run here**: the question needs a program or a place that h2h3 does not have, or a version that could not be had.

A cause is named only where changing it changes the result as the plan expects, or where the diagnosis of the run names it. Everything that was tried is
told. Changes are of neighbouring trials, so they can differ from those of the two medians. Times begin with the request, after the handshake.`;

/** Whether a text is such a page, which may be written over. */
export const isQuestionsPage = (text: string): boolean => text.startsWith(mark);

const outcomeWords: Readonly<Record<QuestionOutcome, string>> = {
  reproduced: 'Yes',
  'not here': 'No',
  'not decided': 'Not decided.',
  'cannot be run here': 'Cannot be run here.',
  'not measured yet': 'Not measured yet.',
};

export type AnsweredQuestion = readonly [AskedQuestion, QuestionAnswer];

/** The page of all questions, in their order. */
export function renderQuestionsPage(answered: readonly AnsweredQuestion[]): string {
  const shown = answered.map(([question, answer]) => renderQuestion(question, answer));
  return `${[mark, head, '<!-- prettier-ignore-start -->', ...shown, '<!-- prettier-ignore-end -->'].join('\n\n')}\n`;
}

/** One question with its answer: five lines that can be posted in the thread, and what bears on them. */
export function renderQuestion(question: AskedQuestion, answer: QuestionAnswer): string {
  const { outcome, reason } = answer;
  const isMeasured = answer.run !== undefined || outcome === 'cannot be run here';
  return [
    `## ${plain(question.asks)}`,
    threadLine(question),
    ...(isMeasured
      ? [
          listOf(answerLines(question, answer)),
          `What its author saw: ${told(question.saw)}`,
          listOf(limitLines(question, answer)),
        ]
      : [[outcomeWords[outcome], ...(reason === undefined ? [] : [sentence(reason)])].join(' ')]),
  ].join('\n\n');
}

const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** Text of a plan, in which what is between backticks is code. */
function told(text: string): string {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : withSpaces(part))).join('');
}

/** Plain text that keeps a space at either end. */
function withSpaces(part: string): string {
  if (part.trim() === '') return part === '' ? '' : ' ';
  return `${/^\s/.test(part) ? ' ' : ''}${plain(part)}${/\s$/.test(part) ? ' ' : ''}`;
}

/** A clause as a sentence of its own. */
const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${plain(clause.slice(1))}.`;

function threadLine({ thread, asked, read }: AskedQuestion): string {
  const [repository = '', number = ''] = thread.split('#');
  return [
    `[${thread}](https://github.com/${repository}/issues/${number})${asked === undefined ? '' : `, ${asked}`}.`,
    ...(read ? [] : ['The thread was not read, it is known by its subject alone.']),
  ].join(' ');
}

/** The verdict with the size that it is about: `Yes, by at least 50 %.` */
function verdictWords({ decides }: AskedQuestion, outcome: QuestionOutcome): string {
  const size = effectSizeText(decides.least);
  if (outcome === 'reproduced') return `Yes, by at least ${size}.`;
  return outcome === 'not here' ? `No, not by ${size}.` : outcomeWords[outcome];
}

function answerLines(question: AskedQuestion, answer: QuestionAnswer): string[] {
  const { outcome, reason } = answer;
  const yesOrNo = [
    `**${verdictWords(question, outcome)}**`,
    ...(question.related === undefined || answer.run === undefined
      ? []
      : [`Related: ${told(question.related)}`]),
    ...(reason === undefined ? [] : [sentence(reason)]),
  ];
  const command =
    question.needs === undefined
      ? `npx h2h3 questions --only ${question.id}`
      : `npx h2h3 plan ${question.preset}`;
  return [
    yesOrNo.join(' '),
    ...(answer.run === undefined
      ? []
      : [
          `**How much**: ${howMuch(answer)}`,
          `**Why**: ${reasons(question, answer)}`,
          `**What fixes it**: ${fixes(answer)}`,
        ]),
    `**Command**: ${code(command)}`,
  ];
}

/** What was compared, with figures: each place a sentence. */
function figures({ ours, metric }: PublishedResult): string {
  const title = metricDefinition(metric)?.title ?? metric;
  return ours.map(({ place, text }) => `${plain(title)}, ${plain(place)}: ${plain(text)}.`).join(' ');
}

function howMuch({ decides, outcome }: QuestionAnswer): string {
  if (decides === undefined || decides.ours.length === 0) return 'nothing was compared.';
  const bound = outcome === 'not here' ? boundWords(decides) : '';
  return [figures(decides), bound].filter(Boolean).join(' ');
}

/** How much of the effect the intervals still allow. */
function boundWords(decides: PublishedResult): string {
  const bounds = decides.ours.flatMap((comparison) => boundOf(decides, comparison) ?? []);
  if (bounds.length === 0) return '';
  const largest = bounds.reduce((most, each) => (each.size > most.size ? each : most));
  const title = metricDefinition(decides.metric)?.title ?? decides.metric;
  return largest.size > 0
    ? `The interval allows at most ${largest.words} ${plain(title)}.`
    : 'The interval allows no change in that direction.';
}

interface Bound {
  /** In the direction of the claim; 0 where the interval ends before any. */
  readonly size: number;
  readonly words: string;
}

function boundOf(
  { expects, metric }: PublishedResult,
  { form, interval }: PublishedComparison,
): Bound | null {
  const definition = metricDefinition(metric);
  if (interval === null || definition === undefined) return null;
  const rises = (expects === 'better') === definition.higherIsBetter;
  const size = Math.max(0, rises ? interval[1] : -interval[0]);
  const amount =
    form === 'ratio' ? `${percentDigits(size * 100)} %` : `${valueDigits(size)} ${definition.unit}`.trim();
  return { size, words: `${amount} ${rises ? 'more' : 'less'}` };
}

function reasons({ suspects }: AskedQuestion, { tries, outcome, run, decides }: QuestionAnswer): string {
  const isFound = outcome !== 'not here';
  const found = tries
    .filter(({ works }) => works && isFound)
    .map(({ cause, what, result }) => `${told(cause)} With ${plain(what)}: ${figures(result)}`);
  const diagnosed = isFound ? diagnosisLines(run, decides) : [];
  const others = tries
    .filter(({ works }) => !works || !isFound)
    .map(({ what, result }) => `Tried${found.length > 0 ? ' too' : ''}: ${plain(what)}. ${figures(result)}`);
  const shown = [...found, ...diagnosed];
  const none = isFound ? 'no cause is shown.' : 'there is no change of that size to explain.';
  return [
    ...(shown.length > 0 ? shown : [none]),
    ...others,
    ...(suspects === undefined ? [] : [told(suspects)]),
  ].join(' ');
}

/** What the diagnosis of the run says of the arms that decide: the causes that it names, and where most of the difference lies. */
function diagnosisLines(run: QuestionAnswer['run'], decides: QuestionAnswer['decides']): string[] {
  const arms = new Set(decides?.compare?.map((side) => (typeof side === 'string' ? side : side.arm)).flat());
  const told = (run?.diagnosed ?? []).filter(
    ({ baselineArm, candidateArm }) => arms.has(baselineArm) && arms.has(candidateArm),
  );
  const causes = new Set(told.flatMap((pair) => pair.causes));
  return [
    ...[...causes].map((title) => `The diagnosis names: ${plain(title)}.`),
    ...told.flatMap(({ parts = [] }) => largestPartLine(parts)),
  ];
}

type DiagnosedPart = NonNullable<NonNullable<StudyRun['diagnosed']>[number]['parts']>[number];

function largestPartLine(parts: readonly DiagnosedPart[]): string[] {
  const [largest] = parts.toSorted((a, b) => Math.abs(b.ms) - Math.abs(a.ms));
  if (largest === undefined) return [];
  const { title, ms } = largest;
  const bounds = largest.interval.map((bound) => (ms < 0 ? -bound : bound)).toSorted((a, b) => a - b);
  const range = `${bounds.map((bound) => valueDigits(bound)).join(' to ')} ms`;
  return [
    `Of a load, the diagnosis finds one part ${valueDigits(Math.abs(ms))} ms ${ms < 0 ? 'shorter' : 'longer'} (${range}): ${plain(title)}.`,
  ];
}

function fixes({ tries, outcome }: QuestionAnswer): string {
  if (outcome === 'not here') return 'nothing of that size needs to be fixed here.';
  const working = tries.filter(({ works }) => works);
  return working.length > 0
    ? working.map(({ fix }) => told(fix)).join(' ')
    : 'nothing that was tried changes it as much as the plan expects.';
}

function limitLines({ ours, differs, theirs }: AskedQuestion, { run }: QuestionAnswer): string[] {
  return [
    `Its author’s set-up: ${told(theirs)}`,
    `This set-up: ${told(ours)}`,
    ...differs.map((line) => told(line)),
    ...(run === undefined ? [] : runLines(run)),
  ];
}

const effectSizeText = (least: AskedQuestion['decides']['least']): string =>
  'percent' in least ? `${least.percent} %` : `a difference of ${least.difference}`;

function runLines(run: NonNullable<QuestionAnswer['run']>): string[] {
  const { startedAt, revision, trialsOk, trialsDone, disturbances } = run;
  const day = (startedAt ?? '').slice(0, 10);
  return [
    `Measured on ${day} with h2h3 ${plain(revision ?? 'of no known revision')}: ${trialsOk} of ${plural(trialsDone, 'trial')} valid.`,
    ...machinePartsOf(run).map((part) => `${plain(part)}.`),
    ...disturbances.map((line) => `As the run began: ${plain(line)}.`),
  ];
}
