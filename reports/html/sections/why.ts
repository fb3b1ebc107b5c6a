import type { Diagnosis } from '../../../src/core/model/diagnosis.ts';
import { diagnosisTitle } from '../../format/diagnosis-words.ts';
import { evidenceChain } from '../../format/evidence-chain.ts';
import { formatSigned, plural } from '../../format/numbers.ts';
import { hasRecordings } from '../diagnosis-data.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { flightsRun } from './answer-list.ts';
import { cpuTables, lateChunksTable, limitsTable, partsTable, stageWaterfall } from './diagnosis-tables.ts';

/** Further differences fold: a run of a hundred pages explains a hundred. */
const maxOpen = 4;

function chain(diagnosis: Diagnosis): Markup {
  const links = evidenceChain(diagnosis).map(
    ({ what, measured, isConfirmed = false }) =>
      markup`<li><strong>${what}</strong>${measured}.${isConfirmed && markup` <small>✓ confirmed</small>`}</li>`,
  );
  return markup`<ol class="causes">${links}</ol>`;
}

function article(diagnosis: Diagnosis, place: number, context: ReportContext): Markup {
  const name = diagnosisTitle(diagnosis, context.summary, context.labels);
  const id = context.diagnosisAnchors[place] ?? '';
  return markup`<article class="diagnosis" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">${name}: ${formatSigned(diagnosis.timed.differenceMs)} ms</h3>
    <p class="note">In recorded blocks it was ${formatSigned(diagnosis.differenceMs)} ms. The parts add up to that.</p>
    ${chain(diagnosis)}
    ${partsTable(diagnosis, name)}
    ${stageWaterfall(diagnosis, name)}
    ${limitsTable(diagnosis, name)}
    ${cpuTables(diagnosis, name)}
    ${lateChunksTable(diagnosis, name)}
    ${
      hasRecordings(diagnosis) &&
      markup`<div class="figures diagnosis-plots" data-diagnosis="${place}"></div>
    <noscript><p class="empty">Time lines and flame graphs need JavaScript. Their figures are in summary.json.</p></noscript>`
    }
  </article>`;
}

/** The differences that were explained: the first open, the others folded. */
function articles(context: ReportContext): Markup {
  const all = (context.summary.diagnosis ?? []).map((diagnosis, place) => article(diagnosis, place, context));
  const folded = all.slice(maxOpen);
  return markup`${all.slice(0, maxOpen)}
    ${folded.length > 0 && markup`<details class="more-diagnoses"><summary>${plural(folded.length, 'further difference')}</summary>${folded}</details>`}`;
}

/** Where the differences come from: the parts, what happened to one arm only, and how to find out more. */
export function why(context: ReportContext): Markup {
  const { summary } = context;
  if (summary.comparisons.length === 0) return markup``;
  const { diagnosis = [], oneSided = [], banners = [], pathCounters = [] } = summary;
  const { unlikeFirstFlights = [], firstFlightShares = [] } = summary;
  const isCounted = pathCounters.some(({ counters }) => Object.keys(counters).length > 0);
  return markup`<section id="why" aria-labelledby="why-title">
    <h2 id="why-title">Why</h2>
    ${articles(context)}
    ${diagnosis.length === 0 && markup`<p class="note">No breakdown yet. <code>npx h2h3 diagnose DIR --measure</code> makes one, with the folder of this run as DIR.</p>`}
    <ul class="causes">
      ${oneSided.map(({ sentence }) => markup`<li>${sentence}</li>`)}
      ${unlikeFirstFlights.map((flights) => markup`<li>${flights.sentence}.${flightsRun(flights)}</li>`)}
      ${[...firstFlightShares, ...banners].map((sentence) => markup`<li>${sentence}.</li>`)}
      ${context.hasInside && markup`<li>Which requests changed, over all blocks: <a href="#inside">inside the pages</a>.</li>`}
      ${summary.differenceInDifferences.length > 0 && markup`<li>Whether the browser or the protocol changed: <a href="#versions">differences in differences</a>.</li>`}
      ${oneSided.length === 0 && isCounted && markup`<li>Neither side lost many more packets than the other.</li>`}
    </ul>
  </section>`;
}
