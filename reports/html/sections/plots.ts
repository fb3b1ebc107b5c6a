import { plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { PageLoadGroup } from '../page-data.ts';
import type { ReportContext } from '../report-context.ts';

const needsScript = markup`<noscript
  ><p class="empty">Plots need JavaScript; every number of theirs is in the tables.</p></noscript
>`;

/** Where the page's script puts the forest plot, the distributions and the ratio curves. */
export function plots(context: ReportContext): Markup {
  if (context.summary.comparisons.length === 0) return markup``;
  return markup`<section id="effects" aria-labelledby="effects-title">
      <h2 id="effects-title">Effects side by side</h2>
      ${needsScript}
      <div class="filters js" id="effect-choice"></div>
      <div id="effect-plots" class="figures"></div>
    </section>
    <section id="distributions" aria-labelledby="distributions-title">
      <h2 id="distributions-title">Distributions</h2>
      <p class="note">
        Each box holds the middle half of an arm’s blocks, its line the median, its whiskers all values. Each
        pair of points is one block, joined because both were measured in the same block.
      </p>
      ${needsScript}
      <div class="filters js" id="distribution-choice"></div>
      <div id="distribution-plots" class="figures grid"></div>
    </section>`;
}

/** Where the page's script puts the timelines of the video sessions. */
export function sessionPlots(context: ReportContext): Markup {
  const { sessions, workloads } = context.summary;
  if (sessions.length === 0) {
    return workloads.some(({ kind }) => kind === 'video')
      ? markup`<section id="sessions">
          <h2>Video sessions</h2>
          <p class="empty">No video session left a timeline: none was valid, or none has run.</p>
        </section>`
      : markup``;
  }
  return markup`<section id="sessions" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Video sessions</h2>
    <p class="note">
      ${plural(sessions.length, 'session')}. Both arms of a block on one time axis, from the player’s load
      call on; the block closest to the overall result comes first.
    </p>
    ${needsScript}
    <div class="filters js" id="session-choice"></div>
    <div id="session-plots" class="figures"></div>
  </section>`;
}

/** Where the page's script puts waterfalls and filmstrips; nothing for a report without page loads. */
export function pageLoadPlots(groups: readonly PageLoadGroup[], leftOut: number): Markup {
  if (groups.length === 0) return markup``;
  return markup`<section id="inside" aria-labelledby="inside-title">
    <h2 id="inside-title">Inside a page load</h2>
    <p class="note">Both arms of the block closest to the overall result, on one time axis. The tables hold every request in full.</p>
    <ul class="wf-key" aria-hidden="true">
    <li><span class="wf-track"><i class="blocked"></i></span>queued</li>
    <li><span class="wf-track"><i class="connect"></i></span>name and connection</li>
    <li><span class="wf-track"><i class="wait"></i></span>sent, waiting</li>
    <li><span class="wf-track"><i class="receive"></i></span>receiving</li>
    <li><span class="wf-track load"></span>load event</li>
    </ul>
    ${needsScript}
    <div class="filters js" id="inside-choice"></div>
    <div id="inside-plots" class="figures pair"></div>
    ${leftOut > 0 && markup`<p class="note">${plural(leftOut, 'page')} left out to keep this file small; their HARs lie in the run directory.</p>`}
  </section>`;
}
