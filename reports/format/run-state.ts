import { armNameOfLabel } from '../../src/core/factors/arm-name.ts';
import { ownEntry } from '../../src/core/model/own-entry.ts';
import type { ExperimentResult } from '../../src/core/model/studies.ts';
import { formatNumber, plural } from './numbers.ts';

/** How far a run of an experiment got, and what it was made with, as one line. */
export function runState(run: NonNullable<ExperimentResult['run']>): string {
  const { clients, blocks, trialsOk, trialsDone, trialsPlanned, exploratory, disturbances } = run;
  const { startedAt, scale, revision, timed, lostByArm = [] } = run;
  return [
    clients.join(', '),
    `${scale ?? 'no'} scale`,
    `revision ${revision ?? 'not known'}`,
    startedAt?.slice(0, 10) ?? 'no date',
    ...(timed ? [] : ['the browser was recorded while it was timed']),
    `${plural(blocks, 'block')}, ${trialsOk} of ${plural(trialsDone, 'trial')} valid`,
    ...lostByArm.map(
      ({ arm, lost, of, why, again = 0 }) =>
        `${armNameOfLabel(arm)}: ${lost} of ${of} lost${why === undefined ? '' : ` (${why})`}${again === 0 ? '' : `, ${again} run again`}`,
    ),
    ...(trialsDone < trialsPlanned ? [`${trialsPlanned - trialsDone} of ${trialsPlanned} not run yet`] : []),
    ...(exploratory ? ['exploratory'] : []),
    ...disturbances,
  ].join(', ');
}

/** A path of two links has a proxy between them. */
const isThroughProxy = (network: string): boolean => network.includes('/');

/** The second half of a transfer has what waited behind a loss in the first, so that it can be more than the link carries. */
function heldWords(udpMbps: number | null, tcpMbps: number): string {
  return udpMbps !== null && tcpMbps > udpMbps ? ' (some of it held up before by a loss)' : '';
}

/** What the paths of a run carried by themselves, before any HTTP, a sentence each; undefined where that is not known. */
export function rawRateWords({
  rawRates = [],
  networks = {},
}: NonNullable<ExperimentResult['run']>): string | undefined {
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
