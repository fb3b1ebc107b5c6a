import { basename } from 'node:path/posix';
import { pairNamesOfLabels, type PairNames } from '../../src/core/factors/arm-name.ts';
import type { Finding } from '../../src/core/model/finding.ts';
import { mediansAgree } from '../../src/core/model/medians.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { csvParts } from '../csv/render-csv.ts';
import { blocksWords, trialsBegun } from '../format/counts.ts';
import { dumbbellOfComparisons } from '../format/dumbbell-rows.ts';
import { armTitle, labelsOf } from '../format/labels.ts';
import { mediansText } from '../format/median-words.ts';
import { metricWords } from '../format/metric-words.ts';
import { formatBytes, formatMeasured, isNumber, plural, seenRange } from '../format/numbers.ts';
import { recordingDumbbell, recordingRows, recordingSentence } from '../format/recording-cost.ts';
import { topSentence } from '../format/top-sentence.ts';
import { reasonWords, statusWords } from '../format/trial-words.ts';
import { effectText, intervalText, verdictSigns, verdictTitles } from '../format/verdict-words.ts';
import { renderCardOf } from '../svg/render-card.ts';
import { code, plain, table } from './markdown-text.ts';

export interface FindingFacts {
  /** Of h2h3, with its revision. */
  readonly version: string;
  /** Where the run was made, in words. */
  readonly machine: string;
  /** Exact names of the players that were arms, such as `dashjs@5.2.1`. */
  readonly players: readonly string[];
  /** Arms that this machine could not measure, by their labels, with the reason. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** The picture, relative to the page. */
  readonly picture: string;
  /** The values that decide, likewise; null where they are of another kind. */
  readonly values: string | null;
}

/** Clients and servers by their versions, a line each; of servers what both transports run. */
function programs({ environment }: Summary, players: readonly string[]): string[] {
  if (environment === null) return [];
  const clients = environment.clients.map(
    ({ name, version, quicLibrary }) =>
      `${name} ${version}${quicLibrary === undefined ? '' : ` (HTTP/3 by ${quicLibrary})`}`,
  );
  const servers = environment.servers.map(
    ({ name, version, tcpCongestionControl, quicCongestionControl }) =>
      `${name} ${version} (TCP ${tcpCongestionControl}, QUIC ${quicCongestionControl})`,
  );
  return [
    `Clients: ${clients.join(', ')}.`,
    `Servers: ${servers.join(', ')}.`,
    ...(players.length === 0
      ? []
      : [`Players: ${players.map((name) => name.replace('@', ' ')).join(', ')}.`]),
  ];
}

/** With how much the server of each arm begins, a line an arm: `HTTP/3 from Caddy: 43 kB`; over all networks of the run. */
function firstFlightsOf({ firstFlights = [] }: Summary): string[] {
  const byArm = Map.groupBy(firstFlights, ({ arm }) => arm);
  const sizes = [...byArm].flatMap(([arm, flights]) => {
    const ends = flights.flatMap(({ bytes }) => bytes ?? []);
    if (ends.length === 0) return [];
    const isLeast = flights.every((one) => one.isLeast) ? 'at least ' : '';
    const rounded = (bytes: number): string => formatBytes(Number(bytes.toPrecision(2)));
    return [`${armTitle(arm)}: ${isLeast}${seenRange([Math.min(...ends), Math.max(...ends)], rounded)}`];
  });
  return sizes.length === 0 ? [] : ['First flights:', ...sizes.map((size) => `  ${size}.`)];
}

/** Trials that did not count, a line an arm and reason: that a side fails now and then is an answer of its own. */
function lostTrials({ troubles }: Summary): string[] {
  const lost = troubles.filter(({ status }) => status === 'failed' || status === 'invalid');
  const alike = Map.groupBy(lost, ({ arm, status, reason }) => JSON.stringify([arm, status, reason]));
  return [...alike.values()].flatMap((trials) => {
    const [first] = trials;
    if (first === undefined) return [];
    return [
      `${plural(trials.length, 'trial')} of ${armTitle(first.arm)} ${statusWords(first)}: ${reasonWords(first)}.`,
    ];
  });
}

function notMeasured(unsupported: FindingFacts['unsupported']): string[] {
  const byReason = Map.groupBy(unsupported, ([, reason]) => reason);
  return [...byReason].map(
    ([reason, arms]) => `Not measured here: ${arms.map(([arm]) => armTitle(arm)).join(', ')}. ${reason}.`,
  );
}

/** `nginx 1.30 against nginx 1.26, over HTTP/3`. */
function pairText({ baseline, candidate, shared }: PairNames): string {
  return [`${candidate} against ${baseline}`, shared].filter(Boolean).join(', ');
}

