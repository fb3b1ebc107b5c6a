import { blindMargins } from '../../analyse/gate/margin-check.ts';
import type { Plan } from '../../core/model/plan.ts';
import { blocksWithin } from './budget.ts';
import { check, type Blocker } from './check.ts';
import type { GateLimits } from './facts.ts';

/** A strict gate does not ask for less than the machine can see in the blocks that its budget holds. */
export const visibleMargins = check('visible-margins', ['gate', 'time'], (plan, { gate, time }) =>
  marginBlockers({ ...plan, repetitions: blocksWithin(time, plan.repetitions) }, limitsFor(plan, gate)),
);

/** What one machine can tell apart says nothing of several. */
function limitsFor({ hosts }: Plan, gate: GateLimits): GateLimits {
  if (hosts === undefined) return gate;
  const others = [
    ...(hosts.server === undefined ? [] : [`the server on ${hosts.server}`]),
    ...(hosts.proxy === undefined ? [] : [`the proxy on ${hosts.proxy}`]),
    ...(hosts.client === undefined ? [] : [`the client on ${hosts.client}`]),
  ];
  const machineClass = `${gate.machineClass}, with ${others.join(' and ')}`;
  return { ...gate, machineClass, calibration: null };
}

/** What the calibration of this class of machine says about the margins of a plan. */
export function marginBlockers(
  plan: Plan,
  { machineClass, calibration, strict, force }: GateLimits,
): Blocker[] {
  const warning = (reason: string): Blocker => ({ code: 'usage', reason, trialIds: [] });
  if (calibration === null)
    return [
      warning(
        `this class of machine (${machineClass}) is not calibrated: what it can detect is not known (npx h2h3 calibrate)`,
      ),
    ];
  const blind = blindMargins(plan, calibration).map(({ sentence }) => sentence);
  if (blind.length === 0 || !strict || force || plan.exploratory) return blind.map(warning);
  return [
    {
      code: 'usage',
      reason: `this gate could not be decided\n  ${blind.join('\n  ')}`,
      next: 'Ask for a wider margin (--margin, --margins), calm the machine and calibrate again, give it more time, say --allow-undecided, or say --force (of plan: --exploratory).',
    },
  ];
}
