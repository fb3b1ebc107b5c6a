import { metricWords } from '../../format/metric-words.ts';
import { commonLevelPercent } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { flightsRun } from './answer-list.ts';

/** What an interval promises, at the level that this run's intervals have. */
function promise({ comparisons }: ReportContext['summary']): string {
  const percent = commonLevelPercent(comparisons);
  return percent === undefined
    ? 'the interval holds the true effect in as many of 100 such runs as its level says.'
    : `the interval holds the true effect in ${percent} of 100 such runs.`;
}

/** What the numbers show and what not, and what each metric means. */
export function limits({ summary }: ReportContext): Markup {
  const { networks = [], remotes = [] } = summary.environment ?? {};
  const unshaped = remotes.length === 0 && !networks.some(({ impaired }) => impaired);
  const isWarm =
    (summary.secondVisits ?? []).length > 0 ||
    summary.comparisons.some(({ baseline, candidate }) =>
      [baseline, candidate].some(({ factors }) => factors?.resume !== undefined),
    );
  const metrics = [...new Set(summary.comparisons.map(({ metric }) => metric))]
    .map((name) => ({ name, ...metricWords(name) }))
    .filter(({ meaning }) => meaning !== '');
  return markup`<section id="limits" aria-labelledby="limits-title">
    <h2 id="limits-title">What this run shows, and what not</h2>
    <div class="columns">
      <div class="box">
        <h3>It shows</h3>
        <ul>
          <li>How the two arms differ on this machine, with these browsers, this server and this path.</li>
          <li>How sure that is: ${promise(summary)}</li>
          <li>
            That an effect is too small to matter, where the verdict is “no difference”: two one-sided tests, which a
            narrower interval than the one shown decides.
          </li>
        </ul>
      </div>
      <div class="box">
        <h3>It does not show</h3>
        <ul>
          <li>
            What other networks, servers, phones or congestion controls would
            show${unshaped ? ' (this path had no loss, delay or rate limit set)' : ''}.
          </li>
          ${(summary.unlikePriorities ?? []).map(
            (sentence) =>
              markup`<li>
                What the protocols alone would show. ${sentence}. The server go obeys priorities over both, or over
                neither (<code>priorities=off</code>).
              </li>`,
          )}
          ${(summary.unlikeFirstFlights ?? []).map(
            (flights) =>
              markup`<li>
                What the protocols alone would show. ${flights.sentence}.${flightsRun(flights)}
              </li>`,
          )}
          <li>That there is no difference, where the verdict is “not decided”.</li>
          ${
            !isWarm &&
            markup`<li>
              Warm caches, resumed connections or long sessions: every trial starts from a fresh profile.
            </li>`
          }
        </ul>
      </div>
    </div>
    ${
      metrics.length > 0 &&
      markup`<details>
        <summary>What each metric means</summary>
        <dl class="pairs">
          ${metrics.map(
            ({ name, title, meaning }) =>
              markup`<div>
                <dt>${title} <small>${name}</small></dt>
                <dd>${meaning}</dd>
              </div>`,
          )}
        </dl>
      </details>`
    }
  </section>`;
}
