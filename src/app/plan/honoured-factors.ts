import { availableParallelism } from 'node:os';
import { commandClients } from '../../../harness/clients/commands/registry.ts';
import { driverOf } from '../../../harness/clients/drivers.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { testbedFactors } from '../../../harness/testbed/testbed-request.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import {
  factorDefinition,
  cpuSharePercent,
  factorNames,
  flagList,
  type FactorName,
} from '../../model/factor.ts';
import type { Plan } from '../../model/plan.ts';
import { liveServer } from '../../model/live-address.ts';
import type { Clients } from '../run/prepare-run.ts';

/** An arm, a factor that it sets, and who would have to honour it. */
interface Unhonoured {
  readonly arm: string;
  readonly name: FactorName;
  readonly who: string;
  /** What that one honours instead. */
  readonly honoured: readonly FactorName[];
}

function unhonoured(plan: Plan, clients: Clients, setup: SetupContext): Unhonoured | undefined {
  const servers = new Map(serverProviders(setup).map((server) => [server.id, server.factors ?? []]));
  for (const { arm, client, server, factors } of plan.trials) {
    const found = clients.get(client);
    const byClient =
      found === undefined || found instanceof H2h3Error ? null : driverOf(found.family).factors;
    const byTestbed = server === liveServer ? [] : [...testbedFactors, ...(servers.get(server) ?? [])];
    for (const name of factorNames.filter((one) => factors[one] !== undefined)) {
      const { honouredBy } = factorDefinition(name);
      if (honouredBy === 'client' && byClient !== null && !byClient.includes(name))
        return { arm, name, who: `the client ${client}`, honoured: byClient };
      if (honouredBy === 'testbed' && !byTestbed.includes(name))
        return {
          ...{ arm, name, honoured: byTestbed },
          who: server === liveServer ? 'a server that is not ours' : `the server ${server}`,
        };
    }
  }
  return undefined;
}

const linkFactors = ['offloads', 'mtu', 'tcpbuffers', 'udp'] as const;

/** A link that a trial names must be one whose ends are ours, and able to have the state of offloads that it sets. */
function requireSettableLinks(plan: Plan, setup: SetupContext): void {
  const networks = networkProviders(setup, plan.customNetworks);
  for (const { arm, network, server, factors } of plan.trials)
    for (const name of server === liveServer ? [] : linkFactors) {
      const value = factors[name];
      if (value === undefined) continue;
      const able = networks.filter(
        ({ settable }) =>
          settable !== undefined &&
          (name !== 'offloads' || settable.offloads.some((state) => state === value)),
      );
      const unable = network.split('/').find((id) => !able.some((one) => one.id === id));
      if (unable === undefined) continue;
      const why =
        networks.find(({ id }) => id === unable)?.settable?.reason ?? 'its ends are the machine’s own';
      throw new H2h3Error(
        'usage',
        `arm "${arm}" sets ${name}=${value}, which the network ${unable} cannot have: ${why}`,
        { context: { expected: able.map(({ id }) => id).join(', ') }, next: 'Name one of these networks.' },
      );
    }
}

function requireFlags({ trials }: Plan, clients: Clients): void {
  for (const { arm, client, factors } of trials) {
    const found = clients.get(client);
    if (factors.flags === undefined || found === undefined || found instanceof H2h3Error) continue;
    const { pattern, example } = driverOf(found.family).flagForm;
    const wrong = flagList(factors).find((flag) => !pattern.test(flag));
    if (wrong === undefined) continue;
    throw new H2h3Error('usage', `arm "${arm}": "${wrong}" is no flag of ${found.name}`, {
      context: { expected: `words such as ${example}`, got: wrong },
    });
  }
}

/** More than the machine has would be no limit. */
function requireCpuShares({ trials }: Plan): void {
  const mostPercent = 100 * availableParallelism();
  for (const { arm, factors } of trials) {
    if (factors.cpu === undefined || cpuSharePercent(factors.cpu) <= mostPercent) continue;
    throw new H2h3Error('usage', `arm "${arm}": cpu=${factors.cpu} is more than this machine has`, {
      context: { expected: `at most ${mostPercent}% (100% is one CPU)`, got: factors.cpu },
    });
  }
}

/** The command-line clients that know a factor, where only some do. */
function whoKnows(name: FactorName): string {
  const able = commandClients.flatMap(({ id, factors = [] }) => (factors.includes(name) ? [id] : []));
  return able.length === 0 ? '' : `Name the client ${able.join(' or ')}. `;
}

/**
 * What an arm sets must be honoured by its client or its server: nothing is dropped in silence.
 * @throws H2h3Error `usage` naming the arm and what would be valid
 */
export function requireHonouredFactors(plan: Plan, clients: Clients, setup: SetupContext): void {
  requireFlags(plan, clients);
  requireCpuShares(plan);
  const found = unhonoured(plan, clients, setup);
  if (found === undefined) return requireSettableLinks(plan, setup);
  const { arm, name, who, honoured } = found;
  throw new H2h3Error('usage', `arm "${arm}" sets ${name}, which ${who} does not know`, {
    context: { expected: honoured.length === 0 ? 'none of these factors' : honoured.join(', '), got: name },
    next: `${whoKnows(name)}\`npx h2h3 describe factors\` says what each factor is.`,
  });
}
