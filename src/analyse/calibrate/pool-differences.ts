import type { Environment } from '../../core/model/environment.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import type { Plan } from '../../core/model/plan.ts';
import { listed, unlike, type Facts } from '../between-runs/environment-facts.ts';

/** A run as far as it must be like another one to be set next to it. */
export interface ComparableRun {
  readonly plan: Plan;
  readonly environment: Environment | null;
}

/** What must agree, in words, by name. */
function factsOf({ plan, environment }: ComparableRun): Facts {
  const networks = environment?.networks ?? [];
  const servers = environment?.servers ?? [];
  return new Map(
    Object.entries({
      'machine class': environment === null ? 'unknown' : machineClassOfRun(environment),
      'site set': listed(plan.workloads.map(({ id }) => id)),
      network: listed(
        plan.conditions.map(({ network }) => {
          const found = networks.find(({ id }) => id === network);
          const spec =
            found?.spec === undefined ? '' : ` ${JSON.stringify([found.spec.up, found.spec.down])}`;
          return found === undefined ? network : `${network} (${found.backend}${spec})`;
        }),
      ),
      server: listed(
        plan.conditions.map(({ server }) => {
          const found = servers.find(({ id }) => id === server);
          return found === undefined ? server : `${found.name} ${found.version}`;
        }),
      ),
      'browser build': listed((environment?.clients ?? []).map(({ family, build }) => `${family} ${build}`)),
    }),
  );
}

/**
 * What two runs differ by so that their figures must not be put together, a line each; empty when nothing does.
 * The document's schema is checked when a run is read: another version cannot be read at all.
 */
export function poolDifferences(first: ComparableRun, second: ComparableRun): string[] {
  return unlike(factsOf(first), factsOf(second)).map(({ what, a, b }) => `${what}: ${a} against ${b}`);
}
