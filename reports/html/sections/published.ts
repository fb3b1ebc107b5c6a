import type { PublishedResult } from '../../../src/core/model/published.ts';
import { agreementWords } from '../../format/agreement-words.ts';
import { metricWords } from '../../format/metric-words.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

function comparison({ place, text, reason, acrossCampaigns }: PublishedResult['ours'][number]): Markup {
  const all =
    acrossCampaigns === undefined
      ? ''
      : `. Over ${acrossCampaigns.campaigns} campaigns: ${acrossCampaigns.text}`;
  return markup`<li>${text} <small>${place}${reason !== undefined && `, not decided: ${reason}`}${all}</small></li>`;
}

/** What a run found of a published figure, each comparison with its place. */
export function measuredHere(ours: PublishedResult['ours']): Insert {
  if (ours.length === 0) return 'not measured in this run';
  return markup`<ul>${ours.map(comparison)}</ul>`;
}

function row(result: PublishedResult): Markup {
  const { experiment, metric, figure, source, ours, agreement, sizeWords } = result;
  return markup`<tr>
    <th scope="row">${experiment}<small>${metricWords(metric).title}, ${source}</small></th>
    <td>${figure}</td>
    <td>${measuredHere(ours)}<small>${agreementWords[agreement]}, ${sizeWords}</small></td>
  </tr>`;
}

function study(name: string, results: readonly PublishedResult[]): Markup {
  const machines = [...new Set(results.map(({ machine }) => machine))];
  return markup`<h3>${name}</h3>
    <div class="scroll" tabindex="0" role="region" aria-label="What others saw, and this run: ${name}">
    <table class="plain"><thead><tr><th scope="col">Experiment</th><th scope="col">What others saw</th><th scope="col">This run</th></tr></thead><tbody>${results.map(row)}</tbody></table>
    </div>
    <dl class="pairs">
      <div><dt>Their machines</dt><dd>${machines.join(' · ')}</dd></div>
      <div><dt>This machine</dt><dd>${results[0]?.ourMachine}</dd></div>
    </dl>`;
}

/** What a study published or somebody reported in public, next to what this run found; nothing for plans that name neither. */
export function published({ summary }: ReportContext): Markup {
  const all = summary.published ?? [];
  if (all.length === 0) return markup``;
  const studies = [...Map.groupBy(all, (result) => result.study)];
  return markup`<section id="published" aria-labelledby="published-title">
    <h2 id="published-title">What others saw, and what was measured here</h2>
    <p class="note">Other machines, browsers and servers may differ. Each table names them below.</p>
    ${studies.map(([name, results]) => study(name, results))}
  </section>`;
}
