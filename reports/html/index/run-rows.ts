import type { RunEntry } from '../../../src/model/run-index.ts';
import { formatCount, formatSpan, plural, unbroken } from '../../format/numbers.ts';
import { verdictOrder, verdictSigns } from '../../format/verdict-words.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';

const states: Readonly<Record<RunEntry['state'], string>> = {
  complete: '✓ complete',
  unfinished: '… unfinished',
  running: '▶ running',
  unreadable: '✕ unreadable',
};

function dateOf({ startedAt }: RunEntry): Insert {
  if (startedAt === null) return markup`<span class="none">no trial yet</span>`;
  return markup`<time datetime="${startedAt}">${startedAt.slice(0, 16).replace('T', ' ')}</time>`;
}

/** What a run says, or what to do about one that says nothing. */
function headlineOf({ headline, state, problem, folder }: RunEntry): Insert {
  const [first, ...rest] = headline.map(unbroken);
  if (first !== undefined) {
    return markup`${first}${rest.length > 0 && markup`<details><summary>${plural(rest.length, 'more sentence')}</summary>${rest.map((line) => markup`<p>${line}</p>`)}</details>`}`;
  }
  if (problem !== undefined) return `Cannot be read: ${problem}`;
  if (state === 'running') return 'Under way: nothing is published before the end.';
  return markup`Not published. Go on with <code>npx h2h3 run --resume ${folder}</code>, or see what there is with <code>npx h2h3 report ${folder}</code>.`;
}

function trialsOf({ trials }: RunEntry): Insert {
  if (trials === null) return markup`<span class="none">unknown</span>`;
  const { ok, invalid, failed, unsupported, notRun } = trials;
  const rest = (
    [
      [invalid, 'invalid'],
      [failed, 'failed'],
      [unsupported, 'unsupported'],
      [notRun, 'not run'],
    ] as const
  ).filter(([count]) => count > 0);
  return markup`${formatCount(ok)} valid${rest.length > 0 && markup`<small>${rest.map(([count, name]) => `${formatCount(count)} ${name}`).join(', ')}</small>`}`;
}

function verdictsOf({ primary }: RunEntry): Markup {
  const counts = verdictOrder
    .map((verdict) => ({ verdict, count: primary.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return markup`<span class="none">none</span>`;
  return markup`<ul class="tally">${counts.map(({ verdict, count }) => markup`<li class="v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${count} ${verdict}</li>`)}</ul>`;
}

/** More trials lost than this share, and a run is not called whole: the limit of `h2h3 run`’s exit code 4. */
const mostLostShare = 0.2;

function stateOf({ state, trials }: RunEntry): string {
  if (state !== 'complete' || trials === null) return states[state];
  const lost = trials.invalid + trials.failed;
  const ran = trials.ok + lost;
  return lost > ran * mostLostShare
    ? `! ended, ${formatCount(lost)} of ${formatCount(ran)} trials lost`
    : states.complete;
}

/** A row of the list of runs. */
export function runRow(run: RunEntry): Markup {
  const address = `${encodeURIComponent(run.folder)}/report.html`;
  const name = run.hasReport ? markup`<a href="${address}">${run.name}</a>` : run.name;
  return markup`<tr class="run">
    <th scope="row" data-sort="${run.name}">${name}<small>${run.folder}</small></th>
    <td class="num" data-sort="${run.startedAt ?? ''}">${dateOf(run)}${run.spanMs !== null && markup`<small>took ${formatSpan(run.spanMs)}</small>`}</td>
    <td data-sort="${run.state}"><span class="status">${stateOf(run)}</span></td>
    <td class="headline">${headlineOf(run)}</td>
    <td>${verdictsOf(run)}</td>
    <td class="num" data-sort="${run.trials?.ok ?? -1}">${trialsOf(run)}</td>
  </tr>
  `;
}
