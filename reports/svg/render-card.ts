import type { Comparison, Summary, Verdict } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { blocksWords, trialsBegun } from '../format/counts.ts';
import { comparedArms, labelsOf } from '../format/labels.ts';
import type { Labels } from '../format/labels.ts';
import { metricWords } from '../format/metric-words.ts';
import { isNumber, plural } from '../format/numbers.ts';
import {
  advantageInMargins,
  effectText,
  formOf,
  intervalOf,
  intervalText,
  verdictOrder,
  verdictSigns,
} from '../format/verdict-words.ts';
import { topSentence } from '../format/top-sentence.ts';
import { attribute } from '../junit/xml-text.ts';

const widthPx = 1000;
const leftPx = 40;
const lineHeightPx = 38;
const rowHeightPx = 66;
/** Characters of a headline's line at its size. */
const lineLength = 56;
/** More of the answer than this is left to the report. */
const mostLines = 4;
const mostRows = 4;
/** Where the graph of a row lies; its middle is no change. */
const graph = { leftPx: 620, widthPx: 340 } as const;
/** Advantage at the edge of the graph, in margins. */
const leastReach = 3;

const tones: Readonly<Record<Verdict, string>> = {
  better: '#0b5fa5',
  worse: '#a63f00',
  equivalent: '#3d4a57',
  mixed: '#7a2a86',
  inconclusive: '#5b5470',
};

/** Lines of whole words; what does not fit ends in an ellipsis. */
function wrapped(sentence: string): string[] {
  const lines: string[] = [''];
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1] ?? ''} …`];
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${attribute(content)}</text>`;
}

function advantages(comparison: Comparison): number[] {
  const estimate = formOf(comparison) === 'ratio' ? comparison.ratio : comparison.difference;
  const ends = intervalOf(comparison) ?? [];
  return [estimate ?? NaN, ...ends].map((value) => advantageInMargins(comparison, value) ?? NaN);
}

/** Estimate and interval in margins: better is on the right, inside the band a difference does not matter. */
function graphOf(comparison: Comparison, top: number): string {
  const values = advantages(comparison);
  const reach = Math.max(leastReach, ...values.filter(isNumber).map(Math.abs)) * 1.05;
  const place = (value: number): number =>
    Math.round(graph.leftPx + graph.widthPx * (0.5 + value / (2 * reach)));
  const [estimate = NaN, ...ends] = values;
  const [left, right] = [place(-1), place(1)];
  const tone = tones[comparison.verdict];
  const middle = top + 24;
  const sorted = ends
    .filter(isNumber)
    .map(place)
    .sort((a, b) => a - b);
  const [low, high] = sorted;
  return [
    `<rect x="${left}" y="${top + 8}" width="${right - left}" height="32" fill="#d3dbe4"/>`,
    `<path d="M${place(0)} ${top + 4}v40" stroke="#51606f" stroke-dasharray="4 3"/>`,
    low === undefined || high === undefined
      ? ''
      : `<path d="M${low} ${middle}H${high}M${low} ${middle - 7}v14M${high} ${middle - 7}v14" stroke="${tone}" stroke-width="3"/>`,
    isNumber(estimate) ? `<circle cx="${place(estimate)}" cy="${middle}" r="7" fill="${tone}"/>` : '',
  ].join('');
}

function row(comparison: Comparison, top: number, labels: Labels): string {
  const { workload, workloadKind, metric, network, verdict } = comparison;
  const what = `${labels.workload(workload, workloadKind)}: ${metricWords(metric).title}`;
  const proof = `${effectText(comparison)} (${intervalText(comparison)}), ${plural(comparison.blocks, 'block')}, ${labels.shortNetwork(network)}`;
  return [
    text(
      leftPx,
      top + 18,
      `${verdictSigns[verdict]} ${verdict} · ${what}`,
      `font-size="18" font-weight="600" fill="${tones[verdict]}"`,
    ),
    text(leftPx, top + 42, proof, 'font-size="16" fill="#51606f"'),
    graphOf(comparison, top),
  ].join('');
}

/** The answer as one picture for chat tools and pull requests: the sentence, and the comparisons that decide. */
export function renderCard(summary: Summary): string {
  checkSummary(summary);
  const labels = labelsOf(summary);
  const arms = comparedArms(summary);
  const lines = wrapped(topSentence(summary));
  const rows = summary.comparisons
    .filter((one) => one.primary && formOf(one) !== 'none')
    .toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict))
    .slice(0, mostRows);
  const rowsTop = 96 + lines.length * lineHeightPx;
  const height = rowsTop + rows.length * rowHeightPx + 64;
  const counts = `${summary.trials.ok} of ${plural(trialsBegun(summary), 'trial')} valid, ${blocksWords(summary)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${height}" width="${widthPx}" height="${height}" role="img" font-family="system-ui, 'DejaVu Sans', Arial, sans-serif">`,
    `<title>${attribute(topSentence(summary))}</title>`,
    `<rect width="${widthPx}" height="${height}" fill="#ffffff"/>`,
    text(
      leftPx,
      52,
      `${arms.candidate} against ${arms.baseline}`,
      'font-size="17" font-weight="600" fill="#51606f"',
    ),
    ...lines.map((line, i) =>
      text(leftPx, 96 + i * lineHeightPx, line, 'font-size="30" font-weight="700" fill="#16202c"'),
    ),
    rows.length > 0
      ? text(graph.leftPx, rowsTop - 6, `← ${arms.baseline} better`, 'font-size="13" fill="#51606f"') +
        text(
          graph.leftPx + graph.widthPx,
          rowsTop - 6,
          `${arms.candidate} better →`,
          'font-size="13" fill="#51606f" text-anchor="end"',
        )
      : '',
    ...rows.map((one, i) => row(one, rowsTop + i * rowHeightPx, labels)),
    text(
      leftPx,
      height - 24,
      `${counts}. Inside the band a difference does not matter.`,
      'font-size="15" fill="#51606f"',
    ),
    '</svg>',
    '',
  ].join('\n');
}
