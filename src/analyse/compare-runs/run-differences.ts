import type { Environment } from '../../model/environment.ts';
import type { RunDifference } from '../../model/run-comparison.ts';
import type { Comparison, Summary } from '../../model/summary.ts';

type Facts = ReadonlyMap<string, string>;

function list(items: readonly string[]): string {
  return [...new Set(items)].toSorted().join(', ');
}

function machineOf(environment: Environment | null): string {
  if (environment === null) return 'unknown: environment.json is missing';
  const { machine } = environment;
  const virtual = machine.virtualised === null ? '' : `, ${machine.virtualised}`;
  return `${machine.platform}, ${machine.cpuModel}, ${machine.cpuCount} CPUs${virtual}`;
}

function networkOf(environment: Environment | null, id: string): string {
  const network = environment?.networks.find((one) => one.id === id);
  if (!network) return 'unknown';
  const { backend, description, spec } = network;
  return `${description || id}, made by ${backend}${spec === undefined ? '' : `, ${JSON.stringify(spec)}`}`;
}

/** What makes figures of two runs incomparable where it differs. */
function strictFacts(summary: Summary): Facts {
  const { environment, comparisons, workloads, schemaVersion } = summary;
  const networks = [...new Set(comparisons.map(({ network }) => network))];
  const ids = networks.length > 0 ? networks : (environment?.networks ?? []).map(({ id }) => id);
  return new Map([
    ['schema version', String(schemaVersion)],
    ['machine', machineOf(environment)],
    ['workloads', list(workloads.map(({ id }) => id))],
    ['networks', list(ids)],
    ...ids.map((id) => [`network ${id}`, networkOf(environment, id)] as const),
  ]);
}

/** What may well be the reason for the comparison, or bears on it: named, never a reason to refuse. */
function namedFacts({ environment, run }: Summary): Facts {
  const facts: [string, string][] = [
    ['arms', run.arms.join(', ')],
    ['blocks', String(run.repetitions)],
    ['command', run.command],
  ];
  if (environment === null) return new Map(facts);
  const { machine, h2h3, pinning } = environment;
  facts.push(
    ['kernel', machine.kernel],
    ['CPU governor', machine.governor ?? 'unknown'],
    ['h2h3', `${h2h3.version}${h2h3.gitRevision === null ? '' : ` (${h2h3.gitRevision.slice(0, 12)})`}`],
    ['Node', environment.node],
    ['CPUs of browser and server', `${pinning.browserCpus ?? 'any'} / ${pinning.serverCpus ?? 'any'}`],
  );
  for (const { id, name, version, build, headed } of environment.clients) {
    facts.push([`client ${id}`, `${name} ${version} (${build}${headed ? ', with a window' : ''})`]);
  }
  for (const { id, name, version, ...rules } of environment.servers) {
    facts.push([`server ${id}`, `${name} ${version}`]);
    facts.push([
      `congestion control of ${id}`,
      `TCP ${rules.tcpCongestionControl}, QUIC ${rules.quicCongestionControl}`,
    ]);
  }
  return new Map(facts);
}

function unlike(a: Facts, b: Facts, refuses: boolean): RunDifference[] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((what) => a.get(what) !== b.get(what))
    .map((what) => ({ what, a: a.get(what) ?? 'absent', b: b.get(what) ?? 'absent', refuses }));
}

/** Whether the same metric was judged by other margins. */
function marginDifferences(a: Summary, b: Summary): RunDifference[] {
  const marginsOf = ({ comparisons }: Summary): Facts =>
    new Map(
      comparisons
        .filter(({ ratio }: Comparison) => ratio !== null)
        .map(({ metric, margin }) => [`margin of ${metric}`, String(margin)]),
    );
  const [first, second] = [marginsOf(a), marginsOf(b)];
  return unlike(first, second, false).filter(({ what }) => first.has(what) && second.has(what));
}

/** Everything in which two runs differ beside their figures; those that make them incomparable first. */
export function runDifferences(a: Summary, b: Summary): RunDifference[] {
  const unknown = [a, b].some(({ environment }) => environment === null);
  const strict = unlike(strictFacts(a), strictFacts(b), true);
  const machine = {
    what: 'machine',
    a: machineOf(a.environment),
    b: machineOf(b.environment),
    refuses: true,
  };
  return [
    ...(unknown && !strict.some(({ what }) => what === 'machine') ? [machine] : []),
    ...strict,
    ...unlike(namedFacts(a), namedFacts(b), false),
    ...marginDifferences(a, b),
  ];
}
