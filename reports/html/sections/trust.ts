import {
  virtualWords,
  type ClientDescription,
  type Environment,
  type OtherHost,
  type OtherMachineFacts,
} from '../../../src/core/model/environment.ts';
import { nicWords, sendingWords, type Nic } from '../../../src/core/model/nic.ts';
import type { Summary } from '../../../src/core/model/summary.ts';
import { armTitle, kindTitles } from '../../format/labels.ts';
import { typed } from '../../format/rerun-command.ts';
import {
  formatBytes,
  formatCount,
  formatNumber,
  formatShare,
  missing,
  plural,
  seenRange,
} from '../../format/numbers.ts';
import { markup } from '../markup.ts';
import type { Insert, Markup } from '../markup.ts';
import type { ReportContext } from '../report-context.ts';
import { plainTable, scrolling } from '../scrolling.ts';
import { flightsRun } from './answer-list.ts';
import { paths } from './paths.ts';
import { secondVisits } from './second-visits.ts';
import { trials } from './trials.ts';
import { warnings, warningsOf } from './warnings.ts';

function facts(rows: readonly (readonly [string, Insert])[]): Markup {
  return markup`<dl class="pairs">
    ${rows.map(
      ([name, value]) =>
        markup`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Both names of the same algorithm are in use. */
function algorithm(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^newreno$/, 'reno');
}

function congestion(environment: Environment): Markup {
  const rows = environment.servers.map((server) => {
    const { tcpCongestionControl: tcp, quicCongestionControl: quic } = server;
    const same = algorithm(tcp) === algorithm(quic);
    return markup`<tr><th scope="row">${server.name} ${server.version}</th><td>${tcp}</td><td>${quic}</td><td>${same ? '= the same' : '≠ different: under loss the comparison measures the algorithms too'}</td><td>${server.tcpCongestionControlNote ?? ''}</td></tr>`;
  });
  return markup`<h3>Congestion control of both arms</h3>
    ${scrolling('Congestion control', plainTable(['Server', 'TCP (HTTP/2)', 'QUIC (HTTP/3)', 'Are they equal?', 'Note'], rows))}${ofUploads(environment)}`;
}

/** What sends uploads over the real link, where that is known: emulated networks set it themselves, and note it. */
function ofUploads({ serverHost, clientHost, networks }: Environment): Markup {
  const { sending } = clientHost?.nic ?? serverHost?.clientNic ?? {};
  if (sending === undefined || !networks.some(({ backend }) => backend === 'real')) return markup``;
  return markup`<p>Over the real link the client’s machine sends uploads by ${sendingWords(sending)}. Over QUIC its client sends by rules of its own.</p>`;
}

/** With how much each server begins a connection, and how its round trips grow from there. */
function flights({ summary: { firstFlights = [] }, labels }: ReportContext): Markup {
  if (firstFlights.length === 0) return markup``;
  const range = (
    values: readonly [number, number] | null | undefined,
    text: (value: number) => string,
  ): string => (values === null || values === undefined ? missing : seenRange(values, text));
  const rows = firstFlights.map((flights) => {
    const { arm, network, server, packets, bytes, isLeast, roundPackets, why } = flights;
    const least = isLeast ? 'at least ' : '';
    return markup`<tr>
      <th scope="row">${armTitle(arm)}</th>
      <td>${labels.server(server)}</td>
      <td>${labels.shortNetwork(network)}</td>
      <td>${packets === null ? `not known: ${why ?? ''}` : `${least}${range(packets, formatCount)}`}</td>
      <td>${bytes === null ? missing : `${least}${range(bytes, formatBytes)}`}</td>
      <td>${roundPackets.map(formatCount).join(', ')}</td>
      <td>${range(flights.largestBurstBytes, formatBytes)}</td>
      <td>${range(flights.acksPerPacket, formatNumber)}</td>
    </tr>`;
  });
  const head = [
    'Arm',
    'Server',
    'Network',
    'Packets',
    'Bytes',
    'Packets by round trip',
    'Largest burst (1 ms)',
    'Client packets per server packet',
  ];
  return markup`<h3>First flight of each server</h3>${scrolling('First flights', plainTable(head, rows))}`;
}

type Rows = readonly (readonly [string, Insert])[];

const temperatureWords = (celsius: number | null): string =>
  celsius === null ? 'not visible on this machine' : `${formatNumber(celsius)} °C`;

