import { mediansAgree } from '../../../src/core/model/medians.ts';
import { mediansApart } from '../../format/median-words.ts';
import { formatLevel, formatP, isNumber } from '../../format/numbers.ts';
import {
  decidingP,
  effectText,
  intervalText,
  verdictSigns,
  verdictTitles,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import type { PageArm, PageComparison } from '../page-data.ts';
import { intervalGraph } from './interval-graph.ts';

/** The candidate's median, where it says the same change as the comparison. */
function candidateMedian(comparison: PageComparison): Insert {
  return mediansAgree(comparison) || !isNumber(comparison.candidate.median)
    ? median(comparison.candidate, comparison)
    : markup`<span class="none" title="${mediansApart}">–</span>`;
}

function median({ median: value }: PageArm, { unit, metricName }: PageComparison): Insert {
  return isNumber(value)
    ? markup`${formatLevel(value, unit, metricName)} <small>${unit}</small>`
    : markup`<span class="none">none</span>`;
}

function verdictBadge(verdict: PageComparison['verdict']): Markup {
  return markup`<span class="verdict v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictTitles[verdict]}</span>`;
}

/** A row of the table of comparisons; made here for the first ones, by the page's script for the others. */
export function comparisonRow(comparison: PageComparison): Markup {
  const { id, verdict, baseline, workload, place, metric, primary, blocks, why } = comparison;
  const p = decidingP(comparison);
  return markup`<tr id="${id}">
    <th scope="row"><button type="button" class="open-row" aria-expanded="false">${workload}</button>${place !== '' && markup`<small>${place}</small>`}</th>
    <td>${metric}${primary && markup` <small class="tag">primary</small>`}</td>
    <td class="wide num">${median(baseline, comparison)}</td>
    <td class="wide num">${candidateMedian(comparison)}</td>
    <td class="change"><b>${effectText(comparison)}</b><small>${intervalText(comparison)}</small></td>
    <td class="graph">${intervalGraph(comparison)}</td>
    <td class="wide num">${blocks}</td>
    <td class="wide num">${formatP(p)}</td>
    <td>${verdict === 'worse' ? markup`<a href="#${why ?? 'why'}" title="Where it comes from">${verdictBadge(verdict)}</a>` : verdictBadge(verdict)}</td>
  </tr>
  `;
}
