import { blockName } from '../../../src/core/model/block-name.ts';
import type { JourneyFailure } from '../../../src/core/model/journey-failure.ts';
import { armTitle } from '../../format/labels.ts';
import { plural } from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';

/** A way in which journeys failed, and what the page of one of them showed. */
export interface ShownFailure extends JourneyFailure {
  readonly trialId: string;
  readonly workload: string;
  readonly arm: string;
  readonly client: string;
  readonly network: string;
  readonly blockIndex: number;
  /** How many trials failed like this. */
  readonly trialCount: number;
  /** A JPEG as an address of data; null where there is none. */
  readonly screenshot: string | null;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `Step “pay”, 1.2 s after it began, 8.4 s in all`. */
function stoodAt({ step, stepMs, journeyMs }: ShownFailure): string {
  return step === null || stepMs === null
    ? `Outside of steps, ${seconds(journeyMs)} after the start`
    : `Step “${step}”, ${seconds(stepMs)} after it began, ${seconds(journeyMs)} in all`;
}

function consoleOf({ console: lines, consoleLeftOut }: ShownFailure): Markup {
  if (lines.length === 0) return markup`<p class="note">The page wrote nothing to its console.</p>`;
  const items = lines.map(({ level, text }) => markup`<li><b>${level}</b> <code>${text}</code></li>`);
  return markup`<details open>
    <summary>Console, ${plural(lines.length, 'line')}${consoleLeftOut > 0 && ` and ${consoleLeftOut} before`}</summary>
    <ul class="console">${items}</ul>
  </details>`;
}

/** Why journeys failed: the page as it was then, its console, step and time; nothing where none did. */
export function journeyFailures(
  { labels, summary }: ReportContext,
  failures: readonly ShownFailure[],
): Markup {
  if (failures.length === 0) return markup``;
  const items = failures.map((shown) => {
    const { message, arm, workload, client, network, blockIndex, trialCount, screenshot, trialId } = shown;
    const where = `${labels.workload(workload, 'journey')}: ${armTitle(arm)}, ${labels.client(client)}, ${labels.shortNetwork(network)}, ${blockName(blockIndex, summary.run.repetitions)}`;
    return markup`<article class="journey-failure">
      <h3>${message}</h3>
      <p>${stoodAt(shown)}. ${trialCount === 1 ? 'One trial' : `${trialCount} trials`} failed like this.</p>
      <figure>
        ${screenshot === null ? markup`<p class="note">No picture of the page: ${shown.noScreenshot ?? 'its file is gone'}.</p>` : markup`<img src="${screenshot}" alt="The page when the journey failed">`}
        <figcaption>${where}${shown.url !== null && markup`, at <code>${shown.url}</code>`}. Files: <code>trials/${trialId}/failure.*</code></figcaption>
      </figure>
      ${consoleOf(shown)}
    </article>`;
  });
  return markup`<section id="journey-failures" aria-labelledby="journey-failures-title">
    <h2 id="journey-failures-title">Why the journey failed</h2>
    ${items}
  </section>`;
}
