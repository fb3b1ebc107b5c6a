import type { Comparison } from '../../../src/model/summary.ts';
import { nothingCompared, trialCount } from '../../format/counts.ts';
import { armTitle } from '../../format/labels.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatP, formatSpan, plural } from '../../format/numbers.ts';
import { decidingP, effectText, intervalText, verdictSigns } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { intervalGraph } from './interval-graph.ts';

/** Cards of primary comparisons shown on top; the rest is in the table. */
const mostCards = 6;

function card(comparison: Comparison, context: ReportContext): Markup {
  const { labels, anchorOf } = context;
  const where = [
    context.clients.length > 1 ? labels.client(comparison.client) : '',
    context.networks.length > 1 ? labels.network(comparison.network) : '',
  ].filter(Boolean);
  return markup`<li class="card v-${comparison.verdict}">
    <a href="#${anchorOf(comparison)}">
      <span class="card-what">${labels.workload(comparison.workload, comparison.workloadKind)}</span>
      <span class="card-metric"
        >${metricWords(comparison.metric).title}${where.map((one) => ` · ${one}`)}</span
      >
      <span class="card-effect">${effectText(comparison)}</span>
      <span class="verdict v-${comparison.verdict}"
        ><span class="sign" aria-hidden="true">${verdictSigns[comparison.verdict]}</span>
        ${comparison.verdict}</span
      >
      ${intervalGraph(comparison)}
      <span class="card-proof"
        >95 % interval ${intervalText(comparison)}<br />n = ${plural(comparison.blocks, 'block')}, p =
        ${formatP(decidingP(comparison))}</span
      >
    </a>
  </li>`;
}

function cards(context: ReportContext): Markup {
  const { summary } = context;
  const primaries = summary.comparisons.filter(({ primary }) => primary);
  if (primaries.length === 0) return markup``;
  const more = primaries.length - mostCards;
  const { baselineArm, candidateArm } = summary.run;
  return markup`<h2 class="quiet" id="primary">
      Primary ${primaries.length === 1 ? 'comparison' : 'comparisons'}
    </h2>
    <p class="legend">
      <span>Change of ${armTitle(candidateArm)} against ${armTitle(baselineArm)}.</span>
      <span
        >In the small plots, right is better for ${armTitle(candidateArm)}; inside the shaded band the
        difference does not matter.</span
      >
    </p>
    <ul class="cards">
      ${primaries.slice(0, mostCards).map((comparison) => card(comparison, context))}
    </ul>
    ${more > 0 && markup`<p><a href="#comparisons">${plural(more, 'more primary comparison')} in the table</a></p>`}`;
}

function facts(context: ReportContext): Markup {
  const { summary, labels, clients, networks } = context;
  const { run, trials } = summary;
  const items = [
    clients.map((id) => labels.client(id)).join(', '),
    networks.map((id) => labels.network(id)).join(', '),
    plural(run.repetitions, 'block'),
    `${trials.ok} of ${plural(trialCount(summary), 'trial')} valid`,
    formatSpan(run.spanMs),
    run.startedAt === null ? '' : run.startedAt.slice(0, 16).replace('T', ' ') + ' UTC',
  ];
  return markup`<ul class="facts">
    ${items.filter((item) => item !== '' && item !== '–').map((item) => markup`<li>${item}</li>`)}
  </ul>`;
}

/** What must be known before any number is believed. */
function notices({ summary }: ReportContext): Markup {
  const { run, trials } = summary;
  const lost = trials.invalid + trials.failed;
  const lines = [
    !run.complete && `This run is not complete: ${plural(trials.notRun, 'trial')} did not run.`,
    run.exploratory && 'Exploratory run: it looks for effects and does not confirm any.',
    lost > 0 && markup`${plural(lost, 'trial')} did not count. <a href="#trials">See the reasons</a>.`,
  ].filter((line) => line !== false);
  return lines.length === 0
    ? markup``
    : markup`<ul class="notices">
        ${lines.map((line) => markup`<li>${line}</li>`)}
      </ul>`;
}

/** The top of the page: the answer in words, then the primary comparisons. */
export function hero(context: ReportContext): Markup {
  const { summary } = context;
  const [first = nothingCompared(summary), ...rest] = summary.headline;
  return markup`<section class="hero" aria-labelledby="headline">
    <p class="eyebrow">${armTitle(summary.run.candidateArm)} against ${armTitle(summary.run.baselineArm)}</p>
    <h1 id="headline">${first}</h1>
    ${rest.map((sentence) => markup`<p class="lede">${sentence}</p>`)} ${facts(context)} ${notices(context)}
    ${summary.comparisons.length === 0 && summary.headline.length > 0 && markup`<p class="empty">${nothingCompared(summary)}</p>`}
    ${cards(context)}
  </section>`;
}
