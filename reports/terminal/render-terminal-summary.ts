import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { quantileColumns, quantileRows, segmentColumns, segmentRows } from '../format/audience-change.ts';
import { blocksWords, nothingCompared, trialCount, trialsBegun } from '../format/counts.ts';
import { unadvisedFlightsRuns } from '../format/first-flights.ts';
import { armTitle, comparedArms, labelsOf } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { equalsP, formatSpan, isNumber, plural } from '../format/numbers.ts';
import {
  decidingP,
  pName,
  effectText,
  intervalText,
  intervalTitle,
  verdictSigns,
  verdictTitles,
} from '../format/verdict-words.ts';
import { topSentence } from '../format/top-sentence.ts';
import { reasonWords, statusWords } from '../format/trial-words.ts';
import { viewingLines } from '../format/viewing-words.ts';
import { dumbbellLines } from './dumbbell-lines.ts';
import { nextStepLines } from './next-step-lines.ts';
import { columnWidths, fit, padded, painter, wrap } from './terminal-text.ts';
import type { Paint } from './terminal-text.ts';

export interface TerminalOptions {
  /** Width of the terminal in characters; 80 where it is not known. */
  readonly columns: number;
  /** Whether escape sequences for colour may be written. */
  readonly colour: boolean;
}

/** Comparisons listed when none is primary. */
const maxRows = 20;
const maxReasons = 5;

interface Line {
  readonly verdict: Comparison['verdict'];
  /** Workload, metric, change, interval, n and p, verdict: the last ones go first where the terminal is narrow. */
  readonly cells: readonly string[];
}

/** What the lines of this run must name to be told apart. */
interface Distinct {
  readonly clients: boolean;
  readonly networks: boolean;
  readonly servers: boolean;
  readonly arms: boolean;
}

function lineOf(comparison: Comparison, labels: Labels, distinct: Distinct): Line {
  const { workload, workloadKind, client, network, server, metric, verdict, blocks } = comparison;
  const { baseline, candidate } = comparison;
  const parts = [
    ...(distinct.clients ? [labels.client(client)] : []),
    // By the name it was asked for: titles of networks are long and alike.
    ...(distinct.networks ? [network] : []),
    ...(distinct.servers ? [labels.server(server)] : []),
    ...(distinct.arms ? [`${armTitle(candidate.arm)} against ${armTitle(baseline.arm)}`] : []),
  ];
  const where = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return {
    verdict,
    cells: [
      `${verdictSigns[verdict]} ${verdictTitles[verdict]}`,
      `${labels.workload(workload, workloadKind)}${where}`,
      metricWords(metric).title,
      effectText(comparison),
      `[${intervalText(comparison)}]`,
      `n = ${blocks}, ${equalsP(decidingP(comparison), pName(comparison))}`,
    ],
  };
}

/** Wide terminals get one line a comparison; narrow ones the numbers below what they are of, which is never cut. */
function tableLines(lines: readonly Line[], columns: number, paint: Paint): string[] {
  const widths = columnWidths(lines.map(({ cells }) => cells));
  const total = widths.reduce((sum, width) => sum + width + 2, 2);
  const pad = (cell: string, i: number): string => padded(cell, widths[i]);
  return lines.flatMap(({ verdict, cells }) => {
    const [judged = '', workload = '', metric = '', ...numbers] = cells;
    if (total <= columns) {
      const rest = [workload, metric, ...numbers].map((cell, i) => pad(cell, i + 1));
      return [`  ${paint(pad(judged, 0), verdict)}  ${rest.join('  ').trimEnd()}`];
    }
    const indent = (widths[0] ?? 0) + 4;
    const [first = '', ...further] = wrap(`${workload}: ${metric}`, columns - indent);
    return [
      `  ${paint(pad(judged, 0), verdict)}  ${first}`,
      ...further.map((line) => ' '.repeat(indent) + line),
      `    ${fit(numbers.join('  '), columns - 4)}`,
    ];
  });
}

function reasonLines({ troubles }: Summary, columns: number): string[] {
  const reasons = [...Map.groupBy(troubles, (trial) => `${statusWords(trial)}: ${reasonWords(trial)}`)];
  const shown = reasons
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, maxReasons)
    .flatMap(([reason, trials]) => wrap(`${trials.length} × ${reason}`, columns, '  '));
  const rest = reasons.length - maxReasons;
  return [
    ...shown,
    ...(rest > 0 ? wrap(`and ${plural(rest, 'other reason')}, listed in the report`, columns, '  ') : []),
  ];
}

