import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { changingNetworks } from './changing-networks.ts';
import { everydayNetworks } from './everyday-networks.ts';
import { kakhkiNetworks } from './kakhki-networks.ts';
import { liuNetworks } from './liu-networks.ts';
import { loopback } from './loopback.ts';
import { mozillaNetworks } from './mozilla-networks.ts';
import type { NetworkProvider } from './network.ts';
import { shapedNetwork } from './shaped-network.ts';

/** Every network that has figures, by name; a new one is one entry here or in one of these lists. */
export const networkSpecs: readonly NetworkSpec[] = [
  ...everydayNetworks,
  ...changingNetworks,
  ...liuNetworks,
  ...kakhkiNetworks,
  ...mozillaNetworks,
];

/**
 * Every network that can be named, those of a plan file (`custom`) included.
 *
 * @param shape what carries out figures. Default: a path between two namespaces
 */
export function networkProviders(
  context: SetupContext,
  custom: readonly NetworkSpec[] = [],
  shape: (spec: NetworkSpec) => NetworkProvider = (spec) => shapedNetwork(spec, context),
): readonly NetworkProvider[] {
  return [loopback, ...[...custom, ...networkSpecs].map(shape)];
}
