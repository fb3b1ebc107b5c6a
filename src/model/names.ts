import type { Environment } from './environment.ts';
import { byArm } from './factor.ts';
import type { WorkloadKind } from './workload.ts';

/** Turns ids into the names that people know: one name a thing, on every screen. */
export interface Names {
  /** A title that fits a table. */
  workload(id: string, kind: WorkloadKind): string;
  /** `Chromium 156`; the arms’ own where they set it. */
  client(id: string): string;
  /** As a heading: `4G while walking, 89 ms round trip`. */
  network(id: string): string;
  /** As part of a sentence: `4G while walking`. */
  shortNetwork(id: string): string;
  server(id: string): string;
}

export interface Named {
  readonly workloads: readonly { readonly id: string; readonly title: string }[];
  readonly environment: Environment | null;
}

/** Longer titles lose their last parts; they stand once in full in the list of workloads. */
const longestTitle = 48;

const pooled: Readonly<Record<WorkloadKind, string>> = {
  page: 'All pages together',
  video: 'All videos together',
  download: 'All downloads together',
};

function majorVersion(version: string): string {
  return version.split('.')[0] ?? version;
}

/** As many of the parts between commas as fit. */
function fitting(title: string): string {
  const parts = title.split(', ');
  while (parts.length > 1 && parts.join(', ').length > longestTitle) parts.pop();
  return parts.join(', ');
}

/** Shortened titles, except those that others would then share. */
function workloadTitles(workloads: Named['workloads']): ReadonlyMap<string, string> {
  const short = workloads.map(({ id, title }) => ({ id, title, short: fitting(title) }));
  const counts = Map.groupBy(short, (one) => one.short);
  return new Map(
    short.map((one) => [one.id, (counts.get(one.short)?.length ?? 0) > 1 ? one.title : one.short]),
  );
}

export function namesOf({ workloads, environment }: Named): Names {
  const { clients = [], servers = [], networks = [] } = environment ?? {};
  const titles = workloadTitles(workloads);
  const clientTitles = new Map(
    clients.map(({ id, name, version, build }) => [
      id,
      `${name} ${majorVersion(version)}${build === 'headless-shell' ? ' (shell)' : ''}`,
    ]),
  );
  const networkTitles = new Map(
    networks.map(({ id, description, spec }) => [id, spec?.title || description || id]),
  );
  const serverTitles = new Map(servers.map(({ id, name, version }) => [id, `${name} ${version}`]));
  const network = (id: string): string =>
    id === byArm ? 'each arm’s network' : (networkTitles.get(id) ?? id);
  return {
    workload: (id, kind) => (id === 'pooled' ? pooled[kind] : (titles.get(id) ?? id)),
    client: (id) => (id === byArm ? 'each arm’s client' : (clientTitles.get(id) ?? id)),
    network,
    shortNetwork: (id) => network(id).split(',')[0] ?? id,
    server: (id) => (id === byArm ? 'each arm’s server' : (serverTitles.get(id) ?? id)),
  };
}
