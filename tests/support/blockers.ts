import type { PlanFlags } from '../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../src/app/plan/plan-request.ts';
import type { Check, Blocker } from '../../src/app/preflight/check.ts';
import type { Facts } from '../../src/app/preflight/facts.ts';

/** What a check has against an arm next to itself, of a plan in Chromium over loopback where `flags` say nothing else. */
export async function blockersOfArm(
  { judge }: Check,
  arm: string,
  flags: PlanFlags,
  facts: Partial<Facts> = {},
): Promise<readonly Blocker[]> {
  const usual = { network: 'loopback', client: 'chromium', exploratory: true };
  const { plan } = planFromRequest(readPlanRequest(undefined, { ...usual, ...flags, arm: [arm, arm] }), '');
  return judge(plan, facts);
}
