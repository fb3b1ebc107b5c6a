import type { Answer } from '../../src/core/model/answer.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { blocksWords, nothingCompared, trialsBegun } from '../format/counts.ts';
import { dumbbellOf } from '../format/dumbbell-rows.ts';
import { unadvisedFlightsRuns } from '../format/first-flights.ts';
import { comparedArms, labelsOf, trialTitle } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatP, formatSpan, plural } from '../format/numbers.ts';
import {
  decidingP,
  pName,
  effectText,
  intervalText,
  intervalTitle,
  verdictSigns,
  verdictTitles,
} from '../format/verdict-words.ts';
import { verdictDiscs } from '../format/verdict-colours.ts';
import { typed } from '../format/rerun-command.ts';
import { inOrderOfWeight, topSentence } from '../format/top-sentence.ts';
import { isLeftByBudget } from '../../src/core/model/record.ts';
import { reasonWords, statusWords } from '../format/trial-words.ts';
import { viewingLines } from '../format/viewing-words.ts';
import { audienceMarkdown } from './audience-markdown.ts';
import { code, plain, table } from './markdown-text.ts';
import { nextStep } from './next-step.ts';

/** Rows of a folded table; a comment on a pull request may have 65 536 characters. */
const maxRows = 80;
const maxLines = 20;

function comparisonRow(comparison: Comparison, labels: Labels, severalServers: boolean): string[] {
  const { workload, workloadKind, client, network, server, metric, verdict, blocks } = comparison;
  const where = [labels.client(client), labels.network(network)];
  return [
    plain(labels.workload(workload, workloadKind)),
    plain([...where, ...(severalServers ? [labels.server(server)] : [])].join(', ')),
    plain(metricWords(metric).title),
    `**${effectText(comparison)}** (${intervalText(comparison)})`,
    String(blocks),
    plain(pText(comparison)),
    `${verdictDiscs[verdict]} ${verdictSigns[verdict]} ${verdictTitles[verdict]}`,
  ];
}

/** The adjusted p of an effect beyond the margin; where there is none that of no difference, which says so. */
function pText(comparison: Comparison): string {
  const p = formatP(decidingP(comparison));
  return comparison.adjustedPValue === null && comparison.pValue !== null ? `${p} (${pName(comparison)})` : p;
}

function comparisonTable(comparisons: readonly Comparison[], summary: Summary, labels: Labels): string {
  const change = `Change with ${comparedArms(summary).candidate} (${intervalTitle(comparisons)})`;
  const severalServers = new Set(summary.comparisons.map(({ server }) => server)).size > 1;
  return table(
    ['Workload', 'Where', 'Metric', change, 'n', 'p beyond the margin', 'Verdict'],
    comparisons.slice(0, maxRows).map((comparison) => comparisonRow(comparison, labels, severalServers)),
  );
}

function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function list(lines: readonly string[]): string {
  const shown = lines.slice(0, maxLines).map((line) => `- ${plain(line)}`);
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`- and ${rest} more, listed in summary.json`] : [])].join('\n');
}

function tables(summary: Summary, labels: Labels): string[] {
  if (summary.comparisons.length === 0) return [plain(nothingCompared(summary))];
  const primary = summary.comparisons.filter((comparison) => comparison.primary);
  const secondary = summary.comparisons.filter((comparison) => !comparison.primary);
  const cut = secondary.length > maxRows ? `, the first ${maxRows} shown` : '';
  return [
    ...(primary.length > 0 ? [comparisonTable(primary, summary, labels)] : []),
    ...(secondary.length > 0
      ? [
          folded(
            `${plural(secondary.length, 'secondary comparison')}${cut}`,
            comparisonTable(secondary, summary, labels),
          ),
        ]
      : []),
  ];
}

/** What viewers got of each arm; folded where a run has many conditions. */
function viewers(summary: Summary, labels: Labels): string[] {
  const lines = viewingLines(summary, labels);
  if (lines.length === 0) return [];
  const title = 'What viewers got (medians of the timed sessions)';
  return lines.length > maxAnswers ? [folded(title, list(lines))] : [`${title}:\n\n${list(lines)}`];
}

