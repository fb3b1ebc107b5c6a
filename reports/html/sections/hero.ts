import type { Comparison } from '../../../src/model/summary.ts';
import { nothingCompared, trialCount } from '../../format/counts.ts';
import { armTitle, comparedArms } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatCount, equalsP, formatSpan, missing, plural, unbroken } from '../../format/numbers.ts';
import {
  decidingP,
  effectText,
  formOf,
  intervalOf,
  intervalText,
  levelText,
  verdictOrder,
  verdictSigns,
} from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { intervalRuler } from './interval-graph.ts';

/** Cards of primary comparisons shown on top; the rest is in the table. */
const mostCards = 6;
/** Networks named on top; more are counted. */
const mostNetworks = 3;
/** Longer first sentences are set smaller, in two steps. */
const shortHeadline = 90;
const longHeadline = 200;

function ruler(comparison: Comparison): Markup {
  const { baseline, candidate } = comparison;
  if (formOf(comparison) === 'none') return markup``;
  return markup`<span class="ruler">${intervalRuler(comparison)}<span class="ends" aria-hidden="true"><span>←\u00a0${armTitle(baseline.arm)} better</span><span>${armTitle(candidate.arm)} better\u00a0→</span></span></span>`;
}

function proof(comparison: Comparison): Markup {
  const p = decidingP(comparison);
  const { verdict, reason } = comparison;
  const interval =
    intervalOf(comparison) === null
      ? (reason ?? 'no interval')
      : `${levelText(comparison)} interval ${intervalText(comparison)}`;
  const told = verdict === 'inconclusive' && reason !== undefined && reason !== interval;
  return markup`${interval}<br>n = ${plural(comparison.blocks, 'block')}${p !== null && `, ${equalsP(p)}`}${told && markup`<br>${reason}`}`;
}

function card(comparison: Comparison, context: ReportContext): Markup {
  const { verdict } = comparison;
  const place = context.placeOf(comparison);
  return markup`<li class="card v-${verdict}"><a href="#${context.anchorOf(comparison)}">
    <span class="card-what">${context.labels.workload(comparison.workload, comparison.workloadKind)}</span>
    <span class="card-metric">${metricWords(comparison.metric).title}${place !== '' && markup`<br>${place}`}</span>
    <span class="card-line"><span class="card-effect">${effectText(comparison)}</span> <span class="verdict v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${verdict}</span></span>
    ${ruler(comparison)}
    <span class="card-proof">${proof(comparison)}</span>
  </a></li>`;
}

/** As they come where all have a card; else those that came out first, the surest before others. */
function tellingFirst(primaries: readonly Comparison[]): readonly Comparison[] {
  if (primaries.length <= mostCards) return primaries;
  return primaries.toSorted(
    (a, b) =>
      verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) ||
      (decidingP(a) ?? 1) - (decidingP(b) ?? 1),
  );
}

function cards(context: ReportContext): Markup {
  const { summary } = context;
  const primaries = summary.comparisons.filter(({ primary }) => primary);
  if (primaries.length === 0) return markup``;
  const arms = comparedArms(summary);
  const more = primaries.length - mostCards;
  return markup`<h2 class="quiet" id="primary">Primary ${primaries.length === 1 ? 'comparison' : 'comparisons'}</h2>
    <p class="legend">Change of ${arms.candidate} against ${arms.baseline}. Inside the shaded band a difference does not matter.</p>
    <ul class="cards">${tellingFirst(primaries)
      .slice(0, mostCards)
      .map((comparison) => card(comparison, context))}</ul>
    ${more > 0 && markup`<p><a href="#comparisons">${plural(more, 'more primary comparison')} in the table</a></p>`}`;
}

function facts(context: ReportContext): Markup {
  const { summary, labels, clients, networks } = context;
  const { run, trials } = summary;
  const items = [
    clients.map((id) => labels.client(id)).join(', '),
    networks.length > mostNetworks
      ? plural(networks.length, 'network')
      : networks.map((id) => labels.network(id)).join('; '),
    plural(run.repetitions, 'block'),
    `${formatCount(trials.ok)} of ${plural(trialCount(summary), 'trial')} valid`,
    formatSpan(run.spanMs),
    run.startedAt === null ? '' : `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  const known = items.filter((item) => item !== '' && item !== missing);
  return markup`<ul class="facts">${known.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

/** What must be known before any number is believed. */
function notices({ summary }: ReportContext, caveats: readonly string[]): Markup {
  const { run, trials } = summary;
  const lost = trials.invalid + trials.failed;
  const lines = [
    ...(summary.banners ?? []).map((sentence) => `Take care: ${sentence}.`),
    ...caveats.map((sentence) => unbroken(sentence)),
    caveats.length === 0 &&
      !run.complete &&
      `This run is not complete: ${plural(trials.notRun, 'trial')} did not run.`,
    caveats.length === 0 &&
      run.exploratory &&
      'Exploratory run: it looks for effects and does not confirm any.',
    lost > 0 && markup`${plural(lost, 'trial')} did not count. <a href="#trials">See the reasons</a>.`,
  ].filter((line) => line !== false);
  return lines.length === 0
    ? markup``
    : markup`<ul class="notices">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

/** A sentence whose evidence in brackets is set lighter, so that the answer is read first. */
function sentenceMarkup(sentence: string): Markup {
  const match = /^(?<answer>.+?)(?<proof> \([^()]*interval[^()]*\)\.?)(?<rest>.*)$/s.exec(unbroken(sentence));
  if (!match?.groups) return markup`${unbroken(sentence)}`;
  const { answer = '', proof: evidence = '', rest = '' } = match.groups;
  return markup`${answer}<span class="proof">${evidence}</span><span class="rest">${rest}</span>`;
}

/** What is compared with what; the arms where there are several pairs. */
function eyebrow({ summary }: ReportContext): string {
  const { baseline, candidate, several } = comparedArms(summary);
  if (several) return summary.run.arms.map(armTitle).join(', ');
  return baseline === '' ? candidate : `${candidate} against ${baseline}`;
}

/** The top of the page: the answer in words, then the primary comparisons. */
export function hero(context: ReportContext): Markup {
  const { summary } = context;
  const { caveats = [] } = summary;
  const [first = nothingCompared(summary), ...rest] = summary.headline.filter(
    (one) => !caveats.includes(one),
  );
  const silent = summary.comparisons.length === 0 && summary.headline.length > 0;
  return markup`<section class="hero" aria-labelledby="headline">
    <p class="eyebrow">${eyebrow(context)}</p>
    <h1 id="headline"${first.length > shortHeadline && markup` class="${first.length > longHeadline ? 'long longer' : 'long'}"`}>${sentenceMarkup(first)}</h1>
    ${rest.map((sentence) => markup`<p class="lede">${sentenceMarkup(sentence)}</p>`)}
    ${facts(context)} ${notices(context, caveats)}
    ${silent && markup`<p class="empty">${nothingCompared(summary)}</p>`}
    ${cards(context)}
  </section>`;
}
