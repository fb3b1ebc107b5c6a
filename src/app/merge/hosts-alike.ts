import type { Environment } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import { unlike, type Facts } from '../../analyse/between-runs/environment-facts.ts';
import { environmentFacts } from '../run/same-environment.ts';
import { wordsOfVersion } from '../version.ts';

/** All in which the hosts of one run must be alike, in words. */
function factsOfHost(environment: Environment): Facts {
  const { node, h2h3, ffmpeg, packages, clients } = environment;
  return new Map([
    ...environmentFacts(environment),
    ['machine class', machineClassOfRun(environment)],
    ['h2h3', wordsOfVersion(h2h3)],
    ['Node', node],
    ['ffmpeg', ffmpeg ?? 'none'],
    ...Object.entries(packages).map(([name, version]) => [`package ${name}`, version] as const),
    ...clients.flatMap(({ id, executableSha256 }) =>
      executableSha256 === undefined ? [] : [[`program of ${id}`, `SHA-256 ${executableSha256}`] as const],
    ),
  ]);
}

/** One host of a run with the name by which a reader finds it. */
export interface NamedEnvironment {
  readonly name: string;
  readonly environment: Environment;
}

/**
 * Hosts of one run differ by chance only: a class of machine, versions, programs and networks are the same.
 *
 * @throws H2h3Error `bad-input` that names what differs
 */
export function requireHostsAlike(first: NamedEnvironment, other: NamedEnvironment): void {
  const differences = unlike(factsOfHost(first.environment), factsOfHost(other.environment));
  if (differences.length === 0) return;
  const lines = differences.map(({ what, a, b }) => `${what}: ${a} there, ${b} here`);
  throw new H2h3Error(
    'bad-input',
    `${other.name} is no host of the run that ${first.name} is of, because they differ in\n  ${lines.join('\n  ')}`,
    { next: 'Give all hosts of a run the same machine, the same h2h3 and the same programs.' },
  );
}
