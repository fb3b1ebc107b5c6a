import { noticeableMs, type AudienceAnswer } from '../../../src/core/model/audience.ts';
import { quantileColumns, quantileRows, segmentColumns, segmentRows } from '../../format/audience-change.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
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
  if (of.segments.length < 2) return markup``;
  const limits = of.unit === 'ms' ? ` Dashed lines: ${noticeableMs} ms.` : '';
  return markup`<figure class="audience-figure">
      <figcaption>Users from left to right, those who gain most first. The line is their change in ${of.unit === '' ? 'the metric' : of.unit}, the band its interval of 95 %.${limits}</figcaption>
      ${new Markup(audienceCurve(of))}
    </figure>`;
}

function answer(of: AudienceAnswer): Markup {
  const { metric, baselineArm, candidateArm, loadsSentence } = of;
  const { title } = metricWords(metric);
  const pair = `${armTitle(candidateArm)} against ${armTitle(baselineArm)}`;
  return markup`<h3>${title}, ${pair}</h3>
    <figure class="audience-figure">
      <figcaption>Each bar is as wide as the segment’s share of page views and as high as its change. Lines are intervals of 95 %.</figcaption>
      ${new Markup(audienceBars(of))}
    </figure>
    ${curve(of)}
    ${tableOf(`Segments, ${title}, ${pair}`, segmentColumns, segmentRows(of))}
    ${tableOf(`Quantiles, ${title}, ${pair}`, quantileColumns(armTitle(baselineArm), armTitle(candidateArm)), quantileRows(of))}
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
