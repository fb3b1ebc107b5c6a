import { armOfLabel } from '../../../src/core/factors/arm-name.ts';
import { audienceNetwork } from '../../../src/core/model/audience-network.ts';
import { clientCpuWords, type OtherHost } from '../../../src/core/model/environment.ts';
import { cut } from '../../../src/core/model/cut.ts';
import { byArm } from '../../../src/core/model/factor.ts';
import type { Chip } from '../../../src/core/model/first-screen.ts';
import type { Summary } from '../../../src/core/model/summary.ts';
import { blocksWords, nothingCompared, trialsBegun } from '../../format/counts.ts';
import { armTitle, comparedArms } from '../../format/labels.ts';
import { formatCount, formatSpan, missing, plural, unbroken } from '../../format/numbers.ts';
import { typed } from '../../format/rerun-command.ts';
import { inOrderOfWeight, topSentence } from '../../format/top-sentence.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { answerList, commandWords } from './answer-list.ts';
import { costSectionId, hasCost } from './cost.ts';
import { dumbbellFigure } from './dumbbell-figure.ts';
import { questions } from './questions.ts';
import { warningsOf } from './warnings.ts';

/** Networks and clients named on top; more are counted. */
const maxNamed = 3;
/** Longer names of arms are cut on the first screen; the environment has them whole. */
const maxArmCharacters = 40;

function named(ids: readonly string[], noun: string): string {
  return ids.length > maxNamed ? plural(ids.length, noun) : ids.join(', ');
}

/** The clients, also where the arms set them, and the CPUs that they have where the machine has more. */
function clientsWords({ summary, labels, clients }: ReportContext): string {
  const ids = clients.includes(byArm) ? (summary.environment?.clients ?? []).map(({ id }) => id) : clients;
  const names = named([...new Set(ids.map((id) => labels.client(id)))], 'client');
  const asked = summary.run.arms.map((label) => armOfLabel(label)?.factors['cpus']);
  const cpus = summary.environment === null ? '' : clientCpuWords(summary.environment, asked);
  return `${names} ${cpus}`.trim();
}

/** That servers or clients ran on other machines; empty where they did not. */
function otherMachineWords({ summary }: ReportContext): string[] {
  const { serverHost, proxyHost, clientHost } = summary.environment ?? {};
  const on = (what: string, { machine }: OtherHost): string =>
    `${what} machine (${plural(machine.cpuCount, 'CPU')})`;
  return [
    ...(serverHost === undefined ? [] : [on('server on a second', serverHost)]),
    ...(proxyHost === undefined ? [] : [on('proxy on a third', proxyHost)]),
    ...(clientHost === undefined
      ? []
      : [on(serverHost === undefined ? 'client on a second' : 'client on a third', clientHost)]),
  ];
}

/** What is compared with what; the arms where there are several pairs. */
function armsWords({ summary }: ReportContext): string {
  const { baseline, candidate, several } = comparedArms(summary);
  if (several) return named(summary.run.arms.map(armTitle), 'arm');
  const [short, other] = [candidate, baseline].map((arm) => cut(arm, maxArmCharacters));
  return baseline === '' ? candidate : `${short} against ${other}`;
}

function list(items: readonly string[]): Markup {
  const known = items.filter((item) => item !== '' && item !== missing);
  return markup`<ul class="facts">${known.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

/** The networks; what stands for a whole audience is no further one. */
function networksWords({ summary, labels, networks }: ReportContext): string {
  const shown = networks.filter((id) => id !== audienceNetwork).map((id) => labels.shortNetwork(id));
  return named(shown, summary.audience === undefined ? 'network' : 'segment');
}

/** Where it was measured, with what, and how far the run came. */
function facts(context: ReportContext): Markup {
  const { summary } = context;
  return list([
    armsWords(context),
    networksWords(context),
    clientsWords(context),
    ...otherMachineWords(context),
    blocksWords(summary),
  ]);
}

/** When, and how much of it counted. */
function furtherFacts({ summary }: ReportContext): Markup {
  const { run, trials } = summary;
  return list([
    `${formatCount(trials.ok)} of ${plural(trialsBegun(summary), 'trial')} valid`,
    formatSpan(run.spanMs),
    run.startedAt === null ? '' : `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  ]);
}

const chipTitles: Readonly<Record<Chip['about'], string>> = {
  users: 'Users',
  cpu: 'CPU',
  trust: 'Can I trust it?',
};

