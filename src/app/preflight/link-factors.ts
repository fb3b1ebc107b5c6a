import { networksOfPlan } from './networks-of-plan.ts';
import { factorsSetIn, type AnyFactor } from '../../core/factors/registry.ts';
import { mustApply, valuesFor, valuesOf } from '../../core/factors/values.ts';
import { liveServer } from '../../core/model/live-address.ts';
import { armCheck } from './arm-check.ts';
import type { Blocker } from './check.ts';

/** A link that a trial names must be one whose ends are ours, and able to be as the trial sets it. */
export const linkFactors = armCheck('link-factors', ['setup'], (trial, { setup }, plan) => {
  const { arm, network, server, factors } = trial;
  if (server === liveServer) return [];
  const networks = networksOfPlan(plan, setup);
  const blockersOf = (factor: AnyFactor, together: readonly AnyFactor[]): Blocker[] => {
    const text = factors[factor.id] ?? '';
    const texts = Object.fromEntries(together.map(({ id }) => [id, factors[id]]));
    const settings =
      together.length === 0 ? {} : valuesFor(['link'], { protocol: factors.protocol, ...texts });
    const reasonOf = (id: string): string | undefined => {
      const unsupportedReason = networks.find((network) => network.id === id)?.unsupportedReason;
      return unsupportedReason === undefined ? 'its ends are the machine’s own' : unsupportedReason(settings);
    };
    const unable = network.split('/').find((id) => reasonOf(id) !== undefined);
    if (unable === undefined) return [];
    const able = networks.filter(({ id }) => reasonOf(id) === undefined);
    return [
      {
        code: 'usage',
        reason: `arm "${arm}" sets ${factor.id}=${text}, which the network ${unable} cannot have: ${reasonOf(unable)}`,
        context: { expected: able.map(({ id }) => id).join(', ') },
        next: able.length === 0 ? 'Leave it out, or measure on one machine.' : 'Name one of these networks.',
      },
    ];
  };
  const ofLink = factorsSetIn(factors).filter((factor) =>
    mustApply(factor, valuesOf(factors)[factor.id], ['link'], factors),
  );
  const ownLink = factorsSetIn(factors).filter((factor) => factor.needsOwnLink === true);
  const alone = [
    ...ofLink.flatMap((factor) => blockersOf(factor, [factor])),
    ...ownLink.filter((factor) => !ofLink.includes(factor)).flatMap((factor) => blockersOf(factor, [])),
  ];
  if (alone.length > 0) return alone;
  // Each must also fit what those before it made of the link.
  return ofLink.flatMap((factor, index) => blockersOf(factor, ofLink.slice(0, index + 1))).slice(0, 1);
});
