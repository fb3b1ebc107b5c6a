import { audienceNetwork } from '../../core/model/audience-network.ts';
import { audienceWords } from '../../core/model/audience-series.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { RunDifference } from '../../core/model/run-comparison.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import {
  listed,
  machineWords,
  networkWords,
  programFacts,
  unlike,
  type Facts,
} from '../between-runs/environment-facts.ts';

function machineOf(environment: Environment | null): string {
  return environment === null ? 'unknown: environment.json is missing' : machineWords(environment);
}

/** What makes figures of two runs incomparable where it differs. */
function strictFacts(summary: Summary): Facts {
  const { environment, comparisons, workloads, schemaVersion, audience } = summary;
  const networks = [...new Set(comparisons.map(({ network }) => network))];
  const named = networks.length > 0 ? networks : (environment?.networks ?? []).map(({ id }) => id);
  const ids = named.filter((id) => id !== audienceNetwork);
  return new Map([
    ['schema version', String(schemaVersion)],
    ['machine', machineOf(environment)],
    ['workloads', listed(workloads.map(({ id }) => id))],
    ['networks', listed(ids)],
    ...(audience === undefined ? [] : [['audience', audienceWords(audience)] as const]),
    ...ids.map(
      (id) => [`network ${id}`, environment === null ? 'unknown' : networkWords(environment, id)] as const,
    ),
  ]);
}

/** What may well be the reason for the comparison, or bears on it: named, never a reason to refuse. */
function namedFacts({ environment, run, audience }: Summary): Facts {
  const facts: [string, string][] = [
    ['arms', run.arms.join(', ')],
    ['blocks', String(run.repetitions)],
    ['command', run.command],
    ...(audience === undefined ? [] : [['file of the audience', audience.source] satisfies [string, string]]),
  ];
  if (environment === null) return new Map(facts);
  const { machine, h2h3, node } = environment;
  facts.push(
    ['kernel', machine.kernel],
    ['CPU governor', machine.governor ?? 'unknown'],
    ['h2h3', `${h2h3.version}${h2h3.gitRevision === null ? '' : ` (${h2h3.gitRevision.slice(0, 12)})`}`],
    ['Node', node],
  );
  return new Map([...facts, ...programFacts(environment)]);
}

function differences(a: Facts, b: Facts, refuses: boolean): RunDifference[] {
  return unlike(a, b).map((difference) => ({ ...difference, refuses }));
}

/** Whether the same metric was judged by other margins. */
function marginDifferences(a: Summary, b: Summary): RunDifference[] {
  const marginsOf = ({ comparisons }: Summary): Facts =>
    new Map(
      comparisons
        .filter(({ ratio }: Comparison) => ratio !== null)
        .map(({ metric, margin }) => [`margin of ${metric}`, String(margin)]),
    );
  const first = marginsOf(a);
  const second = marginsOf(b);
  return differences(first, second, false).filter(({ what }) => first.has(what) && second.has(what));
}

/** Programs of one version that are not the same build, where both are known. */
function buildDifferences(a: Summary, b: Summary): RunDifference[] {
  const buildsOf = ({ environment }: Summary): Facts =>
    new Map(
      [...(environment?.clients ?? []), ...(environment?.servers ?? [])].flatMap(
        ({ id, version, executableSha256 }) =>
          executableSha256 === undefined
            ? []
            : [[`build of ${id} ${version}`, `SHA-256 ${executableSha256.slice(0, shownDigits)}…`] as const],
      ),
    );
  const first = buildsOf(a);
  const second = buildsOf(b);
  return differences(first, second, false).filter(({ what }) => first.has(what) && second.has(what));
}

/** Of a digest, as many as tell builds apart for a reader. */
const shownDigits = 12;

/** Everything in which two runs differ besides their figures; those that make them incomparable first. */
export function runDifferences(a: Summary, b: Summary): RunDifference[] {
  const unknown = [a, b].some(({ environment }) => environment === null);
  const strict = differences(strictFacts(a), strictFacts(b), true);
  const machine = {
    what: 'machine',
    a: machineOf(a.environment),
    b: machineOf(b.environment),
    refuses: true,
  };
  return [
    ...(unknown && !strict.some(({ what }) => what === 'machine') ? [machine] : []),
    ...strict,
    ...differences(namedFacts(a), namedFacts(b), false),
    ...buildDifferences(a, b),
    ...marginDifferences(a, b),
  ];
}
