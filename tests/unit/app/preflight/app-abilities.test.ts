import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { appAbilities } from '../../../../src/app/preflight/app-abilities.ts';
import { secretAddresses } from '../../../../src/app/preflight/written-secrets.ts';

const browser = (id: string): ClientIdentity => ({
  id,
  family: id,
  name: id,
  version: '1',
  build: 'full',
  source: 'system',
  executablePath: id,
  headed: false,
  environment: {},
});
const planOf = (flags: PlanFlags): ReturnType<typeof planFromRequest>['plan'] => {
  const usual = { app: ['http://localhost:3000/'], repetitions: '1', exploratory: true };
  return planFromRequest(readPlanRequest(undefined, { ...usual, ...flags }), 'test').plan;
};

test('a browser that knows one place for all names cannot ask other hosts beside an app', async () => {
  const judge = async (client: string, thirdParties: string): Promise<number> => {
    const clients = new Map([[client, browser(client)]]);
    return (await appAbilities.judge(planOf({ client, thirdParties }), { clients })).length;
  };
  assert.deepEqual([await judge('firefox', 'live'), await judge('firefox', 'blocked')], [1, 0]);
  assert.equal(await judge('chromium', 'live'), 0);
});

test('an app is one for all arms, and no address of it may hold a secret', async () => {
  const arms = ['h3+url=https://a.test/', 'h3+url=https://b.test/'];
  const [obstacle] = await appAbilities.judge(planOf({ arm: arms }), { clients: new Map() });
  assert.match(obstacle?.next ?? '', /--arm h3\+server=nginx/);
  const [secret] = await secretAddresses.judge(
    planOf({ app: ['http://localhost:1/?api_token=a81cc0de99'] }),
    {},
  );
  assert.match(secret?.reason ?? '', /localhost:1 holds what looks like a secret \(api_token\)/);
  assert.deepEqual(await secretAddresses.judge(planOf({}), {}), []);
});
