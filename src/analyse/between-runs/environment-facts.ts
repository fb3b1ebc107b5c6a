import { machinesOf } from '../../core/model/machine-class.ts';
import { virtualWords, type Environment } from '../../core/model/environment.ts';

/** What is known of a run besides its figures, in words, by what it is. */
export type Facts = ReadonlyMap<string, string>;

/** Something in which two runs are unlike. */
export interface Unlike {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

export function unlike(a: Facts, b: Facts): Unlike[] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((what) => a.get(what) !== b.get(what))
    .map((what) => ({ what, a: a.get(what) ?? 'absent', b: b.get(what) ?? 'absent' }));
}

/** Names in one line, each once, whatever their order was. */
export function listed(items: readonly string[]): string {
  return [...new Set(items)].toSorted().join(', ');
}

/** The machine; with servers or clients on another one, that too. */
export const machineWords = ({ machine, ...others }: Environment): string =>
  machinesOf(others, wordsOf(machine), wordsOf);

const wordsOf = (machine: Environment['machine']): string =>
  `${machine.platform}, ${machine.cpuModel}, ${machine.cpuCount} CPUs${virtualWords(machine)}`;

export function networkWords({ networks }: Environment, id: string): string {
  const network = networks.find((network) => network.id === id);
  if (network === undefined) return 'unknown';
  const { backend, description, spec } = network;
  // What it did for a moment is another each time.
  if (backend === 'real') return 'the link between two machines';
  return `${description || id}, made by ${backend}${spec === undefined ? '' : `, ${JSON.stringify(spec)}`}`;
}

/** Which CPUs are whose, and every client and server with its version and its rules. */
export function programFacts({ clients, servers, pinning }: Environment): Facts {
  return new Map([
    ['CPUs of browser and server', `${pinning.browserCpus ?? 'any'} / ${pinning.serverCpus ?? 'any'}`],
    ...clients.map(
      ({ id, name, version, build, headed, quicLibrary }) =>
        [
          `client ${id}`,
          `${name} ${version} (${build}${headed ? ', with a window' : ''}${quicLibrary === undefined ? '' : `, HTTP/3 by ${quicLibrary}`})`,
        ] as const,
    ),
    ...servers.flatMap(({ id, name, version, tcpCongestionControl, quicCongestionControl }) => [
      [`server ${id}`, `${name} ${version}`] as const,
      [`congestion control of ${id}`, `TCP ${tcpCongestionControl}, QUIC ${quicCongestionControl}`] as const,
    ]),
  ]);
}
