import { audienceNetwork } from './audience-network.ts';
import { audienceSeries } from './audience-series.ts';
import type { Audience } from './audience.ts';
import { liveNetwork, liveServer } from './live-names.ts';
import type { ClientDescription, Environment } from './environment.ts';
import { byArm } from './factor.ts';
import type { NameTable } from './name-table.ts';
import { ownEntry } from './own-entry.ts';
import { serverName } from './server-names.ts';
import { withoutSteering } from './steering-characters.ts';
import type { WorkloadKind } from './workload.ts';

/** Turns ids into the names that people know: one name a thing, on every screen. */
export interface Names {
  /** A title that fits a table. */
  workload(id: string, kind: WorkloadKind): string;
  /** `Chromium 156`; the arms’ own where they set it. */
  client(id: string): string;
  /** What it is a version of: `Chromium`. */
  product(id: string): string;
  /** As a heading: `4G while walking, 89 ms round trip`. */
  network(id: string): string;
  /** As part of a sentence: `4G while walking`; the whole title where others of the run begin alike. */
  shortNetwork(id: string): string;
  server(id: string): string;
}

export interface Named {
  readonly workloads: readonly { readonly id: string; readonly title: string }[];
  readonly environment: Environment | null;
}

/** Longer titles lose their last parts; they stand once in full in the list of workloads. */
const maxTitleLength = 48;

const pooled: Readonly<Record<WorkloadKind, string>> = {
  page: 'All pages together',
  journey: 'All journeys together',
  video: 'All videos together',
  download: 'All downloads together',
  upload: 'All uploads together',
  messages: 'All messages together',
};

/** What changes between releases that differ: the first number, and the second too where the first is 0. */
function majorVersion(version: string): string {
  const [major = version, minor] = version.split('.');
  return major === '0' && minor !== undefined ? `0.${minor}` : major;
}

type NamedClient = Pick<ClientDescription, 'name' | 'version' | 'build' | 'quicLibrary'>;

/** `Chromium 156`, `Chromium 153 (shell)`, `curl 8.21, ngtcp2`: what says which of builds that differ it is. */
function clientTitle({ name, version, build, quicLibrary }: NamedClient): string {
  if (quicLibrary !== undefined)
    return `${name} ${version.split('.').slice(0, 2).join('.')}, ${quicLibrary.split(' ')[0] ?? ''}`;
  return `${name} ${majorVersion(version)}${build === 'headless-shell' ? ' (shell)' : ''}`;
}

/** As many of the parts between commas as fit. */
function fitting(title: string): string {
  const parts = title.split(', ');
  while (parts.length > 1 && parts.join(', ').length > maxTitleLength) parts.pop();
  return parts.join(', ');
}

/** Shortened titles. Those that others would then share begin with what tells them apart: `300 ms behind: 360p film`. */
function workloadTitles(workloads: Named['workloads']): ReadonlyMap<string, string> {
  const groups = Map.groupBy(workloads, ({ title }) => fitting(title));
  return new Map(
    [...groups].flatMap(([short, alike]) =>
      alike.map(({ id, title }) => [id, alike.length > 1 ? apart(title, alike) : short] as const),
    ),
  );
}

/** A title by the parts that not all of these have; whole where it has none. */
function apart(title: string, alike: Named['workloads']): string {
  const partsOf = (text: string): string[] => text.split(', ');
  const isShared = (part: string): boolean => alike.every((other) => partsOf(other.title).includes(part));
  const own = partsOf(title).filter((part) => !isShared(part));
  const [first = ''] = partsOf(title).filter(isShared);
  return own.length === 0 || first === '' ? title : `${own.join(', ')}: ${first}`;
}

/** The names of a run's things. */
export function nameTable({ workloads, environment }: Named): NameTable {
  const { clients = [], servers = [], networks = [] } = environment ?? {};
  return {
    workloads: Object.fromEntries(workloadTitles(workloads)),
    clients: Object.fromEntries(clients.map((client) => [client.id, clientTitle(client)])),
    networks: Object.fromEntries(
      networks.map(({ id, description, spec }) => [id, spec?.title || description || id]),
    ),
    servers: Object.fromEntries(servers.map(({ id, name, version }) => [id, `${name} ${version}`])),
    products: Object.fromEntries(clients.map(({ id, name }) => [id, name])),
  };
}

/** The name of an audience where several may be: in series over runs. */
export function audienceNames(audience: Pick<Audience, 'source' | 'conditions'>): NameTable {
  const { id, title } = audienceSeries(audience);
  return { workloads: {}, clients: {}, networks: { [id]: title }, servers: {} };
}

/** Several tables as one; of an id that several have the last name holds. */
export function mergedNames(tables: readonly (NameTable | undefined)[]): NameTable {
  const known = tables.filter((table) => table !== undefined);
  const all = (of: keyof NameTable): Record<string, string> =>
    Object.assign({}, ...known.map((table) => table[of] ?? {})) as Record<string, string>;
  return {
    workloads: all('workloads'),
    clients: all('clients'),
    networks: all('networks'),
    servers: all('servers'),
    products: all('products'),
  };
}

function firstPart(title: string): string {
  return title.split(',')[0] ?? title;
}

/** Names out of a table; what it does not have keeps its id. */
export function namesFrom(table: NameTable | undefined): Names {
  const maps: NameTable = table ?? { workloads: {}, clients: {}, networks: {}, servers: {} };
  // A name with lines of its own could pass for lines of ours, and one that turns text for what stands next to it.
  const inTable = (of: keyof NameTable, id: string, otherwise = id): string =>
    withoutSteering((ownEntry(maps[of] ?? {}, id) ?? otherwise).replace(/\s+/g, ' '));
  const starts = Map.groupBy(Object.values(maps.networks), firstPart);
  const network = (id: string): string => {
    if (id === audienceNetwork) return 'your users';
    if (id === byArm) return 'each arm’s network';
    const title = inTable('networks', id);
    return title === liveNetwork ? 'the real path' : title;
  };
  return {
    workload: (id, kind) => (id === 'pooled' ? pooled[kind] : inTable('workloads', id)),
    client: (id) => {
      if (id === audienceNetwork) return 'their own browsers';
      return id === byArm ? 'each arm’s client' : inTable('clients', id);
    },
    product: (id) => inTable('products', id),
    network,
    shortNetwork: (id) => {
      const title = network(id);
      return (starts.get(firstPart(title))?.length ?? 0) > 1 ? title : firstPart(title);
    },
    server: (id) => {
      if (id === byArm) return 'each arm’s server';
      return id === liveServer ? 'the address’s own server' : inTable('servers', id, serverName(id));
    },
  };
}

export function namesOf(named: Named): Names {
  return namesFrom(nameTable(named));
}
