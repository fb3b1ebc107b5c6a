import type { Viewed, Viewing } from '../../../src/core/model/video-summary.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import { viewingPlaces, type ViewingPlace } from '../../format/viewing-words.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';

const notMeasured = markup`<td class="none"><span class="sr">not measured</span><span aria-hidden="true">·</span></td>`;

/** A median with the middle half of the sessions below it. */
function spread(viewed: Viewed, unit: string, divisor = 1): Markup {
  if (viewed === null) return notMeasured;
  const [low, high] = viewed.quartiles.map((value) => formatNumber(value / divisor));
  const middle = markup`${formatNumber(viewed.median / divisor)}${unit !== '' && markup`\u00a0${unit}`}`;
  return low === high
    ? markup`<td class="num">${middle}</td>`
    : markup`<td class="num">${middle}<br><small>${low} to ${high}</small></td>`;
}

function stallCell({ stalls, sessions, playedSeconds }: Viewing): Markup {
  if (sessions === 0) return notMeasured;
  if (stalls.count === 0)
    return markup`<td class="num">none<br><small>in ${formatNumber(playedSeconds / 60)} min</small></td>`;
  const rate = stalls.perHour !== null && markup`${formatNumber(stalls.perHour, 2)} an hour, `;
  const share = stalls.timeShare !== null && markup` (${formatShare(stalls.timeShare)} of the time)`;
  return markup`<td class="num">${formatNumber(stalls.count)}<br><small>${rate}${formatNumber(stalls.totalMs / 1000)}\u00a0s in all${share}, in ${stalls.sessions} of ${plural(sessions, 'session')}</small></td>`;
}

function sessionsCell({ sessions, lost }: Viewing): Markup {
  return markup`<td class="num">${sessions}${lost > 0 && markup`<br><small>${lost} lost, <a href="#trials">why</a></small>`}</td>`;
}

function row(viewing: Viewing, places: readonly ViewingPlace[]): Markup {
  return markup`<tr>
      ${places.map(({ of }) => markup`<td>${of(viewing)}</td>`)}
      <th scope="row">${armTitle(viewing.arm)}</th>
      ${spread(viewing.bitrateKbps, 'Mbit/s', 1000)}
      ${stallCell(viewing)}
      ${spread(viewing.startupMs, 's', 1000)}
      ${spread(viewing.vmaf, '')}
      ${spread(viewing.switches, '')}
      ${sessionsCell(viewing)}
    </tr>`;
}

/** What players told the server of themselves (CMCD), against the session's own log and the server's; a sentence an arm. */
function cmcdSentences(rows: readonly Viewing[]): string[] {
  const byArm = Map.groupBy(
    rows.filter(({ cmcd }) => cmcd !== undefined),
    ({ arm }) => arm,
  );
  return [...byArm].map(([arm, own]) => {
    const total = (part: 'requests' | 'contradicted' | 'sessions'): number =>
      own.reduce((sum, { cmcd }) => sum + (cmcd?.[part] ?? 0), 0);
    const where = `${plural(total('requests'), 'request')} of ${plural(total('sessions'), 'recorded session')}`;
    const contradicted = total('contradicted');
    return contradicted === 0
      ? `${armTitle(arm)}: what the player told the server (CMCD) agrees with both logs in ${where}.`
      : `${armTitle(arm)}: what the player told the server (CMCD) disagrees with a log in ${formatNumber(contradicted)} of ${where}.`;
  });
}

/** What viewers got, arm by arm: bitrate, stalls, start-up and quality in one table; nothing for a run without video. */
export function viewing(context: ReportContext): Markup {
  const { viewing: rows = [], sessions } = context.summary;
  if (rows.length === 0) return markup``;
  const places = viewingPlaces(rows, context.labels);
  const columns = [
    ...places.map(({ title }) => title),
    'Arm',
    'Bitrate',
    'Stalls',
    'Start-up',
    'VMAF',
    'Track changes',
    'Sessions',
  ];
  const cmcd = cmcdSentences(rows);
  return markup`<section id="viewing" aria-labelledby="viewing-title">
    <h2 id="viewing-title">What viewers got</h2>
    <p class="note">Medians of the timed sessions, with the middle half of them below. Lost sessions are in no other column.${sessions.length > 0 && markup` <a href="#sessions">Sessions chunk by chunk</a>.`}</p>
    ${scrolling(
      'What viewers got by arm',
      plainTable(
        columns,
        rows.map((one) => row(one, places)),
      ),
    )}
    ${cmcd.map((sentence) => markup`<p class="note">${sentence}</p>`)}
  </section>`;
}
