import { networkProviders } from '../../../harness/network/registry.ts';
import { factorsSetIn } from '../../core/factors/registry.ts';
import { mustHonour, valuesFor, valuesOf } from '../../core/factors/values.ts';
import { liveServer } from '../../core/model/live-address.ts';
import { armCheck } from './arm-check.ts';
import type { Obstacle } from './check.ts';

/** A link that a trial names must be one whose ends are ours, and able to be as the trial sets it. */
export const linkFactors = armCheck('link-factors', ['setup'], (trial, { setup }, { customNetworks }) => {
  const { arm, network, server, factors } = trial;
  if (server === liveServer) return [];
  const networks = networkProviders(setup, customNetworks);
  return factorsSetIn(factors).flatMap((factor): Obstacle[] => {
    const isOfLink = mustHonour(factor, valuesOf(factors)[factor.id], ['link'], factors);
    if (!isOfLink && factor.needsOwnLink !== true) return [];
    const text = factors[factor.id] ?? '';
    const settings = isOfLink ? valuesFor(['link'], { protocol: factors.protocol, [factor.id]: text }) : {};
    const reasonOf = (id: string): string | undefined => {
      const whyNot = networks.find((network) => network.id === id)?.whyNot;
      return whyNot === undefined ? 'its ends are the machine’s own' : whyNot(settings);
    };
    const unable = network.split('/').find((id) => reasonOf(id) !== undefined);
    if (unable === undefined) return [];
    const able = networks.filter(({ id }) => reasonOf(id) === undefined);
    return [
      {
        code: 'usage',
        reason: `arm "${arm}" sets ${factor.id}=${text}, which the network ${unable} cannot have: ${reasonOf(unable)}`,
        context: { expected: able.map(({ id }) => id).join(', ') },
        next: 'Name one of these networks.',
      },
    ];
  });
});