/** Both medians; the baseline's alone with its name where both would say another change than the comparison. */
function mediansCell(comparison: Comparison, { baseline }: PairNames): string {
  const { title } = metricWords(comparison.metric);
  const { median } = comparison.baseline;
  const both = mediansText(comparison);
  if (both === '' || !isNumber(median)) return title;
  if (mediansAgree(comparison)) return `${title}: ${both}`;
  return `${title}: ${formatMeasured(median, comparison.unit)} with ${baseline}`;
}

/** A row for each comparison that decides: which arms, where, by how much. */
function comparisonsTable(
  comparisons: readonly Comparison[],
  { changesIn }: Finding,
  summary: Summary,
): string {
  const labels = labelsOf(summary);
  const isOfSeveral = new Set(comparisons.map(({ network }) => network)).size > 1;
  const rows = comparisons.map((comparison) => {
    const { client, network, workload, workloadKind, blocks, verdict } = comparison;
    const names = pairNamesOfLabels(comparison.baseline.arm, comparison.candidate.arm);
    const change = changesIn === 'unit' ? { ...comparison, ratio: null } : comparison;
    return [
      plain(pairText(names)),
      plain(
        [
          labels.client(client),
          labels.workload(workload, workloadKind),
          ...(isOfSeveral ? [labels.shortNetwork(network)] : []),
        ].join(', '),
      ),
      plain(mediansCell(comparison, names)),
      plain(`${effectText(change)} (${intervalText(change)})`),
      String(blocks),
      `${verdictSigns[verdict]} ${verdictTitles[verdict]}`,
    ];
  });
  return table(['Compared', 'Where', 'Medians', 'Change', 'Blocks', 'Verdict'], rows);
}

function recordingTable(summary: Summary): string {
  return table(
    ['Arm', 'Load time while recorded'],
    recordingRows(summary).map(({ name, effect }) => [plain(name), plain(effect)]),
  );
}

const answerOf = ({ shows }: Finding, summary: Summary): string =>
  shows === 'recording' ? recordingSentence(summary) : topSentence(summary);

/** Those that decide, without any of which a side could not be measured. */
const decidingOf = ({ comparisons }: Summary): Comparison[] =>
  comparisons.filter(({ primary, blocks }) => primary && blocks > 0);

/** The values that decide a finding, one line an arm and block. */
export function renderFindingValues(summary: Summary): string {
  return [...csvParts({ ...summary, comparisons: decidingOf(summary) })].join('');
}

/** The picture of a finding: every comparison that decides, or what recording costs each arm. */
export function renderFindingPicture(finding: Finding, summary: Summary): string {
  checkSummary(summary);
  const isOfRecording = finding.shows === 'recording';
  return renderCardOf(summary, {
    top: answerOf(finding, summary),
    detail: isOfRecording ? '' : summary.firstScreen.detail,
    dumbbell: isOfRecording
      ? recordingDumbbell(summary)
      : dumbbellOfComparisons(decidingOf(summary), summary, labelsOf(summary)),
  });
}

/** One finding for the page: answer, picture, figures, and all that it takes to measure it again. */
export function renderFinding(
  finding: Finding,
  summary: Summary,
  { version, machine, players, unsupported, picture, values }: FindingFacts,
): string {
  checkSummary(summary);
  const { id, preset, title, question, shows } = finding;
  const answer = answerOf(finding, summary);
  const { detail } = summary.firstScreen;
  const day = (summary.run.startedAt ?? '').slice(0, 10);
  const begun = trialsBegun(summary) - summary.trials.unsupported;
  const trials = `${summary.trials.ok} of ${plural(begun, 'trial')} valid`;
  const facts = [
    `Measured on ${day} with h2h3 ${version}: ${blocksWords(summary)}, ${trials}.`,
    `Machine: ${machine}.`,
    ...programs(summary, players),
    ...lostTrials(summary),
    ...firstFlightsOf(summary),
    ...notMeasured(unsupported),
    ...summary.caveats,
  ];
  return [
    `## ${title}`,
    question,
    `**${plain(answer)}**`,
    `![${plain(answer)}](${picture})`,
    ...(shows === 'recording' || detail === '' ? [] : [plain(detail)]),
    shows === 'recording' ? recordingTable(summary) : comparisonsTable(decidingOf(summary), finding, summary),
    [
      ...facts.map((line) =>
        line.replace(/^( *)(.*)$/, (_, indent: string, text: string) => `${indent}- ${plain(text)}`),
      ),
      ...(values === null ? [] : [`- Every value that decides: [${basename(values)}](${values}).`]),
    ].join('\n'),
    `Measure it again: ${code(`npx h2h3 findings --only ${id}`)}. The run alone: ${code(`npx h2h3 run ${preset}`)}.`,
  ].join('\n\n');
}
