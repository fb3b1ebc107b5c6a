import { protocolNames } from '../../../src/core/factors/participants.ts';
import type { MeasuredProperty, Sender, Senders } from '../../../src/core/model/senders.ts';
import { serverName } from '../../../src/core/model/server-names.ts';
import { formatMeasured, plural } from '../../format/numbers.ts';
import {
  senderRange,
  senderTraffic,
  senderVerdictSigns,
  senderVerdictWords,
} from '../../format/sender-words.ts';
import { linkCourseSvg } from '../../svg/link-course.ts';
import { Markup, markup } from '../markup.ts';
import { loadAssets, pageText, topBar } from '../page-shell.ts';

const styleFiles = [
  'base.css',
  'top.css',
  'first-screen.css',
  'answer.css',
  'tables.css',
  'plots.css',
  'print.css',
] as const;

type Column = Senders['properties'][number];

const disturbanceTitles: Readonly<Record<string, string>> = {
  burst: 'A burst of loss',
  outage: 'No link for a time',
  'one-lost': 'One lost packet',
};

/** Classes of verdicts that the scorecards of reports have. */
const cellClasses: Readonly<Record<MeasuredProperty['verdict'], string>> = {
  'as-rfc': 'v-equivalent',
  'as-own-tcp': 'v-equivalent',
  differs: 'v-worse',
  'not-decided': 'v-inconclusive',
  reference: 'v-inconclusive',
};

const figureId = (server: string, disturbance: string): string => `course-${server}-${disturbance}`;

/** The figure of the trials in which a property is read; undefined where they have none. */
function figureOf({ server, courses }: Sender, { readIn = [] }: Column): string | undefined {
  const disturbance = readIn.find(
    (each) => each in disturbanceTitles && courses.some((course) => course.disturbance === each),
  );
  return disturbance === undefined ? undefined : figureId(server, disturbance);
}

function cell(sender: Sender, column: Column): Markup {
  const measured = sender.properties.find(({ property }) => property === column.id);
  if (measured === undefined) return markup`<td class="none">–</td>`;
  const { unit } = column;
  const { verdict, median, count, sentence } = measured;
  const range = senderRange(measured, unit);
  const words = `${sentence}. ${plural(count, 'repeat')}${range === '' ? '' : ` (${range})`}.`;
  const figure = figureOf(sender, column);
  const value = markup`${senderVerdictSigns[verdict]} ${formatMeasured(median, unit)}`;
  const shown = figure === undefined ? value : markup`<a href="#${figure}">${value}</a>`;
  return markup`<td><span class="score ${cellClasses[verdict]}" title="${words}"><span class="num">${shown}</span><span class="word">${senderVerdictWords[verdict]}</span></span></td>`;
}

function row(sender: Sender, columns: readonly Column[]): Markup {
  const { server, protocol, version, congestionControl } = sender;
  const told = [version, congestionControl].filter((each) => each !== null).join(', ');
  return markup`<tr><th scope="row">${serverName(server)}, ${protocolNames[protocol]}<small>${told}</small></th>${columns.map((column) => cell(sender, column))}</tr>`;
}

function table({ senders, properties }: Senders): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Senders by property">
    <table class="scorecard"><thead><tr><th scope="col">Sender</th>${properties.map(({ title }) => markup`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${senders.map((sender) => row(sender, properties))}</tbody></table></div>`;
}

/** Both protocols of a server over time, on one axis, around what happened to the path. */
function figures({ senders }: Senders): Markup[] {
  const byServer = Map.groupBy(senders, ({ server }) => server);
  return [...byServer].flatMap(([server, those]) =>
    Object.entries(disturbanceTitles).flatMap(([disturbance, title]) => {
      const arms = those.flatMap(({ protocol, courses }) =>
        courses
          .filter((course) => course.disturbance === disturbance)
          .map((course) => ({ ...course, arm: protocolNames[protocol] })),
      );
      if (arms.length === 0) return [];
      return markup`<figure class="link-course-figure" id="${figureId(server, disturbance)}"><figcaption>${serverName(server)}. ${title}: Mbit/s over time</figcaption>${new Markup(linkCourseSvg({ arms }, (arm) => arm))}</figure>`;
    }),
  );
}

function meanings({ properties }: Senders): Markup {
  return markup`<dl>${properties.map(({ title, meaning, source }) => markup`<dt>${title}</dt><dd>${meaning} Held to: ${source}.</dd>`)}</dl>`;
}

/** Fingerprints of senders as one page: what stands out, a row a sender, and their rates over time. */
export async function renderSendersPage(senders: Senders): Promise<string> {
  const { headline, findings, path, client, repeats, machine, measuredAt, h2h3, notMeasured = [] } = senders;
  const assets = await loadAssets(styleFiles, 'list-page.ts', { charts: false });
  const body = markup`${topBar('senders', [
    ['#table', 'Properties'],
    ['#courses', 'Over time'],
    ['#meanings', 'What is measured'],
  ])}
    <main id="main"><section class="hero" aria-labelledby="headline">
    <h1 id="headline">${headline}</h1>
    ${findings.length > 0 && markup`<ul>${findings.map((finding) => markup`<li>${finding}.</li>`)}</ul>`}
    <p class="facts">${path} · ${client} · ${plural(repeats, 'repeat')} · ${machine} · ${measuredAt.slice(0, 10)} · h2h3 ${h2h3.version}${h2h3.gitRevision !== null && ` (${h2h3.gitRevision})`}</p></section>
    <section aria-labelledby="table"><h2 id="table">Properties</h2>
    <p class="note">A verdict says that a sender differs, and not that it is at fault: a fast one may cost others. A value leads to its picture.</p>
    ${senders.traffic !== undefined && markup`<p class="note">${senderTraffic(senders)}</p>`}
    ${notMeasured.length > 0 && markup`<p class="note">Not measured: ${notMeasured.map((reason) => `${reason}.`).join(' ')}</p>`}
    ${table(senders)}</section>
    <section aria-labelledby="courses"><h2 id="courses">Over time</h2>${figures(senders)}</section>
    <section aria-labelledby="meanings"><h2 id="meanings">What is measured</h2>${meanings(senders)}</section></main>
    <footer><p>Made by h2h3 senders. It loads nothing from the network.</p></footer>`;
  return pageText({ title: `${headline} · h2h3`, assets, body });
}
