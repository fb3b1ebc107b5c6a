import type { Summary } from '../../../src/core/model/summary.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatP, formatRatioPercent, plural } from '../../format/numbers.ts';
import { intervalTitle, verdictSigns, verdictTitles } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

type Difference = Summary['differenceInDifferences'][number];

function row(difference: Difference, { labels, summary }: ReportContext): Markup {
  const kind = summary.workloads.find(({ id }) => id === difference.workload)?.kind ?? 'page';
  const interval =
    difference.interval === null
      ? 'no interval'
      : `${formatRatioPercent(difference.interval[0])} to ${formatRatioPercent(difference.interval[1])}`;
  return markup`<tr>
    <th scope="row">${labels.workload(difference.workload, kind)}<small>${labels.network(difference.network)}</small></th>
    <td>${metricWords(difference.metric).title}</td>
    <td class="change"><b>${formatRatioPercent(difference.ratioOfRatios)}</b><small>${interval}</small></td>
    <td class="num">${difference.blocks}</td>
    <td class="num">${formatP(difference.adjustedPValue)}</td>
    <td><span class="verdict v-${difference.verdict}"><span class="sign" aria-hidden="true">${verdictSigns[difference.verdict]}</span> ${verdictTitles[difference.verdict]}</span></td>
  </tr>`;
}

/** Whether the change from one version to the next differs between the protocols; nothing for plans without four arms. */
export function differenceInDifferences(context: ReportContext): Markup {
  const all = context.summary.differenceInDifferences;
  const [first] = all;
  if (first === undefined) return markup``;
  const primary = all.filter((contrast) => contrast.primary === true);
  const shown = primary.length > 0 ? primary : all;
  const rest = all.filter((contrast) => !shown.includes(contrast));
  const [oldBase, oldCandidate, newBase, newCandidate] = first.arms.map(armTitle);
  return markup`<section id="versions" aria-labelledby="versions-title">
    <h2 id="versions-title">Did one protocol change more than the other?</h2>
    <p class="note">The step from ${oldCandidate} to ${newCandidate}, measured against the step from ${oldBase} to ${newBase} in the same blocks. What changed for both cancels out.</p>
    ${table(shown, context, 'Differences in differences')}
    ${rest.length > 0 && markup`<details><summary>${plural(rest.length, 'more metric')}</summary>${table(rest, context, 'Further differences in differences')}</details>`}
    </section>`;
}

function table(all: readonly Difference[], context: ReportContext, name: string): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
    <table class="plain"><thead><tr><th scope="col">Workload</th><th scope="col">Metric</th><th scope="col">Difference of the changes, ${intervalTitle(context.summary.comparisons)}</th><th scope="col">n</th><th scope="col">p</th><th scope="col">Verdict</th></tr></thead><tbody>${all.map((contrast) => row(contrast, context))}</tbody></table>
    </div>`;
}
