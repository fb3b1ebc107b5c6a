import { requireClientName } from '../../../harness/clients/resolve-client.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { networkProviders, networkSpecs } from '../../../harness/network/registry.ts';
import { probes } from '../../../harness/probes/registry.ts';
import { proxyProviders } from '../../../harness/proxies/registry.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { tcpCongestionControls } from '../../../harness/servers/tcp-congestion.ts';
import { partsOf } from '../../../harness/testbed/testbed-request.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { pageItself, urlWorkload } from '../../../sites/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { liveNetwork } from '../../model/live-names.ts';
import { didYouMean } from '../../model/nearest-name.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import type { Workload } from '../../model/workload.ts';
import type { PlanFileFault } from '../../plan/parse-plan-file.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';
import { addressOfEachArm } from './arm-addresses.ts';
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

/** A name, and the arm that sets it; none: the condition does. */
interface Named {
  readonly name: string;
  readonly arm?: string | undefined;
}

/** Factors of which a chain has several, apart at `/`; in a client's name that is part of a path. */
const chained: readonly string[] = ['network', 'proxy'];

const ofArm = (arm: string | undefined): string => (arm === undefined ? '' : `arm "${arm}": `);

function requireKnown(
  what: string,
  names: readonly Named[],
  known: readonly string[],
  many = `${what}s`,
): void {
  const found = names.find(({ name }) => !known.includes(name));
  if (found === undefined) return;
  const { name: unknown, arm } = found;
  throw new H2h3Error('usage', `${ofArm(arm)}unknown ${what} "${unknown}"`, {
    context: { expected: known.join(', '), got: unknown },
    next: didYouMean(unknown, known, `\`npx h2h3 describe ${many}\` lists them.`),
  });
}

/** @throws H2h3Error `usage` */
export function requireKnownProbes(asked: readonly string[]): void {
  requireKnown(
    'probe',
    asked.map((name) => ({ name })),
    probes.map(({ id }) => id),
  );
}

/** Algorithms that a sender here might run: the kernel's for TCP, and those of every server and proxy for QUIC. */
function knownCongestion(setup: SetupContext): string[] {
  const senders = [...serverProviders(setup), ...proxyProviders(setup)];
  const quic = senders.flatMap(({ quicCongestionControls }) => quicCongestionControls);
  return [...new Set([...tcpCongestionControls(), ...quic])].toSorted();
}

/** Which of them a server really runs shows when it is asked; a name that nobody has is a slip. */
function requireKnownCongestion({ trials }: Plan, setup: SetupContext): void {
  const known = knownCongestion(setup);
  for (const { arm, factors } of trials)
    for (const name of factors.congestion?.split('/') ?? []) {
      if (known.includes(name)) continue;
      throw new H2h3Error('usage', `arm "${arm}": no congestion control is called "${name}" here`, {
        context: { expected: known.join(', '), got: name },
        next: didYouMean(name, known),
      });
    }
}

/**
 * Clients, networks, servers and congestion controls of a plan must exist by name; whether this machine has them is another question.
 *
 * @throws H2h3Error `usage`, also for more networks or congestion controls than there are links
 */
export async function requireKnownNames(plan: Plan, setup: SetupContext): Promise<void> {
  // A live address has no server of ours, and a network only where the plan shapes its path.
  const served = plan.conditions.filter(
    ({ workload }) =>
      ![addressOfEachArm, ...plan.urls.map((url) => urlWorkload(url).id)].includes(pageItself(workload)),
  );
  const servedIds = new Set(served.map(({ conditionId }) => conditionId));
  const servedTrials = plan.trials.filter(({ conditionId }) => servedIds.has(conditionId));
  const named = (
    factor: 'client' | 'network' | 'server' | 'proxy',
    from: readonly PlannedTrial[],
  ): Named[] => {
    const setting = new Set(
      plan.arms.flatMap(({ label, factors }) => (factors[factor] === undefined ? [] : [label])),
    );
    return from.flatMap(({ arm, factors: { [factor]: value } }) => {
      const names = chained.includes(factor) ? value?.split('/') : value;
      return [names ?? []].flat().map((name) => ({ name, arm: setting.has(arm) ? arm : undefined }));
    });
  };
  const idsOf = (known: readonly { readonly id: string }[]): string[] => known.map(({ id }) => id);
  requireKnown(
    'network',
    named(
      'network',
      plan.trials.filter(({ network }) => network !== liveNetwork),
    ),
    idsOf(networkProviders(setup, plan.customNetworks)),
  );
  requireKnown('server', named('server', servedTrials), idsOf(serverProviders(setup)));
  requireKnown('proxy', named('proxy', servedTrials), idsOf(proxyProviders(setup)), 'proxies');
  requireKnownCongestion(plan, setup);
  // Takes each chain apart, to see that nothing names more links than it has.
  for (const { server, network, factors } of servedTrials) {
    const { congestion, proxy } = factors;
    const chain = {
      ...(congestion === undefined ? {} : { congestion }),
      ...(proxy === undefined ? {} : { proxy }),
    };
    partsOf({ server, network, ...chain });
  }
  const clients = new Map(named('client', plan.trials).map(({ name, arm }) => [name, arm]));
  for (const [client, arm] of clients) await requireClientName(client, setup, ofArm(arm));
}