function comparisonLines(summary: Summary, options: TerminalOptions, paint: Paint): string[] {
  const { comparisons } = summary;
  if (comparisons.length === 0) return wrap(nothingCompared(summary), options.columns);
  const labels = labelsOf(summary);
  const primary = comparisons.filter((comparison) => comparison.primary);
  const shown = primary.length > 0 ? primary : comparisons.slice(0, maxRows);
  const arms = comparedArms(summary);
  const distinct = {
    clients: new Set(comparisons.map(({ client }) => client)).size > 1,
    networks: new Set(comparisons.map(({ network }) => network)).size > 1,
    servers: new Set(comparisons.map(({ server }) => server)).size > 1,
    arms: arms.several,
  };
  const rest = comparisons.length - shown.length;
  return [
    '',
    ...wrap(
      `Change of ${arms.candidate} against ${arms.baseline} [${intervalTitle(comparisons)}]:`,
      options.columns,
    ),
    ...tableLines(
      shown.map((comparison) => lineOf(comparison, labels, distinct)),
      options.columns,
      paint,
    ),
    ...(rest > 0
      ? wrap(
          `and ${plural(rest, primary.length > 0 ? 'secondary comparison' : 'comparison')} in the report`,
          options.columns,
          '  ',
        )
      : []),
  ];
}

/** Rows of what viewers got; the report has all. */
const maxViewing = 6;

function sessionLines(summary: Summary, columns: number): string[] {
  const lines = viewingLines(summary, labelsOf(summary));
  if (lines.length === 0) return [];
  const rest = lines.length - maxViewing;
  return [
    '',
    ...wrap('What viewers got (medians of the timed sessions):', columns),
    ...lines.slice(0, maxViewing).flatMap((line) => wrap(line, columns, '  ')),
    ...(rest > 0 ? wrap(`and ${plural(rest, 'more row')} in the report`, columns, '  ') : []),
  ];
}

/** Columns of text, as wide as their widest cell; a line too long for the terminal is cut. */
function textTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) =>
    fit(
      `  ${row
        .map((cell, i) => padded(cell, widths[i]))
        .join('  ')
        .trimEnd()}`,
      columns,
    ),
  );
}

/** What users of the audience get, segment by segment and in its tail. */
function userLines({ audience }: Summary, columns: number): string[] {
  if (audience === undefined) return [];
  return [
    '',
    ...wrap([...audience.noticeableSentences, ...audience.coverageSentences].join(' '), columns),
    ...audience.answers.flatMap((answer) => [
      ...textTable([segmentColumns(answer), ...segmentRows(answer)], columns),
      ...textTable(
        [
          quantileColumns(answer, armTitle(answer.baselineArm), armTitle(answer.candidateArm)),
          ...quantileRows(answer),
        ],
        columns,
      ),
      ...wrap(answer.loadsSentence, columns),
    ]),
  ];
}

function warningLines({ firstScreen, warnings }: Summary, columns: number): string[] {
  if (warnings.length === 0) return [];
  const first = firstScreen.warnings ?? [];
  const rest = warnings.length - first.length;
  const others = first.length > 0 ? `and ${plural(rest, 'more warning')}` : plural(rest, 'warning');
  return [
    '',
    ...first.flatMap((warning) => wrap(`Warning: ${warning}`, columns)),
    ...(rest > 0 ? wrap(`${others} in the report`, columns) : []),
  ];
}

/** The first screen in lines: headline, what it leaves out, short answers, cautions, and the next step. */
function topLines(summary: Summary, columns: number, paint: Paint): string[] {
  const { firstScreen, caveats } = summary;
  return [
    ...wrap(topSentence(summary), columns).map((line) => paint(line, 'bold')),
    ...(firstScreen.detail === '' ? [] : wrap(firstScreen.detail, columns)),
    ...caveats.flatMap((caveat) => wrap(caveat, columns)),
    ...nextStepLines(summary.answers, columns),
    ...unadvisedFlightsRuns(summary).flatMap(({ command, took }) => [
      ...wrap(`To measure how much of the change comes from the servers’ first flights${took}:`, columns),
      `  ${command}`,
    ]),
  ];
}

/** What stands in the terminal when a run has ended: headline, picture, primary comparisons, lost trials, warnings. Ends in a newline. */
export function renderTerminalSummary(summary: Summary, options: TerminalOptions): string {
  checkSummary(summary);
  const columns = isNumber(options.columns) ? Math.max(40, options.columns) : 80;
  const paint = painter(options.colour);
  const { trials, run } = summary;
  const lost = trialCount(summary) - trials.ok;
  return [
    '',
    ...topLines(summary, columns, paint),
    ...dumbbellLines(summary, labelsOf(summary), columns, paint),
    ...sessionLines(summary, columns),
    ...userLines(summary, columns),
    ...comparisonLines(summary, { ...options, columns }, paint),
    '',
    ...wrap(
      `${trials.ok} of ${plural(trialsBegun(summary), 'trial')} valid${lost > 0 ? ` (${trials.invalid} invalid, ${trials.failed} failed, ${trials.unsupported} unsupported, ${trials.notRun} not run)` : ''}, ${blocksWords(summary)}, ${formatSpan(run.spanMs)}.`,
      columns,
    ),
    ...reasonLines(summary, columns),
    ...warningLines(summary, columns),
    '',
  ].join('\n');
}
