import type { Environment } from '../model/environment.ts';
import { metricDefinition } from '../metrics/registry.ts';
import { armName } from '../factors/arm-name.ts';
import { namesOf } from '../model/names.ts';
import type { Names } from '../model/names.ts';
import type { Plan } from '../model/plan.ts';
import type { PublishedFigure } from '../model/published.ts';
import type { Comparison, Summary } from '../model/summary.ts';
import { pooledWorkload } from './comparison/pooled-drafts.ts';
import { sureSide } from './comparison/sure-side.ts';
import { comparisonSentence } from './wording/comparison-sentence.ts';

type PublishedResult = NonNullable<Summary['published']>[number];

/** Each published figure of the plan beside what this run has to say of the same thing; undefined without any. */
export function publishedResults(
  plan: Plan,
  comparisons: readonly Comparison[],
  environment: Environment | null,
): PublishedResult[] | undefined {
  const ourMachine = machineWords(environment);
  const names = namesOf({ workloads: plan.workloads, environment });
  return plan.published?.map((figure) => ({
    ...figure,
    ours: comparisons
      .filter((comparison) => belongsTo(comparison, figure))
      .map((comparison) => {
        const side = sureSide(comparison);
        return {
          place: conditionWords(comparison, names),
          text: wordsOf(plan, comparison, names),
          verdict: comparison.verdict,
          ...(side !== undefined && { side }),
        };
      }),
    ourMachine,
  }));
}

function belongsTo(comparison: Comparison, figure: PublishedFigure): boolean {
  const { metric, workload, network, client, baseline, candidate } = comparison;
  return (
    metric === figure.metric &&
    (figure.workloads === undefined || workload === pooledWorkload || figure.workloads.includes(workload)) &&
    (figure.networks === undefined || figure.networks.includes(network)) &&
    (figure.clients === undefined || figure.clients.includes(client.replace(/@.*/, ''))) &&
    (figure.compare === undefined ||
      (figure.compare[0] === baseline.arm && figure.compare[1] === candidate.arm))
  );
}

function conditionWords({ workload, workloadKind, client, network }: Comparison, names: Names): string {
  return [names.workload(workload, workloadKind), names.client(client), names.shortNetwork(network)].join(
    ', ',
  );
}

function wordsOf(plan: Plan, comparison: Comparison, names: Names): string {
  const named = (label: string): string => {
    const arm = plan.arms.find((candidate) => candidate.label === label);
    return arm === undefined ? label : armName(arm);
  };
  return comparisonSentence(comparison, {
    baseline: named(comparison.baseline.arm),
    candidate: named(comparison.candidate.arm),
    place: '',
    title: metricDefinition(comparison.metric)?.title ?? comparison.metric,
    workload: (id) => names.workload(id, comparison.workloadKind),
  });
}

function machineWords(environment: Environment | null): string {
  if (environment === null) return 'unknown: environment.json is missing';
  const { machine, clients, servers, networks } = environment;
  const virtual =
    machine.virtualised === null
      ? ''
      : `, virtual machine (${machine.virtualised.replace(/^yes \((.+)\)$/, '$1')})`;
  return [
    `${machine.cpuModel}, ${machine.cpuCount} CPUs${virtual}, browser and server on this one machine`,
    ...clients.map(({ name, version, build }) => `${name} ${version} (${build})`),
    ...servers.map(
      (server) =>
        `${server.name} ${server.version} (QUIC ${server.quicCongestionControl}, TCP ${server.tcpCongestionControl})`,
    ),
    `paths: ${[...new Set(networks.map(({ backend }) => backend))].join(', ')}`,
  ].join(' · ');
}
