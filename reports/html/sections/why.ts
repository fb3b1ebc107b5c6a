import type { Diagnosis } from '../../../src/model/diagnosis.ts';
import { armTitle } from '../../format/labels.ts';
import { interventionSentence } from '../../format/intervention-sentence.ts';
import { metricWords } from '../../format/metric-words.ts';
import { formatSigned } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { scrolling } from '../scrolling.ts';

function spanText(interval: readonly [number, number] | null): string {
  return interval === null
    ? 'no interval'
    : `${formatSigned(interval[0])} to ${formatSigned(interval[1])} ms`;
}

/** A bar from the middle: to the left what makes the candidate slower, to the right what makes it faster. */
function bar(ms: number, most: number): Markup {
  const width = Math.min(50, (Math.abs(ms) / most) * 50);
  const left = ms > 0 ? 50 - width : 50;
  return markup`<svg class="part-bar v-${ms > 0 ? 'worse' : 'better'}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><path class="z" d="M50 0V8"/><rect x="${left}" y="1" width="${width}" height="6"/></svg>`;
}

function one(diagnosis: Diagnosis, { labels, summary }: ReportContext): Markup {
  const { workload, metric, parts, differenceMs, unexplainedMs, causes = [] } = diagnosis;
  const kind = summary.workloads.find(({ id }) => id === workload)?.kind ?? 'page';
  const place = [
    labels.workload(workload, kind),
    diagnosis.client === undefined ? '' : labels.client(diagnosis.client),
    diagnosis.network === undefined ? '' : labels.network(diagnosis.network),
    diagnosis.candidateArm === undefined
      ? ''
      : `${armTitle(diagnosis.candidateArm)} against ${armTitle(diagnosis.baselineArm ?? '')}`,
  ].filter(Boolean);
  const rows = [
    ...parts,
    {
      cause: 'not explained',
      ms: unexplainedMs,
      interval: null,
      evidence: '',
      confirmed: false,
      interventions: [],
    },
  ];
  const most = Math.max(1, ...rows.map(({ ms }) => Math.abs(ms)));
  const name = `${metricWords(metric).title}, ${place.join(', ')}`;
  return markup`<h3>${name}: ${formatSigned(differenceMs)} ms</h3>
    ${causes.length > 0 && markup`<ul class="causes">${causes.map(({ title, ms, evidence }) => markup`<li><strong>${title.charAt(0).toUpperCase()}${title.slice(1)}</strong>: acts upon ${formatSigned(ms)} ms of it (${evidence}).</li>`)}</ul>`}
    ${scrolling(
      `Parts of the difference: ${name}`,
      markup`<table class="plain why"><thead><tr><th scope="col">Part</th><th scope="col">Share, slower ← → faster</th><th scope="col">Difference</th><th scope="col">95 % interval</th><th scope="col">What shows it</th></tr></thead><tbody>${rows.map(
        ({ cause, ms, interval, evidence, confirmed, interventions = [] }) =>
          markup`<tr><th scope="row">${cause}</th><td>${bar(ms, most)}</td><td class="num">${formatSigned(ms)} ms</td><td class="num">${cause === 'not explained' ? '' : spanText(interval)}</td><td>${evidence}${confirmed && markup` <small>✓ shown by an experiment</small>`}${interventions.map((result) => markup`<br><small>${interventionSentence(result)}</small>`)}</td></tr>`,
      )}</tbody></table>`,
    )}`;
}

/** Where the differences come from: the parts, what happened to one arm only, and how to find out more. */
export function why(context: ReportContext): Markup {
  const { summary } = context;
  if (summary.comparisons.length === 0) return markup``;
  const { diagnosis = [], oneSided = [], banners = [] } = summary;
  return markup`<section id="why" aria-labelledby="why-title">
    <h2 id="why-title">Why</h2>
    ${diagnosis.map((part) => one(part, context))}
    ${diagnosis.length === 0 && markup`<p class="note">This run’s differences were not split into connection, first byte, queueing, transfer, processing and lost packets. What it does show:</p>`}
    <ul class="causes">
      ${oneSided.map(({ sentence }) => markup`<li>${sentence}</li>`)}
      ${banners.map((sentence) => markup`<li>${sentence}.</li>`)}
      ${context.hasInside && markup`<li>Which requests changed, over all blocks: <a href="#inside">inside the pages</a>.</li>`}
      ${summary.differenceInDifferences.length > 0 && markup`<li>Whether the browser or the protocol changed: <a href="#versions">differences in differences</a>.</li>`}
      ${oneSided.length === 0 && markup`<li>No loss beyond what was set happened to one side alone.</li>`}
    </ul>
  </section>`;
}
