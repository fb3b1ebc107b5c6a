import { abilitiesBefore, type NetworkAbilities } from '../../../harness/hosts/network-before.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { Plan } from '../../core/model/plan.ts';

/** Every network that a plan can name, and what it can be where the plan's servers are. */
export function networksOfPlan(
  { customNetworks, hosts }: Pick<Plan, 'customNetworks' | 'hosts'>,
  setup: SetupContext,
): readonly NetworkAbilities[] {
  const networks = networkProviders(setup, customNetworks);
  return hosts === undefined
    ? networks
    : networks.map((network) => (network === loopback ? network : abilitiesBefore(network, setup)));
}
