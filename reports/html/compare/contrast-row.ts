import type { Names } from '../../../src/core/model/names.ts';
import type { RunContrast } from '../../../src/core/model/run-comparison.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatLevel, formatP, formatRatioPercent, formatSigned, isNumber } from '../../format/numbers.ts';
import {
  decidingP,
  effectText,
  intervalText,
  verdictSigns,
  verdictTitles,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import { intervalGraph } from '../sections/interval-graph.ts';

function sideText(contrast: RunContrast, median: number | null): Insert {
  const { what, ratio, unit, metric } = contrast;
  if (!isNumber(median)) return markup`<span class="none">none</span>`;
  if (what === 'level') return markup`${formatLevel(median, unit, metric)} <small>${unit}</small>`;
  return ratio === null ? markup`${formatSigned(median)} <small>${unit}</small>` : formatRatioPercent(median);
}

/** What is compared: `HTTP/3 against HTTP/2`, or one arm. */
function armsText({ what, arms }: RunContrast): string {
  const [first = '', second = ''] = arms.map(armTitle);
  return what === 'gap' ? `gap, ${second} against ${first}` : `${first} alone`;
}

/** A row of the comparison of two runs. */
export function contrastRow(contrast: RunContrast, names: Names): Markup {
  const { workload, workloadKind, metric, client, network, primary, verdict, a, b, ratio, difference } =
    contrast;
  const p = decidingP(contrast);
  const effect = ratio === null ? difference : ratio - 1;
  return markup`<tr>
    <th scope="row">${names.workload(workload, workloadKind)}<small>${names.client(client)} · ${names.network(network)}</small></th>
    <td>${metricWords(metric).title}${primary && markup` <small class="tag">primary</small>`} <small class="arms">${armsText(contrast)}</small></td>
    <td class="wide num" data-sort="${a.median ?? ''}">${sideText(contrast, a.median)}</td>
    <td class="wide num" data-sort="${b.median ?? ''}">${sideText(contrast, b.median)}</td>
    <td class="change" data-sort="${effect ?? ''}" data-csv="${ratio ?? difference ?? ''}"><b>${effectText(contrast)}</b><small>${intervalText(contrast)}</small></td>
    <td class="graph" data-csv="${intervalText(contrast)}">${intervalGraph(contrast)}</td>
    <td class="wide num">${a.n} / ${b.n}</td>
    <td class="wide num" data-sort="${p ?? ''}">${formatP(p)}</td>
    <td data-sort="${verdict}"><span class="verdict v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictTitles[verdict]}</span></td>
  </tr>
  `;
}
