import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import type { PageLoadEvidence } from './page-loads.ts';

/** What one further page may hold, so that it opens quickly: bytes of page loads, sessions, bytes of comparisons. */
const most = { loadBytes: 2_200_000, sessions: 160, comparisonBytes: 2_200_000 } as const;
/** About what a request takes in a page. */
const bytesPerRequest = 130;
/** Pictures of a filmstrip, each a third longer in Base64. */
const framesPerLoad = 6;
const base64Growth = 4 / 3;

/** Groups in order, as many together as fit; a group too large for any page gets one of its own. */
function batches<T>(groups: readonly T[], sizeOf: (group: T) => number, limit: number): T[][] {
  const result: T[][] = [];
  let room = 0;
  for (const group of groups) {
    const size = sizeOf(group);
    const last = result.at(-1);
    if (last !== undefined && size <= room) last.push(group);
    else {
      result.push([group]);
      room = limit;
    }
    room -= size;
  }
  return result;
}

function bytesOf({ har, frames = [] }: PageLoadEvidence): number {
  const frameBytes = frames.reduce((sum, { jpeg }) => sum + jpeg.byteLength, 0);
  const shown =
    frames.length === 0 ? 0 : (frameBytes / frames.length) * Math.min(framesPerLoad, frames.length);
  return har.log.entries.length * bytesPerRequest + shown * base64Growth;
}

/** Page loads, those of one page and condition always together. */
export function loadBatches(loads: readonly PageLoadEvidence[]): PageLoadEvidence[][] {
  const groups = Map.groupBy(loads, ({ workload, client, network, server }) =>
    JSON.stringify([workload, client, network, server]),
  );
  const size = (group: readonly PageLoadEvidence[]): number =>
    group.reduce((sum, load) => sum + bytesOf(load), 0);
  return batches([...groups.values()], size, most.loadBytes).map((batch) => batch.flat());
}

/** Sessions, those of one condition always together. */
export function sessionBatches(sessions: Summary['sessions']): Summary['sessions'][] {
  const groups = Map.groupBy(sessions, ({ workload, client, network }) =>
    JSON.stringify([workload, client, network]),
  );
  // The page shares its room evenly among the conditions, so the largest one counts for all.
  const largest = Math.max(1, ...[...groups.values()].map(({ length }) => length));
  return batches([...groups.values()], () => largest, most.sessions).map((batch) => batch.flat());
}

/** About what a comparison takes in a page, and what each block and each site of it does. */
const comparisonBytes = { own: 300, block: 22, site: 40 } as const;

/** Comparisons by what their blocks and sites take. */
export function valueBatches<T extends Pick<Comparison, 'values' | 'heterogeneity'>>(
  comparisons: readonly T[],
): T[][] {
  const size = ({ values, heterogeneity }: T): number =>
    comparisonBytes.own +
    comparisonBytes.block * values.length +
    comparisonBytes.site * (heterogeneity?.sites.length ?? 0);
  return batches(comparisons, size, most.comparisonBytes);
}
