import { byArm, factorsOfLabel } from '../../src/model/factor.ts';
import type { Summary } from '../../src/model/summary.ts';
import type { WorkloadKind } from '../../src/model/workload.ts';

/** Turns the ids of a summary into the names that people know. */
export interface Labels {
  /** A title that fits a table: the workload's own, or its id where that one is long. */
  workload(id: string, kind: WorkloadKind): string;
  /** `Chromium 156`; the arms’ own where they set it. */
  client(id: string): string;
  network(id: string): string;
  server(id: string): string;
}

export const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Web pages',
  video: 'Video streaming',
  download: 'Downloads',
};

const protocolTitles: Readonly<Record<string, string>> = {
  h1: 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  auto: 'automatic protocol',
};

/** `h3` is HTTP/3, `h2#2` is HTTP/2 (2nd arm), `chromium@148:h3` is chromium@148 over HTTP/3. */
export function armTitle(label: string): string {
  const { client, protocol, ...others } = factorsOfLabel(label);
  if (protocol === undefined) return label;
  const title = protocolTitles[protocol] ?? protocol;
  const settings = Object.entries(others).map(([name, value]) => `, ${name} ${value}`);
  const named = (client === undefined ? title : `${client} over ${title}`) + settings.join('');
  const repeat = /#(\d+)$/.exec(label)?.[1];
  return repeat === undefined ? named : `${named} (arm ${repeat})`;
}

/**
 * Titles of the two arms compared; `candidate` and `baseline` where a run has several pairs, whose rows then name
 * their own.
 */
export function comparedArms({ run, comparisons }: Summary): {
  readonly baseline: string;
  readonly candidate: string;
  readonly several: boolean;
} {
  const pairs = new Set(comparisons.map(({ baseline, candidate }) => `${baseline.arm}\n${candidate.arm}`));
  if (pairs.size > 1) return { baseline: 'baseline', candidate: 'candidate', several: true };
  return { baseline: armTitle(run.baselineArm), candidate: armTitle(run.candidateArm), several: false };
}

/** Longer titles stand once in full in the list of workloads. */
const longestTitle = 42;

function majorVersion(version: string): string {
  return version.split('.')[0] ?? version;
}

export function labelsOf(summary: Summary): Labels {
  const titles = new Map(summary.workloads.map(({ id, title }) => [id, title]));
  const { clients = [], servers = [], networks = [] } = summary.environment ?? {};
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
  const pooled: Readonly<Record<WorkloadKind, string>> = {
    page: 'All pages together',
    video: 'All videos together',
    download: 'All downloads together',
  };
  return {
    workload: (id, kind) => {
      if (id === 'pooled') return pooled[kind];
      const title = titles.get(id);
      return title !== undefined && title.length <= longestTitle ? title : id;
    },
    client: (id) => (id === byArm ? 'each arm’s client' : (clientTitles.get(id) ?? id)),
    network: (id) => (id === byArm ? 'each arm’s network' : (networkTitles.get(id) ?? id)),
    server: (id) => (id === byArm ? 'each arm’s server' : (serverTitles.get(id) ?? id)),
  };
}