/** One of the machines of a run. */
function rowsOf(machine: Environment['machine']): Rows {
  return [
    [
      'CPU',
      `${machine.cpuModel}, ${plural(machine.cpuCount, 'CPU')}${machine.governor === null ? '' : `, governor ${machine.governor}`}`,
    ],
    ['Memory', formatBytes(machine.memoryBytes)],
    ['System', `${machine.platform} ${machine.kernel}${virtualWords(machine)}`],
    [
      'Load at start',
      `${formatNumber(machine.loadAverage1m)} (1 min)${machine.stealShare === null ? '' : `, ${formatShare(machine.stealShare)} stolen by the host`}`,
    ],
    ...(machine.temperatureCelsius === undefined
      ? []
      : [['Temperature at start', temperatureWords(machine.temperatureCelsius)] as const]),
  ];
}

/** The machines on which servers ran, or clients, where that is another. */
function otherMachineRows({ serverHost, proxyHost, clientHost }: OtherMachineFacts): Rows {
  return [
    ...(serverHost === undefined ? [] : otherHostRows('Server machine', serverHost, serverHost.clientNic)),
    ...(proxyHost === undefined ? [] : otherHostRows('Proxy machine', proxyHost, undefined)),
    ...(clientHost === undefined ? [] : otherHostRows('Client machine', clientHost, clientHost.serverNic)),
  ];
}

function otherHostRows(title: string, other: OtherHost, ownNic: Nic | undefined): Rows {
  const { host, hostName, machine, node, clockOffsetMs, clockBoundMs, nic } = other;
  return [
    [title, `${host} (${hostName})`],
    ...rowsOf(machine).map(([name, value]) => [`${title}: ${name}`, value] as const),
    [`${title}: Node`, node],
    [`${title}: clock`, `${formatNumber(clockOffsetMs)} ms ahead, within ${formatNumber(clockBoundMs)} ms`],
    ...nicRows(nic, `${title}: network device`, `${title}: TCP and buffers`),
    ...nicRows(ownNic, 'Network device towards it', 'TCP and buffers towards it'),
  ];
}

function nicRows(nic: Nic | undefined, device: string, stack: string): Rows {
  if (nic === undefined) return [];
  const { sending } = nic;
  return [
    [device, nicWords(nic)],
    ...(sending === undefined ? [] : [[stack, sendingWords(sending)] as const]),
  ];
}

function machineFacts({ machine, ...environment }: Environment): Rows {
  return [
    ...rowsOf(machine),
    ...otherMachineRows(environment),
    [
      'CPUs of browser / server',
      `${environment.pinning.browserCpus ?? 'not pinned'} / ${environment.pinning.serverCpus ?? 'not pinned'}${environment.pinning.note === undefined ? '' : ` (${environment.pinning.note})`}`,
    ],
    [
      'h2h3',
      `${environment.h2h3.version}${environment.h2h3.gitRevision === null ? '' : `, revision ${environment.h2h3.gitRevision.slice(0, 12)}`}`,
    ],
    ['Node', environment.node],
    ['ffmpeg', environment.ffmpeg ?? 'none'],
    [
      'Packages',
      Object.entries(environment.packages)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ') || 'none recorded',
    ],
  ];
}

function environmentSection(context: ReportContext): Markup {
  const { environment } = context.summary;
  if (environment === null) {
    return markup`<section id="environment">
      <h2>Environment</h2>
      <p class="empty">
        The run directory has no environment.json: nothing is known of the machine that measured this.
      </p>
    </section>`;
  }
  const clients = environment.clients.map(
    (client) =>
      markup`<tr>
        <th scope="row">${client.name}</th>
        <td>${client.version}</td>
        <td>${buildWords(client)}</td>
        <td>${client.source}</td>
      </tr>`,
  );
  return markup`<section id="environment" aria-labelledby="environment-title">
    <h2 id="environment-title">Environment</h2>
    ${congestion(environment)}
    ${flights(context)}
    <h3>Browsers</h3>
    ${scrolling('Browsers', plainTable(['Browser', 'Version', 'Build', 'From'], clients))}
    ${paths(context, environment)}
    ${workloads(context)}${secondVisits(context)}
    <h3>Machine</h3>
    ${facts(machineFacts(environment))}
  </section>`;
}

const buildTitles: Readonly<Record<ClientDescription['build'], string>> = {
  full: 'full browser',
  'headless-shell': 'headless shell',
  'command-line': 'command line',
};

function buildWords({ build, headed, quicLibrary }: ClientDescription): string {
  const how =
    build !== 'command-line'
      ? `, ${headed ? 'with a window' : 'headless'}`
      : quicLibrary === undefined
        ? ''
        : `, HTTP/3 by ${quicLibrary}`;
  return `${buildTitles[build]}${how}`;
}

