import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { families } from '../../../../src/app/preflight/families.ts';

/** Why arms of a version of IP cannot be, each reason once. @param thirdParties in the place of what the flags say of them */
async function reasonsOf(flags: PlanFlags, thirdParties?: string): Promise<readonly string[]> {
  const usual = { repetitions: '1', exploratory: true };
  const { plan } = planFromRequest(readPlanRequest(undefined, { ...usual, ...flags }), 'test');
  const app =
    plan.app === undefined || thirdParties === undefined ? {} : { app: { ...plan.app, thirdParties } };
  return (await families.judge({ ...plan, ...app }, {})).map(({ reason }) => reason);
}

const armsOf = (family: string): string[] => [`h2+family=${family}`, `h3+family=${family}`];

test('a live address is reached over IPv4 and over a link of ours, and anything else says why it is not', async () => {
  const live = { url: ['https://shop.example/'] };
  assert.deepEqual(await reasonsOf({ ...live, network: 'cable', arm: armsOf('4') }), []);
  for (const family of ['6', 'both'])
    assert.deepEqual(await reasonsOf({ ...live, network: 'cable', arm: armsOf(family) }), [
      `family=${family} does not reach a live address: a link of ours leads on over IPv4 alone`,
    ]);
  const [own = '', ...others] = await reasonsOf({ ...live, arm: armsOf('4') });
  assert.match(own, /^family=4 sets the addresses of a link of ours, and over the machine’s own network/);
  assert.deepEqual(others, []);
});

test('an app has any version of IP, as far as other hosts that it asks have', async () => {
  const app = { app: ['http://localhost:3000/'], network: 'cable' };
  for (const family of ['4', '6', 'both'])
    assert.deepEqual(await reasonsOf({ ...app, arm: armsOf(family) }), [], family);
  assert.deepEqual(await reasonsOf({ ...app, thirdParties: 'live', arm: armsOf('4') }), []);
  for (const family of ['6', 'both']) {
    const [live = ''] = await reasonsOf({ ...app, thirdParties: 'live', arm: armsOf(family) });
    assert.match(live, /does not reach other hosts than the app’s/);
  }
  const recorded = '/recorded/shop';
  assert.deepEqual(await reasonsOf({ ...app, arm: armsOf('6') }, recorded), []);
  const [both = ''] = await reasonsOf({ ...app, arm: armsOf('both') }, recorded);
  assert.match(both, /family=both does not reach recorded third parties/);
});
