import { armTitle } from '../../format/labels.ts';
import { formatNumber, plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { needsScript } from '../needs-script.ts';
import type { PageLoadGroup } from '../page-data.ts';
import { plainTable, scrolling } from '../scrolling.ts';
import { sweeps } from '../sweeps.ts';
import type { ReportContext } from '../report-context.ts';
import { corpusPoints } from '../corpus-points.ts';
import { realPages } from './real-pages.ts';

/** Where the page's script puts the forest plot, the distributions and the ratio curves. */
export function plots(context: ReportContext): Markup {
  if (context.summary.comparisons.length === 0) return patternPlots(context);
  return markup`<section id="effects" aria-labelledby="effects-title">
      <h2 id="effects-title">Effects side by side</h2>
      ${needsScript}
      <div class="filters js" id="effect-choice"></div>
      <div id="effect-plots" class="figures"></div>
    </section>
    ${patternPlots(context)}
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

/** Where the page's script puts heat maps of a grid and curves over bandwidth or CPU share; nothing for a run without them. */
function patternPlots(context: ReportContext): Markup {
  const { grid } = context.summary;
  const axes = [...new Set(sweeps(context).map(({ axis }) => axis.title))];
  const gridPart =
    (grid ?? []).length > 0 &&
    markup`<div class="filters js" id="grid-choice"></div><div id="grid-plots" class="figures"></div>`;
  const sweepPart =
    axes.length > 0 &&
    markup`<h3>Against ${axes.join(' and ')}</h3>
      <div class="filters js" id="sweep-choice"></div><div id="sweep-plots" class="figures"></div>`;
  if (gridPart === false && sweepPart === false) return markup``;
  return markup`<section id="patterns" aria-labelledby="patterns-title">
    <h2 id="patterns-title">Across networks and sizes</h2>
    ${needsScript} ${gridPart} ${sweepPart}
  </section>`;
}

/** Where the page's script puts bitrates of chunks and time at each step, over all sessions. */
function quality({ summary }: ReportContext): Markup {
  if ((summary.ladderSteps ?? []).length + (summary.chunkBitrates ?? []).length === 0) return markup``;
  return markup`<h3>All sessions</h3>
    <p class="note">Only blocks in which both protocols finished.</p>
    <div id="quality-choice" hidden></div>
    <div id="quality-plots" class="figures"></div>`;
}

/** Where the page's script puts the pages by objects and size; nothing where too few are known. */
export function corpusPlot(context: ReportContext): Markup {
  const compared = realPages(context.summary);
  const isDrawn = corpusPoints(context).length > 1;
  if (!isDrawn && compared.text === '') return markup``;
  return markup`<section id="corpus" aria-labelledby="corpus-title">
    <h2 id="corpus-title">What was loaded</h2>
    ${needsScript}
    ${isDrawn && markup`<div id="corpus-choice" hidden></div><div id="corpus-plots" class="figures"></div>`}
    ${compared}
  </section>`;
}

/** Where the page's script puts the timelines of the video sessions; nothing where none left one. */
export function sessionPlots(context: ReportContext): Markup {
  const { sessions } = context.summary;
  if (sessions.length === 0) return markup``;
  return markup`<section id="sessions" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Video sessions</h2>
    <p class="note">
      ${plural(sessions.length, 'session')}. Both arms of a block share one time axis, from the player’s load
      call on. The block closest to the overall result comes first, then the best and the worst. In the run’s
      folder chunks.csv has each chunk of each session.
    </p>
    ${needsScript}
    <h3>Each session’s quality and stalls</h3>
    <div class="filters js" id="viewing-choice"></div>
    <div id="viewing-plots" class="figures grid"></div>
    ${quality(context)}
    <h3>One block from load call to end</h3>
    <div class="filters js" id="session-choice"></div>
    <div id="session-plots" class="figures"></div>
  </section>`;
}

/** Where the page's script puts distributions and time lines of messages, with their counts; nothing for a run without any. */
export function messagePlots({ summary, labels }: ReportContext): Markup {
  const { messages = [] } = summary;
  if (messages.length === 0) return markup``;
  const rows = messages.map(
    (spread) =>
      markup`<tr>
        <th scope="row">${labels.workload(spread.workload, 'messages')}</th>
        <td>${armTitle(spread.arm)}</td>
        <td>${labels.client(spread.client)}</td>
        <td>${labels.network(spread.network)}</td>
        <td class="num">${formatNumber(spread.sent)}</td>
        <td class="num">${formatNumber(spread.lost)}</td>
        <td class="num">${formatNumber(spread.behind)}</td>
      </tr>`,
  );
  return markup`<section id="messages" aria-labelledby="messages-title">
    <h2 id="messages-title">Messages</h2>
    <p class="note">
      The page sends each message at a fixed time, and the server sends it back. “Behind another” counts messages that
      came late, together with an earlier one. They waited for a lost packet, or the machine paused.
    </p>
    ${needsScript}
    <div class="filters js" id="message-choice"></div>
    <div id="message-plots" class="figures"></div>
    ${scrolling('Messages by arm', plainTable(['Workload', 'Arm', 'Browser', 'Network', 'Sent', 'Lost', 'Behind another'], rows))}
  </section>`;
}

/** Where the page's script puts waterfalls and filmstrips; nothing for a report without page loads. */
export function pageLoadPlots(groups: readonly PageLoadGroup[], leftOut: number): Markup {
  if (groups.length === 0) return markup``;
  return markup`<section id="inside" aria-labelledby="inside-title">
    <h2 id="inside-title">What changed</h2>
    <p class="note">Pages come worst first. On top is what changed over all blocks. Below it is the block closest to the overall result, both arms on one time axis. The upper and the lower bar of a request belong together.</p>
    <ul class="wf-key" aria-hidden="true">
    <li><span class="wf-track"><i class="blocked"></i></span>queued</li>
    <li><span class="wf-track"><i class="connect"></i></span>name and connection</li>
    <li><span class="wf-track"><i class="wait"></i></span>sent, waiting</li>
    <li><span class="wf-track"><i class="receive"></i></span>receiving</li>
    <li><span class="wf-track"><i class="wf-mark mark-load"></i></span>load</li>
    <li><span class="wf-track"><i class="wf-mark mark-lcp"></i></span>largest paint</li>
    <li><span class="wf-track"><i class="wf-mark mark-fcp"></i></span>first paint</li>
    </ul>
    ${needsScript}
    <div class="filters js" id="inside-choice"></div>
    <div id="inside-plots" class="figures"></div>
    ${leftOut > 0 && markup`<p class="note">${plural(leftOut, 'page')} left out to keep this file small. Their HARs are in the run directory.</p>`}
  </section>`;
}