function troubles({ troubles: all, run }: Summary, labels: Labels): string[] {
  const trials = all.filter((trial) => !isLeftByBudget(trial));
  if (trials.length === 0) return [];
  const lines = trials.map(
    (trial) => `${statusWords(trial)}: ${trialTitle(trial, labels, run)}: ${reasonWords(trial)}`,
  );
  return [folded(`${plural(trials.length, 'trial')} did not count`, list(lines))];
}

function congestion({ environment }: Summary): string {
  if (environment === null) return 'The environment was not recorded.';
  return environment.servers
    .map(
      (server) =>
        `${server.name} ${server.version}: TCP ${server.tcpCongestionControl}, QUIC ${server.quicCongestionControl}`,
    )
    .join('. ');
}

/** Answers told in a comment; the others stand in the report. */
const maxAnswers = 4;

/** What an answer says where the headline does not, and what to do about it. */
function answerLine(answer: Answer, top: string): string {
  const { sentence } = answer;
  return `${sentence === top ? '' : `${plain(sentence)} `}${nextStep(answer)}`;
}

export interface MarkdownOptions {
  /** Where the run's folder can be read, ending in a slash; default next to the text. */
  readonly folder?: string;
  /** The film of both arms side by side, as a moving picture, relative to the folder; default none. */
  readonly film?: { readonly title: string; readonly webp: string };
  /** The picture of the answer, relative to the folder; default none. */
  readonly card?: string;
}

function pictures(top: string, { folder = '', film, card }: MarkdownOptions): string[] {
  const address = (name: string): string => `<${folder}${name}>`;
  return [
    ...(card === undefined ? [] : [`[![${plain(top)}](${address(card)})](${address('report.html')})`]),
    ...(film === undefined ? [] : [`![${plain(film.title)}](${address(film.webp)})`]),
    `[The whole report](${address('report.html')})`,
  ];
}

/** The picture in words, for readers to whom no picture is shown. */
function rowsInWords(summary: Summary, labels: Labels): string[] {
  const { rows } = dumbbellOf(summary, labels);
  if (rows.length === 0) return [];
  return [
    rows
      .map(
        ({ name, effect, medians }) =>
          `- ${plain(`${name}: ${effect}${medians === '' ? '' : `, ${medians}`}`)}`,
      )
      .join('\n'),
  ];
}

/** A report for a pull request: headline, primary comparisons, the rest folded. Below 65 536 characters for any run of sane names. */
export function renderMarkdown(summary: Summary, options: MarkdownOptions = {}): string {
  checkSummary(summary);
  const labels = labelsOf(summary);
  const arms = comparedArms(summary);
  const { run, trials, caveats, warnings } = summary;
  const counts = `${trials.ok} of ${plural(trialsBegun(summary), 'trial')} valid, ${blocksWords(summary)}, ${formatSpan(run.spanMs)}.`;
  const answers = inOrderOfWeight(summary.answers);
  const top = topSentence(summary);
  return [
    `### ${plain(top)}`,
    ...(summary.firstScreen.detail === '' ? [] : [plain(summary.firstScreen.detail)]),
    plain(`${arms.candidate} against ${arms.baseline}, ${blocksWords(summary)}.`),
    ...pictures(top, options),
    ...rowsInWords(summary, labels),
    ...answers.slice(0, maxAnswers).map((answer) => answerLine(answer, top)),
    ...unadvisedFlightsRuns(summary).map(
      ({ command, took }) =>
        `${plain(`To measure how much of the change comes from the servers’ first flights${took}:`)} ${code(command)}`,
    ),
    ...caveats.map(plain),
    ...viewers(summary, labels),
    ...audienceMarkdown(summary.audience),
    ...tables(summary, labels),
    plain(
      `${counts}${run.complete ? '' : ' The run is not complete.'} Congestion control: ${congestion(summary)}.`,
    ),
    plain(summary.instrumentationOverhead.sentence),
    ...troubles(summary, labels),
    ...(warnings.length > 0 ? [folded(plural(warnings.length, 'warning'), list(warnings))] : []),
    `Run it again: ${code(typed(run.command))}`,
    '',
  ].join('\n\n');
}
