import { armNameOfLabel } from '../../src/core/factors/arm-name.ts';
import { ownEntry } from '../../src/core/model/own-entry.ts';
import type { ExperimentResult } from '../../src/core/model/studies.ts';
import { formatNumber, plural, seenRange } from './numbers.ts';

type Run = NonNullable<ExperimentResult['run']>;

/** How far a run of an experiment got, and what it was made with, as one line. */
export function runState(run: Run): string {
  return [run.clients.join(', '), ...runParts(run)].join(', ');
}

/** The same without its clients, each fact by itself. */
export function runParts(run: Run): string[] {
  const { blocks, trialsOk, trialsDone, trialsPlanned, exploratory, disturbances } = run;
  const { startedAt, scale, revision, timed, lostByArm = [] } = run;
  return [
    `${scale ?? 'no'} scale`,
    `revision ${revision ?? 'not known'}`,
    startedAt?.slice(0, 10) ?? 'no date',
    ...(timed ? [] : ['the browser was recorded while it was timed']),
    plural(blocks, 'block'),
    `${trialsOk} of ${plural(trialsDone, 'trial')} valid`,
    ...lostByArm.map(
      ({ arm, lost, of, why, again = 0 }) =>
        `${armNameOfLabel(arm)}: ${lost} of ${of} lost${why === undefined ? '' : ` (${why})`}${again === 0 ? '' : `, ${again} run again`}`,
    ),
    ...(trialsDone < trialsPlanned ? [`${trialsPlanned - trialsDone} of ${trialsPlanned} not run yet`] : []),
    ...(exploratory ? ['exploratory'] : []),
    ...disturbances,
  ];
}

/** A path of two links has a proxy between them. */
const isThroughProxy = (network: string): boolean => network.includes('/');

/** The second half of a transfer has what waited behind a loss in the first, so that it can be more than the link carries. */
function heldWords(udpMbps: number | null, tcpMbps: number): string {
  return udpMbps !== null && tcpMbps > udpMbps ? ' (some of it held up before by a loss)' : '';
}

/** What the paths of a run carried by themselves, before any HTTP, a sentence each; undefined where that is not known. */
export function rawRateWords({ rawRates = [], networks = {} }: Run): string | undefined {
  if (rawRates.length === 0) return undefined;
  const rates = rawRates.map(({ network, udpMbps, tcpMbps }) => {
    const each = [
      ...(udpMbps === null ? [] : [`${formatNumber(udpMbps)} over UDP`]),
      ...(tcpMbps === null ? [] : [`${formatNumber(tcpMbps)} over TCP${heldWords(udpMbps, tcpMbps)}`]),
    ];
    const title = ownEntry(networks, network) ?? network;
    return `${title}${isThroughProxy(network) ? ', with the proxy' : ''}: ${each.join(', ')}`;
  });
  return ['Raw rate of the path in Mbit/s, without HTTP', ...rates].join('. ');
}

const minute = (startedAt: string | null): string =>
  startedAt === null ? 'no date' : `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)}`;

/** The runs that are kept of an experiment, one campaign each, and those that do not count with the reason; undefined without any. */
export function campaignsWords({ campaigns = [] }: Pick<ExperimentResult, 'campaigns'>): string | undefined {
  if (campaigns.length === 0) return undefined;
  const counting = campaigns.filter(({ why }) => why === undefined);
  const leftOut = campaigns.filter(({ why }) => why !== undefined);
  const named = ({ startedAt, revision }: (typeof campaigns)[number]): string =>
    `${minute(startedAt)} (revision ${revision ?? 'not known'})`;
  return [
    counting.length === 1
      ? `One campaign alone: ${counting.map(named).join(', ')}. How much hours differ is not known`
      : `${plural(counting.length, 'campaign')}: ${counting.map(named).join(', ')}`,
    ...(leftOut.length === 0
      ? []
      : [`Not counted: ${leftOut.map((run) => `${named(run)}, ${run.why ?? ''}`).join('. ')}`]),
  ].join('. ');
}

function flightWords({
  arm,
  packets,
}: {
  readonly arm: string;
  readonly packets: readonly [number, number] | null;
}): string {
  const count = packets === null ? 'not known' : seenRange(packets, String);
  return `${armNameOfLabel(arm)} ${count}`;
}

/** What a repetition needs of how a run was made, each fact by itself; none of runs that were kept before it was. */
export function setUpParts({ setUp }: Pick<Run, 'setUp'>): string[] {
  if (setUp === undefined) return [];
  const { seed, kernel, memoryBytes, governor, browserCpus, serverCpus, node, firstFlights } = setUp;
  const flights = [...new Set(firstFlights.map(flightWords))];
  return [
    `seed ${seed}`,
    `kernel ${kernel}`,
    `${formatNumber(memoryBytes / 2 ** 30)} GiB of memory`,
    governor === null ? 'no frequency governor' : `governor ${governor}`,
    `client on CPU ${browserCpus ?? 'any'}, server on CPU ${serverCpus ?? 'any'}`,
    `Node ${node}`,
    ...(flights.length === 0 ? [] : [`packets of the first flight: ${flights.join(', ')}`]),
  ];
}
