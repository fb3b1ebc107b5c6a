import type { HostProgress, LostLease, SharingProgress } from '../../../src/core/model/run-progress.ts';
import { armTitle } from '../../format/labels.ts';
import { formatCount, formatLevel, plural } from '../../format/numbers.ts';
import { element, make } from './read-page.ts';

/** More medians than these fold: each host has one for each condition and arm. */
const maxOpenMedians = 4;

function medianLines({ medians }: HostProgress): HTMLElement {
  const lines = medians.map(({ what, arm, median, unit }) =>
    make('li', {}, `${what}, ${armTitle(arm)}: ${formatLevel(median, unit)} ${unit}`),
  );
  const list = make('ul', {}, ...lines);
  if (lines.length <= maxOpenMedians) return list;
  return make('details', {}, make('summary', {}, plural(lines.length, 'median')), list);
}

function hostRow(host: HostProgress): HTMLElement {
  const { leasesDone, leasesUnderWay, leasesLost, ok, lost, lastAt } = host;
  const leases = [
    `${formatCount(leasesDone)} done`,
    ...(leasesUnderWay > 0 ? [`${leasesUnderWay} under way`] : []),
    ...(leasesLost > 0 ? [`${leasesLost} lost`] : []),
  ];
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, host.host),
    make('td', {}, leases.join(', ')),
    make('td', { class: 'num' }, `${formatCount(ok)} valid${lost > 0 ? `, ${formatCount(lost)} not` : ''}`),
    make('td', { class: 'num' }, lastAt.slice(11, 19)),
    make('td', {}, medianLines(host)),
  );
}

function lostLine({ leaseId, reason }: LostLease): HTMLElement {
  return make('li', {}, `✕ lease ${leaseId} lost: ${reason}`);
}

/** Shows the machines of a run, their leases and what was lost; nothing for a run of one machine. */
export function showHosts(sharing: SharingProgress | undefined): void {
  element('hosts').hidden = sharing === undefined;
  document.querySelectorAll<HTMLElement>('a[href="#hosts"]').forEach((link) => {
    link.hidden = sharing === undefined;
  });
  if (sharing === undefined) return;
  const { needed, done, underWay, spareLeft, hosts, lostLeases } = sharing;
  element('leases').textContent = [
    `${formatCount(done)} of ${plural(needed, 'lease')} done`,
    `${formatCount(underWay)} under way`,
    `${formatCount(lostLeases.length)} lost`,
    `${formatCount(spareLeft)} spare`,
  ].join(' · ');
  element('host-rows').replaceChildren(...hosts.map(hostRow));
  element('lost-leases').replaceChildren(...lostLeases.map(lostLine));
}
