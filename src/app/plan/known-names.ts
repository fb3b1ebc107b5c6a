import { loopback } from '../../../harness/network/loopback.ts';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { probes } from '../../../harness/probes/registry.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean } from '../../core/model/nearest-name.ts';
import type { Workload } from '../../core/model/workload.ts';
import type { PlanFileFault } from '../../plan/parse-plan-file.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';
import { workloadNamed } from './workload-catalogue.ts';

/** Names in a plan file that nothing has: workloads, networks and probes. */
export function unknownNames(
  { workloads = [], networks = [], probes: asked = [], customNetworks = {} }: PlanFileInput,
  catalogue: ReadonlyMap<string, Workload>,
): PlanFileFault[] {
  const known = new Set([loopback.id, ...networkSpecs.map(({ id }) => id), ...Object.keys(customNetworks)]);
  const probeIds = probes.map(({ id }) => id);
  return [
    ...workloads.flatMap((id, index) =>
      workloadNamed(id, catalogue)
        ? []
        : [{ path: ['workloads', index], message: `unknown workload "${id}"` }],
    ),
    ...networks.flatMap((id, index) =>
      known.has(id) ? [] : [{ path: ['networks', index], message: unknown('network', id, [...known]) }],
    ),
    ...asked.flatMap((id, index) =>
      probeIds.includes(id) ? [] : [{ path: ['probes', index], message: unknown('probe', id, probeIds) }],
    ),
  ];
}

function unknown(what: string, name: string, known: readonly string[]): string {
  return `unknown ${what}. ${didYouMean(name, known, `\`npx h2h3 describe ${what}s\` lists them`)}`;
}

/** @throws H2h3Error `usage` */
export function requireKnownProbes(asked: readonly string[]): void {
  const known = probes.map(({ id }) => id);
  const found = asked.find((name) => !known.includes(name));
  if (found === undefined) return;
  throw new H2h3Error('usage', `unknown probe "${found}"`, {
    context: { expected: known.join(', '), got: found },
    next: didYouMean(found, known, '`npx h2h3 describe probes` lists them.'),
  });
}