/** Trust is counted by the list of warnings below: some of them are known only when the report is made. */
function chipText({ about, text }: Chip, summary: Summary): string {
  const { banners = [], trials } = summary;
  const count = warningsOf(summary).length;
  const isCounted =
    about === 'trust' && banners.length === 0 && trials.ok + trials.invalid + trials.failed > 0;
  return isCounted && count > 0 ? `${text}, ${plural(count, 'warning')}` : text;
}

function chips({ summary }: ReportContext): Markup {
  const targets: Readonly<Record<Chip['about'], string>> = {
    users: summary.comparisons.length > 0 ? 'scorecard' : 'trust',
    cpu: hasCost(summary) ? costSectionId : 'trust',
    trust: 'trust',
  };
  const questionIds = { users: 'users', cpu: 'cost', trust: 'trust' } as const;
  return markup`<ul class="chips">${summary.firstScreen.chips.map((chip) => {
    const { about, tone } = chip;
    return markup`<li><a class="t-${tone}" data-question="${questionIds[about]}" href="#${targets[about]}"><b>${chipTitles[about]}</b> ${unbroken(chipText(chip, summary))}</a></li>`;
  })}</ul>`;
}

/** Warnings that may change a verdict, and the way to the others. */
function firstWarnings(summary: Summary): Insert[] {
  const first = summary.firstScreen.warnings ?? [];
  const rest = warningsOf(summary).length - first.length;
  return [
    ...first.map((warning) => `Warning: ${unbroken(warning)}.`),
    ...(rest > 0 && first.length > 0
      ? [markup`<a href="#warnings">${plural(rest, 'more warning')}</a>`]
      : []),
  ];
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
    ...firstWarnings(summary),
  ].filter((line) => line !== false);
  return lines.length === 0
    ? markup``
    : markup`<ul class="notices">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

/** What to do where a run has no answer. */
function nextWithoutAnswer({ summary }: ReportContext): Markup {
  const { trials, run, firstScreen } = summary;
  const lost = firstScreen.picture.length === 0 && trials.invalid + trials.failed > 0;
  const line = typed(run.command);
  return markup`<ul class="answers"><li class="answer a-measure-more"><p class="answer-do">${
    lost
      ? markup`<span class="action">Look into it</span> <a href="#trials">Every trial is listed with its reason</a>. Then run it again:`
      : markup`<span class="action">Next</span> Run it again, or change what it compares:`
  }</p><p class="command"><code>${commandWords(line)}</code> <button type="button" class="js copy-next" data-copy="${line}">Copy</button></p></li></ul>`;
}

/** The first screen: headline, where, three short answers, the picture and the next step; then the way to everything else. */
export function hero(context: ReportContext, budgetWords: readonly string[] = []): Markup {
  const { summary } = context;
  const { caveats, firstScreen } = summary;
  const answers = inOrderOfWeight(summary.answers);
  const overview = answers.length > 1 ? summary.overview : [];
  const sentences = new Set([...overview, ...answers.map(({ sentence }) => sentence)]);
  const rest = summary.headline.filter((sentence) => !caveats.includes(sentence) && !sentences.has(sentence));
  const silent = summary.comparisons.length === 0 && summary.headline.length > 0;
  return markup`<section class="hero" id="answer" aria-labelledby="headline">
    <h1 id="headline" dir="auto">${unbroken(topSentence(summary))}</h1>
    ${firstScreen.detail !== '' && markup`<p class="detail">${unbroken(firstScreen.detail)}</p>`}
    ${facts(context)}
    ${chips(context)}
    ${dumbbellFigure(context)}
    ${answers.length === 0 ? nextWithoutAnswer(context) : answerList(context, answers)}
    ${silent && markup`<p class="empty">${nothingCompared(summary)}</p>`}
    ${budgetWords.length > 0 && markup`<p class="lede"><a href="#budgets">${budgetWords.join(' ')}</a></p>`}
    ${notices(context, caveats)}
    ${questions(context)}
    <p class="js one-sheet"><button type="button" id="one-page">One page for print or PDF</button></p>
    ${furtherFacts(context)}
    ${rest.length > 0 && markup`<details class="exactly"><summary>Statistics</summary>${rest.map((sentence) => markup`<p class="lede">${unbroken(sentence)}</p>`)}</details>`}
  </section>`;
}
