import { blockName } from '../../../src/core/model/block-name.ts';
import { groupAlike } from '../../format/alike.ts';
import { armTitle } from '../../format/labels.ts';
import { formatCount, plural } from '../../format/numbers.ts';
import { rerunCommand, typed } from '../../format/rerun-command.ts';
import { isLeftByBudget } from '../../../src/core/model/record.ts';
import { reasonWords, statusWords } from '../../format/trial-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { scrolling } from '../scrolling.ts';
import { maxLines, truncated } from './long-lists.ts';

/** Kinds of reasons and commands named above and below the list of trials. */
const maxReasons = 12;
const maxCommands = 20;

const statusSigns = { ok: '✓', invalid: '✕', failed: '✕', unsupported: '–', 'not-run': '…' } as const;

function troubles({ summary, labels, clients, networks }: ReportContext): Markup {
  const listed = summary.troubles.filter((trial) => !isLeftByBudget(trial));
  if (listed.length === 0) return markup``;
  const isOnePlace = clients.length < 2 && networks.length < 2;
  const rows = listed.slice(0, maxLines).map(
    (trial) =>
      markup`<tr>
        <td><span class="status">${statusSigns[trial.status]} ${statusWords(trial)}</span></td>
        <th scope="row">${labels.workload(trial.workload, 'page')}</th>
        <td>${armTitle(trial.arm)}</td>
        <td>${blockName(trial.blockIndex, summary.run.repetitions)}</td>
        ${!isOnePlace && markup`<td>${labels.client(trial.client)}, ${labels.network(trial.network)}</td>`}
        <td class="reason">
          ${reasonWords(trial)}${trial.har !== undefined && markup` <small>HAR: ${trial.har}</small>`}
        </td>
      </tr>`,
  );
  return markup`${scrolling(
    'Trials that did not count',
    markup`<table class="plain">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Workload</th>
          <th scope="col">Arm</th>
          <th scope="col">Block</th>
          ${!isOnePlace && markup`<th scope="col">Where</th>`}
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  )}${truncated(listed.length)}`;
}

/** What went wrong how often, so that the list need not be counted. */
function reasons({ summary: { troubles: all } }: ReportContext): Markup {
  if (all.length < 2 && !all.some(isLeftByBudget)) return markup``;
  const byStatus = Map.groupBy(all, ({ status }) => status);
  const lines = [...byStatus].flatMap(([status, members]) =>
    groupAlike(members.map(reasonWords)).map((kind) => ({ status, ...kind })),
  );
  const rows = lines
    .sort((a, b) => b.count - a.count)
    .slice(0, maxReasons)
    .map(
      ({ status, text, count, isExample }) =>
        markup`<li><b class="num">${formatCount(count)}</b> ${statusWords({ status })}: ${isExample ? 'for example ' : ''}${text}</li>`,
    );
  const left = lines.length - rows.length;
  return markup`<ul class="reasons">
      ${rows}
    </ul>
    ${left > 0 && markup`<p class="note">${plural(left, 'more reason')} in the list below.</p>`}`;
}

/** One command for each condition that lost a trial. */
function rerunLost({ summary }: ReportContext): Markup {
  const lost = summary.troubles.filter((trial) => !isLeftByBudget(trial));
  if (lost.length === 0) return markup``;
  const conditions = Map.groupBy(lost, ({ workload, client, network, server }) =>
    JSON.stringify([workload, client, network, server]),
  );
  const commands = [...conditions.values()].flatMap(
    ([first]) => (first && rerunCommand(summary, first)) ?? [],
  );
  const known = [...new Set(commands)];
  if (known.length === 0) {
    return markup`<p class="note">To try again, run the whole command <a href="#rerun">below</a>.</p>`;
  }
  return markup`<details>
    <summary>Run what was lost again</summary>
    <p class="note">One block of both arms of each condition, with the seed of this run.</p>
    <ul class="commands">
      ${known.slice(0, maxCommands).map((command) => markup`<li><code>${typed(command)}</code></li>`)}
    </ul>
    ${known.length > maxCommands && markup`<p class="note">${formatCount(known.length - maxCommands)} more conditions lost a trial. <a href="#rerun">The whole command</a> runs all of them again.</p>`}
  </details>`;
}

/** How many trials counted, and every one that did not with its reason; nothing where all did. */
export function trials(context: ReportContext): Markup {
  const { trials: counts, troubles: list } = context.summary;
  if (list.length === 0) return markup``;
  return markup`<section id="trials" aria-labelledby="trials-title">
    <h2 id="trials-title">Trials</h2>
    <ul class="counts">
      <li><b>${counts.ok}</b> valid</li>
      <li><b>${counts.invalid}</b> invalid <small>ran, but broke a rule of validity</small></li>
      <li><b>${counts.failed}</b> failed <small>did not finish</small></li>
      <li><b>${counts.unsupported}</b> unsupported <small>this machine or browser cannot</small></li>
      <li><b>${counts.notRun}</b> not run</li>
    </ul>
    ${reasons(context)}${troubles(context)}${rerunLost(context)}
  </section>`;
}
