import type { Summary } from '../../src/core/model/summary.ts';
import type { Viewing } from '../../src/core/model/video-summary.ts';
import { armTitle } from './labels.ts';
import type { Labels } from './labels.ts';
import { formatNumber, plural } from './numbers.ts';

/** What tells one condition of the run from another, by its column. */
export interface ViewingPlace {
  readonly title: string;
  readonly of: (viewing: Viewing) => string;
}

export function viewingPlaces(rows: readonly Viewing[], labels: Labels): ViewingPlace[] {
  const places: readonly ViewingPlace[] = [
    { title: 'Film and rule', of: ({ workload }) => labels.workload(workload, 'video') },
    { title: 'Browser', of: ({ client }) => labels.client(client) },
    { title: 'Network', of: ({ network }) => labels.network(network) },
    { title: 'Server', of: ({ server }) => labels.server(server) },
  ];
  return places.filter(({ of }) => new Set(rows.map(of)).size > 1);
}

function stallWords({ stalls, playedSeconds }: Viewing): string {
  const minutes = `in ${formatNumber(playedSeconds / 60)} min`;
  return stalls.count === 0
    ? `no stall ${minutes}`
    : `${plural(stalls.count, 'stall')} ${minutes} (${formatNumber(stalls.totalMs / 1000)} s)`;
}

/** `HTTP/2: 4.2 Mbit/s, no stall in 6 min, starts after 0.4 s, VMAF 84`, with what else tells the row apart. */
function viewingLine(viewing: Viewing, places: readonly ViewingPlace[]): string {
  const { arm, sessions, lost, bitrateKbps, startupMs, vmaf } = viewing;
  const name = [armTitle(arm), ...places.map(({ of }) => of(viewing))].join(', ');
  const parts = [
    ...(bitrateKbps === null ? [] : [`${formatNumber(bitrateKbps.median / 1000)} Mbit/s`]),
    ...(sessions === 0 ? [] : [stallWords(viewing)]),
    ...(startupMs === null ? [] : [`starts after ${formatNumber(startupMs.median / 1000)} s`]),
    ...(vmaf === null ? [] : [`VMAF ${formatNumber(vmaf.median)}`]),
    ...(lost === 0 ? [] : [`${plural(lost, 'session')} lost`]),
  ];
  return `${name}: ${parts.join(', ')}`;
}

/** What viewers got, a line an arm and condition; empty for a run without video. */
export function viewingLines({ viewing: rows = [] }: Pick<Summary, 'viewing'>, labels: Labels): string[] {
  const places = viewingPlaces(rows, labels);
  return rows.map((row) => viewingLine(row, places));
}
