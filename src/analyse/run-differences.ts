import type { Environment } from '../model/environment.ts';
import { machineClassOf } from '../model/machine-class.ts';
import type { Plan } from '../model/plan.ts';

/** A run as far as it must be like another one to be set beside it. */
export interface ComparableRun {
  readonly plan: Plan;
  readonly environment: Environment | null;
}

function list(items: readonly string[]): string {
  return [...new Set(items)].sort().join(', ');
}

/** What must agree, in words, by name. */
function factsOf({ plan, environment }: ComparableRun): Record<string, string> {
  const networks = environment?.networks ?? [];
  const servers = environment?.servers ?? [];
  return {
    'machine class': environment === null ? 'unknown' : machineClassOf(environment.machine),
    'site set': list(plan.workloads.map(({ id }) => id)),
    network: list(
      plan.conditions.map(({ network }) => {
        const found = networks.find(({ id }) => id === network);
        const spec = found?.spec === undefined ? '' : ` ${JSON.stringify([found.spec.up, found.spec.down])}`;
        return found === undefined ? network : `${network} (${found.backend}${spec})`;
      }),
    ),
    server: list(
      plan.conditions.map(({ server }) => {
        const found = servers.find(({ id }) => id === server);
        return found === undefined ? server : `${found.name} ${found.version}`;
      }),
    ),
    'browser build': list((environment?.clients ?? []).map(({ family, build }) => `${family} ${build}`)),
  };
}

/**
 * What two runs differ by so that their figures must not be set side by side, a line each; empty when nothing does.
 * The document's schema is checked when a run is read: another version cannot be read at all.
 */
export function runDifferences(a: ComparableRun, b: ComparableRun): string[] {
  const [before, after] = [factsOf(a), factsOf(b)];
  return Object.keys(before).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name}: ${before[name] ?? ''} against ${after[name] ?? ''}`],
  );
}
