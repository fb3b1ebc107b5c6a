import { noticeableMs, type AudienceAnswer } from '../../../src/core/model/audience.ts';
import {
  partsOf,
  quantileColumns,
  quantileRows,
  segmentColumns,
  segmentRows,
} from '../../format/audience-change.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatShare } from '../../format/numbers.ts';
import { audienceBars } from '../../svg/audience-bars.ts';
import { audienceCurve } from '../../svg/audience-curve.ts';
import { Markup, markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';

/** A table whose first column names its rows. */
function tableOf(label: string, columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return scrolling(
    label,
    plainTable(
      columns,
      rows.map(
        ([head = '', ...cells]) =>
          markup`<tr><th scope="row">${head}</th>${cells.map((cell) => markup`<td class="num">${cell}</td>`)}</tr>`,
      ),
    ),
  );
}

/** How much each share of the users gains; nothing where there is one segment alone. */
function curve(of: AudienceAnswer): Markup {
  const parts = partsOf(of);
  if (parts.length < 2) return markup``;
  const limits = of.unit === 'ms' ? ` Dashed lines: ${noticeableMs} ms.` : '';
  const band = parts.some(({ differenceInterval }) => differenceInterval !== null)
    ? `, the band its interval of ${formatShare(of.level)}`
    : '';
  return markup`<figure class="audience-figure">
      <figcaption>Users from left to right, those who gain most first. The line is their mean change${band}. The scale is logarithmic, intervals are cut at the edge.${limits}</figcaption>
      ${scrolling('Change over the users', new Markup(audienceCurve(of)))}
    </figure>`;
}

/** What the bars are, and their lines where there are any. */
function barsWords(of: AudienceAnswer): string {
  const parts = partsOf(of);
  const what = parts.length > of.segments.length ? 'segment, with a bar for each page,' : 'bar';
  const lines = parts.some(({ ratioInterval }) => ratioInterval !== null)
    ? ` Lines are intervals of ${formatShare(of.level)}, each for itself, cut at the edge.`
    : ` There are too few blocks for intervals.`;
  return `Each ${what} is as wide as its share of page views. Bars are as high as the change, ${of.higherIsBetter ? 'upwards' : 'downwards'} is better.${lines}`;
}

function answer(of: AudienceAnswer): Markup {
  const { metric, baselineArm, candidateArm, loadsSentence } = of;
  const { title } = metricWords(metric);
  const pair = `${armTitle(candidateArm)} against ${armTitle(baselineArm)}`;
  return markup`<h3>${title}, ${pair}</h3>
    <figure class="audience-figure">
      <figcaption>${barsWords(of)}</figcaption>
      ${scrolling('Change by segment', new Markup(audienceBars(of)))}
    </figure>
    ${curve(of)}
    ${tableOf(`Segments, ${title}, ${pair}`, segmentColumns(of), segmentRows(of))}
    ${tableOf(`Quantiles, ${title}, ${pair}`, quantileColumns(of, armTitle(baselineArm), armTitle(candidateArm)), quantileRows(of))}
    <p class="note">${loadsSentence}</p>`;
}

/** What the users of a plan's audience get, segment by segment and in its tail; nothing for a plan without one. */
export function audience({ summary }: ReportContext): Markup {
  const { audience: result } = summary;
  if (result === undefined) return markup``;
  const sentences = [...result.noticeableSentences, ...result.coverageSentences];
  if (result.answers.length === 0 && sentences.length === 0) return markup``;
  return markup`<section id="audience" aria-labelledby="audience-title">
    <h2 id="audience-title">For your users</h2>
    <p>${sentences.join(' ')}</p>
    ${result.answers.map(answer)}
    <p class="note">Shares: ${result.source}.${result.notes.map((note) => ` ${note}.`)}</p>
  </section>`;
}