function workloads({ summary }: ReportContext): Markup {
  const rows = summary.workloads.map(
    ({ id, kind, title }) =>
      markup`<tr><th scope="row">${id}</th><td>${kindTitles[kind]}</td><td>${title}</td></tr>`,
  );
  return markup`<h3>Workloads</h3>${scrolling('Workloads', plainTable(['Name', 'Kind', 'What it is'], rows))}`;
}

/** What the rate of false alarms means for the verdicts of this set-up. */
function consistency(consistent: boolean | null | undefined): string {
  if (consistent === true)
    return '✓ The interval holds that size: the verdicts alarm no more often than they should.';
  if (consistent === false) return '✕ The interval misses that size: do not trust p values of this set-up.';
  return 'One run alone cannot say whether that is too much.';
}

function calibration({ calibration: result }: Summary): Markup {
  if (result === null) return markup``;
  const interval = result.falseAlarmInterval;
  return markup`<h3>Calibration</h3><p>
    Of ${plural(result.comparisons, 'comparison')} of an arm with itself,
    ${formatShare(result.falseAlarmRate)} had p &lt;
    0.05${interval !== null && ` (95 % interval ${formatShare(interval[0])} to ${formatShare(interval[1])})`}.
    ${result.attainableSize === null ? 'The attainable size is not known' : `An exact test can attain ${formatShare(result.attainableSize)}`}.
    ${consistency(result.consistent)}
  </p>`;
}

function rerun({ summary }: ReportContext): Markup {
  return markup`<section id="rerun" aria-labelledby="rerun-title">
    <h2 id="rerun-title">Run it again</h2>
    <p class="command">
      <code id="rerun-command">${typed(summary.run.command)}</code>
      <button type="button" class="js" id="copy-command">Copy</button>
    </p>
    <p class="note">Seed ${summary.run.seed} gives the same order of trials.</p>
    ${calibration(summary)}
  </section>`;
}

/** Whether this run can be trusted, in a few lines; each is told in full further down. */
export function trustworthiness({ summary }: ReportContext): Markup {
  const {
    trials: counts,
    troubles,
    environment,
    calibration: calibrated,
    banners = [],
    oneSided = [],
    unlikePriorities = [],
    unlikeFirstFlights = [],
  } = summary;
  const all = warningsOf(summary);
  const lost = counts.invalid + counts.failed;
  const checked = environment?.networks.flatMap(({ checks }) => checks) ?? [];
  const off = checked.filter(({ ok }) => !ok).length;
  const lines: Insert[] = [
    markup`${lost === 0 ? '✓' : '!'} ${plural(counts.ok, 'trial')} valid, ${lost} lost. Valid means: every object proven to have come over its arm’s protocol, nothing from a cache, the page complete.${troubles.length > 0 && markup` <a href="#trials">Trials</a>`}`,
    checked.length === 0
      ? '· Nothing was set on the path, so there was nothing to check.'
      : markup`${off === 0 ? '✓' : '✕'} ${plural(checked.length, 'property', 'properties')} of the path measured before the run, ${off} off. <a href="#environment">Environment</a>`,
    markup`· ${summary.instrumentationOverhead.sentence}`,
    ...(banners.length > 0 ? [`! ${banners.join('. ')}.`] : []),
    ...oneSided.map(({ sentence }) => `! ${sentence}`),
    ...unlikePriorities.map((sentence) => `! ${sentence}.`),
    ...unlikeFirstFlights.map((flights) => markup`! ${flights.sentence}.${flightsRun(flights)}`),
    ...(banners.length + oneSided.length + unlikePriorities.length + unlikeFirstFlights.length > 0
      ? []
      : ['✓ Nothing else is known to differ between the two sides.']),
    calibrated === null
      ? '· False-alarm rate not measured here (npx h2h3 calibrate).'
      : '✓ An arm was run against itself: see the calibration.',
    all.length === 0 ? '✓ No warning.' : markup`! <a href="#warnings">${plural(all.length, 'warning')}</a>`,
  ];
  return markup`<section id="trust" aria-labelledby="trust-title">
    <h2 id="trust-title">Can this run be trusted?</h2>
    <ul class="trust">${lines.map((line) => markup`<li>${line}</li>`)}</ul>
  </section>`;
}

/** Everything that lets a reader judge whether to believe the numbers. */
export function trust(context: ReportContext): Markup {
  return markup`${trials(context)}${warnings(context)}${environmentSection(context)}${rerun(context)}`;
}
