import type { FuzzedReader } from './fuzzed-reader.ts';

/** Everything that reads what h2h3 has not made itself a moment ago. A group is loaded when needed: some take seconds. */
const groups: Readonly<Record<string, () => Promise<readonly FuzzedReader[]>>> = {
  plans: async () => (await import('./readers/plans.ts')).planReaders,
  runs: async () => (await import('./readers/runs.ts')).runReaders,
  archives: async () => (await import('./readers/archives.ts')).archiveReaders,
  logs: async () => (await import('./readers/logs.ts')).logReaders,
  clients: async () => (await import('./readers/clients.ts')).clientReaders,
  results: async () => (await import('./readers/results.ts')).resultReaders,
  hosts: async () => (await import('./readers/hosts.ts')).hostReaders,
  tools: async () => (await import('./readers/tools.ts')).toolReaders,
};

export interface GroupedReader {
  readonly group: string;
  readonly reader: FuzzedReader;
}

/** The readers of a group. Default: of all of them. */
export async function loadReaders(only?: string): Promise<readonly GroupedReader[]> {
  const chosen = Object.entries(groups).filter(([group]) => only === undefined || group === only);
  const loaded = await Promise.all(
    chosen.map(async ([group, load]) => (await load()).map((reader) => ({ group, reader }))),
  );
  return loaded.flat();
}
