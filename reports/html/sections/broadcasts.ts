import type { LowestDelay } from '../../../src/core/model/frame-spread.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { needsScript } from '../needs-script.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';

/**
 * Where the page's script puts distributions and time lines of frames, with their counts and the lowest delay at which each arm
 * holds; nothing for a run without broadcasts whose pictures say their numbers.
 */
export function broadcasts({ summary, labels }: ReportContext): Markup {
  const { frames = [], lowestDelays = [] } = summary;
  if (frames.length === 0) return markup``;
  const rows = frames.map(
    (spread) =>
      markup`<tr>
        <th scope="row">${labels.workload(spread.workload, 'video')}</th>
        <td class="num">${formatNumber(spread.delayTargetMs)} ms</td>
        <td>${armTitle(spread.arm)}</td>
        <td>${labels.client(spread.client)}</td>
        <td>${labels.network(spread.network)}</td>
        <td class="num">${formatNumber(spread.shown)}</td>
        <td class="num">${formatNumber(spread.late)}</td>
        <td class="num">${formatNumber(spread.lost)}</td>
        <td class="num">${formatNumber(spread.stalledSeconds)} of ${formatNumber(spread.seconds)}</td>
      </tr>`,
  );
  return markup`<section id="broadcasts" aria-labelledby="broadcasts-title">
    <h2 id="broadcasts-title">Broadcasts</h2>
    <p class="note">
      Each picture says the number of its frame. Its latency is the time from its making to the screen. A second is
      stalled where the picture does not change for more than 200 ms.
    </p>
    ${lowestDelays.length > 0 && markup`<ul>${lowestDelays.map((one) => markup`<li>${delaySentence(one)}</li>`)}</ul>`}
    ${needsScript}
    <div class="filters js" id="frame-choice"></div>
    <div id="frame-plots" class="figures"></div>
    ${scrolling('Frames by arm', plainTable(['Broadcast', 'Delay', 'Arm', 'Browser', 'Network', 'Seen', 'Late', 'Never seen', 'Seconds stalled'], rows))}
  </section>`;
}

function delaySentence({ arm, triedMs, holds }: LowestDelay): string {
  const delays = triedMs.map(formatNumber).join(', ');
  return holds === null
    ? `${armTitle(arm)}: stalls in 1 % of seconds or more at every delay tried (${delays} ms).`
    : `${armTitle(arm)}: stalls in fewer than 1 % of seconds from a delay of ${formatNumber(holds.delayTargetMs)} ms on (tried: ${delays} ms). There ${formatNumber(holds.stalledSeconds)} of ${formatNumber(holds.seconds)} seconds stalled.`;
}
