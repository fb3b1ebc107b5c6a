import type { Comparison } from '../../../src/core/model/summary.ts';
import { armTitle, comparedArms, withSiteTitles } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { equalsP, plural } from '../../format/numbers.ts';
import {
  decidingP,
  effectText,
  formOf,
  intervalOf,
  intervalText,
  levelText,
  pName,
  sitesText,
  verdictOrder,
  verdictSigns,
  verdictTitles,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { intervalRuler } from './interval-graph.ts';

/** Cards of primary comparisons shown on top; the rest is in the table. */
const maxCards = 6;

function ruler(comparison: Comparison): Markup {
  const { baseline, candidate } = comparison;
  if (formOf(comparison) === 'none') return markup``;
  return markup`<span class="ruler">${intervalRuler(comparison)}<span class="ends" aria-hidden="true"><span>←\u00a0${armTitle(candidate.arm)} better</span><span>${armTitle(baseline.arm)} better\u00a0→</span></span></span>`;
}

function proof(comparison: Comparison, { labels }: ReportContext): Markup {
  const p = decidingP(comparison);
  const { verdict, reason } = comparison;
  const interval =
    intervalOf(comparison) === null
      ? (reason ?? 'no interval')
      : `${levelText(comparison)} interval ${intervalText(comparison)}`;
  const sites = sitesText(withSiteTitles(comparison, labels));
  const told = verdict === 'inconclusive' && reason !== undefined && reason !== interval;
  return markup`${interval}<br>n = ${plural(comparison.blocks, 'block')}${p !== null && `, ${equalsP(p, pName(comparison))}`}${told && markup`<br>${reason}`}${sites !== '' && markup`<span class="card-sites">${sites}</span>`}`;
}

function card(comparison: Comparison, context: ReportContext): Markup {
  const { verdict } = comparison;
  const place = context.conditionWords(comparison);
  return markup`<li class="card v-${verdict}"><a href="#${context.anchorOf(comparison)}">
    <span class="card-what">${context.labels.workload(comparison.workload, comparison.workloadKind)}</span>
    <span class="card-metric">${metricWords(comparison.metric).title}${place !== '' && markup`<br>${place}`}</span>
    <span class="card-line"><span class="card-effect">${effectText(comparison)}</span> <span class="verdict v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictTitles[verdict]}</span></span>
    ${ruler(comparison)}
    <span class="card-proof">${proof(comparison, context)}</span>
  </a></li>`;
}

/** What came out worse first, what is undecided last; where not all have a card, each workload once before any comes twice. */
function tellingFirst(primaries: readonly Comparison[]): readonly Comparison[] {
  const sorted = primaries.toSorted(
    (a, b) =>
      verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) ||
      (decidingP(a) ?? 1) - (decidingP(b) ?? 1),
  );
  if (sorted.length <= maxCards) return sorted;
  const rounds = new Map<string, number>();
  const roundOf = new Map(
    sorted.map((comparison) => {
      const round = rounds.get(comparison.workload) ?? 0;
      rounds.set(comparison.workload, round + 1);
      return [comparison, round];
    }),
  );
  return sorted.toSorted((a, b) => (roundOf.get(a) ?? 0) - (roundOf.get(b) ?? 0));
}

/** The primary comparisons with interval, margin and test; the most telling first, another workload each as far as there are. */
export function primaryCards(context: ReportContext): Markup {
  const { summary } = context;
  const primaries = summary.comparisons.filter(({ primary }) => primary);
  if (primaries.length === 0) return markup``;
  const arms = comparedArms(summary);
  const more = primaries.length - maxCards;
  return markup`<p class="legend">Change of ${arms.candidate} against ${arms.baseline}. Inside the shaded band a difference does not matter.</p>
    <ul class="cards">${tellingFirst(primaries)
      .slice(0, maxCards)
      .map((comparison) => card(comparison, context))}</ul>
    ${more > 0 && markup`<p><a href="#comparisons">${plural(more, 'more primary comparison')} in the table</a></p>`}`;
}
