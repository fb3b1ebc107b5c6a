import type { Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { blocksWords } from '../format/counts.ts';
import { betterIsLeft } from '../format/change-axis.ts';
import { dumbbellOf, type Dumbbell } from '../format/dumbbell-rows.ts';
import { labelsOf } from '../format/labels.ts';
import { topSentence } from '../format/top-sentence.ts';
import { verdictColours } from '../format/verdict-colours.ts';
import { attribute } from '../junit/xml-text.ts';
import { dumbbellHeightPx, dumbbellMarks } from './dumbbell.ts';

const widthPx = 1000;
const leftPx = 40;
const lineHeightPx = 42;
/** Characters of a headline's line at its size. */
const lineLength = 48;
const detailLength = 100;
const maxLines = 4;
const maxDetailLines = 2;
const maxWordsOfFact = 90;

/** The colours of the report's light scheme. */
const style = `
.db text,.db-tick,.db-axis{font-size:16px}
.db text{fill:#16202c}
.db .db-name{font-weight:600}
.db .db-medians{fill:#51606f;font-weight:400}
.db-band{fill:#d3dbe4}.db-zero,.db-axis{stroke:#51606f}.db-zero{stroke-dasharray:3 3}
.db-tick{fill:#51606f;font-size:13px}
.db-i{stroke-width:2}.db-way{stroke-width:4}
.db-from{fill:#ffffff;stroke:#16202c;stroke-width:2}
.db .db-effect{font-weight:700}
.db .db-cut{fill:#ffffff;font-size:13px;font-weight:700}
.db .db-past{font-size:13px;font-weight:700;stroke:#ffffff;stroke-width:5px;paint-order:stroke}
${Object.entries(verdictColours)
  .map(
    ([verdict, tone]) =>
      `.v-${verdict} .db-i,.v-${verdict} .db-way{stroke:${tone}}.v-${verdict} .db-to,.v-${verdict} .db-bar,.v-${verdict} .db-effect,.v-${verdict} .db-past{fill:${tone}}`,
  )
  .join('\n')}`;

/** Lines of whole words; what does not fit ends in an ellipsis. */
function wrapped(sentence: string, length: number, most: number): string[] {
  const lines: string[] = [''];
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > length) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1] ?? ''} …`];
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}" ${attributes}>${attribute(content)}</text>`;
}

/** Where it was measured, and how far the run came. */
function facts(summary: Summary, arms: Pick<Dumbbell, 'baseline' | 'candidate'>): string {
  const labels = labelsOf(summary);
  const networks = [...new Set(summary.comparisons.map(({ network }) => labels.shortNetwork(network)))];
  const words = [
    `${arms.candidate} against ${arms.baseline}`,
    networks.length > 2 ? `${networks.length} networks` : networks.join(', '),
    blocksWords(summary),
  ];
  const whole = words.filter((word) => word !== '').join(' · ');
  return whole.length > maxWordsOfFact ? `${whole.slice(0, maxWordsOfFact - 1)}…` : whole;
}

/** What a card says and shows. */
export interface CardContent {
  readonly top: string;
  /** Empty where there is no more to say. */
  readonly detail: string;
  readonly dumbbell: Dumbbell;
}

/** The first screen as one picture for chat tools and pull requests: headline, and the picture of what it rests on. */
export function renderCard(summary: Summary): string {
  checkSummary(summary);
  const { detail } = summary.firstScreen;
  return renderCardOf(summary, {
    top: topSentence(summary),
    detail,
    dumbbell: dumbbellOf(summary, labelsOf(summary)),
  });
}

/** A card that says something else of a run than its first screen. */
export function renderCardOf(summary: Summary, { top, detail, dumbbell }: CardContent): string {
  const lines = wrapped(top, lineLength, maxLines);
  const details = detail === '' ? [] : wrapped(detail, detailLength, maxDetailLines);
  const detailTop = 64 + lines.length * lineHeightPx;
  const factsTop = detailTop + details.length * 24;
  const pictureTop = factsTop + 24;
  const place = (share: number): string => (leftPx + (widthPx - 2 * leftPx) * share).toFixed(1);
  const { rows, baseline, candidate, metric } = dumbbell;
  const band = rows.some(({ margin }) => margin !== null)
    ? '   Inside the band a difference is too small to matter.'
    : '';
  const height = rows.length === 0 ? factsTop + 24 : pictureTop + dumbbellHeightPx(rows.length) + 44;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${height}" width="${widthPx}" height="${height}" role="img" font-family="system-ui, 'DejaVu Sans', Arial, sans-serif">`,
    `<title>${attribute(top)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${widthPx}" height="${height}" fill="#ffffff"/>`,
    ...lines.map((line, i) =>
      text(leftPx, 60 + i * lineHeightPx, line, 'font-size="33" font-weight="700" fill="#16202c"'),
    ),
    ...details.map((line, i) => text(leftPx, detailTop + i * 24, line, 'font-size="17" fill="#16202c"')),
    text(leftPx, factsTop, facts(summary, dumbbell), 'font-size="16" fill="#51606f"'),
    rows.length === 0
      ? ''
      : `<g transform="translate(0 ${pictureTop})">${dumbbellMarks(dumbbell, place)}</g>` +
        text(
          leftPx,
          height - 18,
          `${metric === '' ? '' : `${metric}. `}${betterIsLeft}.   ○ ${baseline}   ● ${candidate}${band}`,
          'font-size="14" fill="#51606f"',
        ),
    '</svg>',
    '',
  ].join('\n');
}
