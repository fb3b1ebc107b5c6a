import { shellWord } from '../../../src/core/model/command-words.ts';
import type { IndexedComparison, RunEntry } from '../../../src/core/model/run-index.ts';
import { formatCount, formatSpan, plural, unbroken } from '../../format/numbers.ts';
import { verdictOrder, verdictSigns, verdictTitles } from '../../format/verdict-words.ts';
import { Markup, markup } from '../markup.ts';
import type { Insert } from '../markup.ts';
import { armTitle, kindTitles } from '../../format/labels.ts';
import { dumbbellRow } from '../../format/dumbbell-rows.ts';
import { metricWords } from '../../format/metric-words.ts';
import { byArm } from '../../../src/core/model/factor.ts';
import { namesFrom } from '../../../src/core/model/names.ts';
import { dumbbellSvg } from '../../svg/dumbbell.ts';

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

/** How a row is shown. */
export interface RowOptions {
  /** Whether a server shows the list, and each run below its folder's name. */
  readonly served: boolean;
  /** How far a run under way is. */
  readonly progress?: string | undefined;
}

/** What a run says, or what to do about one that says nothing. */
function headlineOf(
  { headline, state, problem, folder }: RunEntry,
  { served, progress }: RowOptions,
): Insert {
  const [first, ...rest] = headline.map(unbroken);
  if (first !== undefined) {
    return markup`${first}${rest.length > 0 && markup`<details><summary>${plural(rest.length, 'more sentence')}</summary>${rest.map((line) => markup`<p>${line}</p>`)}</details>`}`;
  }
  if (problem !== undefined) return `Cannot be read: ${problem}`;
  if (state === 'running') {
    const way = served
      ? markup`<a href="${encodeURIComponent(folder)}/">Follow it</a>`
      : markup`Follow it with <code>npx h2h3 report --serve</code>.`;
    return markup`Under way. ${progress} ${way}`;
  }
  return markup`Not published. Continue with <code>npx h2h3 run --resume ${folder}</code>, or see what there is with <code>npx h2h3 report ${folder}</code>.`;
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
    .map((verdict) => ({
      verdict,
      count: primary.filter((comparison) => comparison.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return markup`<span class="none">none</span>`;
  return markup`<ul class="tally">${counts.map(({ verdict, count }) => markup`<li class="v-${verdict}"><span class="sign" aria-hidden="true">${verdictSigns[verdict]}</span> ${count} ${verdictTitles[verdict]}</li>`)}</ul>`;
}

/** More trials lost than this share, and a run is not called whole: the limit of `h2h3 run`’s exit code 4. */
const maxLostShare = 0.2;

function stateOf({ state, trials, decidedAfterBlocks: decided }: RunEntry): string {
  if (state !== 'complete' || trials === null) return states[state];
  const lost = trials.invalid + trials.failed;
  const ran = trials.ok + lost;
  if (trials.notRun > 0 && lost <= ran * maxLostShare)
    return decided === undefined
      ? `■ ended early, ${formatCount(trials.notRun)} not run`
      : `${states.complete}, decided after ${plural(decided, 'block')}`;
  return lost > ran * maxLostShare
    ? `! ended, ${formatCount(lost)} of ${formatCount(ran)} trials lost`
    : states.complete;
}

/** Rows of the small picture. */
const maxPictured = 2;

/** The first primary comparisons in small, the most telling first. */
function pictureOf({ primary, names: table }: RunEntry): Markup {
  const names = namesFrom(table);
  const shown = primary
    .filter(({ ratio }) => ratio !== null)
    .toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict))
    .slice(0, maxPictured);
  const [first] = shown;
  if (first === undefined) return markup``;
  // The tags name what was loaded; a small picture has room for it only where it tells rows apart.
  const nameIn = ({ metric, workload, workloadKind }: IndexedComparison): string =>
    new Set(shown.map((other) => other.metric)).size === shown.length
      ? metricWords(metric).title
      : names.workload(workload, workloadKind);
  const rows = shown.map((comparison) =>
    dumbbellRow(
      {
        ...comparison,
        blocks: 0,
        difference: null,
        differenceInterval: null,
        pValue: null,
        adjustedPValue: null,
      },
      {
        name: nameIn(comparison),
        medians: '',
        median: null,
        leads: true,
      },
    ),
  );
  const [baseline, candidate] = first.arms.map(armTitle);
  const dumbbell = { rows, metric: '', baseline: baseline ?? '', candidate: candidate ?? '' };
  return markup`<div class="small-picture">${new Markup(dumbbellSvg(dumbbell))}</div>`;
}

/** Tags of one run; more say less. */
const maxTags = 8;

/** What was loaded, over what network and with what client, each a word that the search knows. */
function tagsOf({ primary, names: table }: RunEntry): Markup {
  const names = namesFrom(table);
  const tags = new Set([
    ...primary.map(({ workloadKind }) => kindTitles[workloadKind]),
    ...primary.map(({ network }) => names.shortNetwork(network)),
    ...primary.flatMap(({ client }) => (client === byArm ? [] : names.client(client))),
    ...primary.flatMap(({ arms }) => arms.map(armTitle)),
  ]);
  if (tags.size === 0) return markup``;
  const shown = [...tags].slice(0, maxTags);
  return markup`<ul class="tags">${shown.map((tag) => markup`<li><button type="button" class="tag find">${tag}</button></li>`)}</ul>`;
}

/** A row of the list of runs. */
export function runRow(run: RunEntry, options: RowOptions): Markup {
  const address = `${encodeURIComponent(run.folder)}/report.html`;
  const name = run.hasReport ? markup`<a href="${address}">${run.name}</a>` : run.name;
  return markup`<tr class="run">
    <th scope="row" data-sort="${run.name}">${name}<small>${run.folder}</small>${run.trials !== null && markup`<label class="js check"><input type="checkbox" class="pick" value="${shellWord(run.folder)}" data-folder="${run.folder}" data-started="${run.startedAt ?? ''}"> compare</label>`}</th>
    <td class="num" data-sort="${run.startedAt ?? ''}">${dateOf(run)}${run.spanMs !== null && markup`<small>took ${formatSpan(run.spanMs)}</small>`}</td>
    <td data-sort="${run.state}"><span class="status">${stateOf(run)}</span></td>
    <td class="headline">${headlineOf(run, options)}${pictureOf(run)}${tagsOf(run)}</td>
    <td>${verdictsOf(run)}</td>
    <td class="num" data-sort="${run.trials?.ok ?? -1}">${trialsOf(run)}</td>
  </tr>
  `;
}
