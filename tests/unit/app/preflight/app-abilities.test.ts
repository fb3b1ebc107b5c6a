import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { contentOf } from '../../../../src/app/plan/arm-addresses.ts';
import { planFromRequest, readPlanRequest, workloadsOfPlan } from '../../../../src/app/plan/plan-request.ts';
import { appAbilities } from '../../../../src/app/preflight/app-abilities.ts';
import { secretAddresses, secretCommands } from '../../../../src/app/preflight/written-secrets.ts';

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
  const [blocker] = await appAbilities.judge(planOf({ arm: arms }), { clients: new Map() });
  assert.match(blocker?.next ?? '', /--arm h3\+server=nginx/);
  const [secret] = await secretAddresses.judge(
    planOf({ app: ['http://localhost:1/?api_token=a81cc0de99'] }),
    {},
  );
  assert.match(secret?.reason ?? '', /localhost:1 holds what looks like a secret \(api_token\)/);
  assert.deepEqual(await secretAddresses.judge(planOf({}), {}), []);
});

const command = 'npm start';
const builds = {
  baseline: { command, readyWithinSeconds: 60 },
  candidate: { command, readyWithinSeconds: 60 },
};
const ofBuilds = ['h3+app=baseline', 'h3+app=candidate'];

test('each trial of a build loads what that build answers, also when its run is resumed', () => {
  const flags = { app: ['/', '/cart'], builds, arm: ofBuilds, repetitions: '1', exploratory: true };
  const { plan, workloads } = planFromRequest(readPlanRequest(undefined, flags), 'test');
  assert.deepEqual(
    plan.workloads.map(({ id }) => id),
    ['app', 'app-cart'],
  );
  const loaded = workloads.map(({ id }) => id);
  assert.deepEqual([...new Set(plan.trials.map(contentOf))].toSorted(), loaded.toSorted());
  assert.deepEqual(
    workloadsOfPlan(plan).map(({ id }) => id),
    loaded,
  );
});

test('arms of builds want builds, builds want arms, and nothing else is loaded beside them', async () => {
  const reasons = async (flags: PlanFlags): Promise<string> =>
    (await appAbilities.judge(planOf(flags), { clients: new Map() })).map(({ reason }) => reason).join('; ');
  const two = { app: ['/'], builds };
  assert.equal(await reasons({ ...two, arm: ofBuilds }), '');
  assert.match(await reasons({ arm: ofBuilds }), /arm "h3\+app=baseline" is a build of an app/);
  assert.match(await reasons(two), /arm "h2" names no build, and the app has two/);
  assert.match(
    await reasons({ ...two, workload: 'download-1mb', arm: ofBuilds }),
    /download-1mb is no page of the app/,
  );
  const inOnePlace = {
    baseline: { ...builds.baseline, origin: 'http://127.0.0.1:3000' },
    candidate: { ...builds.candidate, origin: 'http://localhost:3000' },
  };
  assert.match(
    await reasons({ ...two, builds: inOnePlace, arm: ofBuilds }),
    /both builds are said to listen at localhost:3000, where only one of them can/,
  );
  assert.match(
    await reasons({ ...two, arm: ofBuilds, serverCommand: 'database' }),
    /says no address that answers when it is ready/,
  );
  assert.throws(
    () => planOf({ app: ['http://localhost:3000/'], builds }),
    /http:\/\/localhost:3000\/ is no path of a page of both builds/,
  );
  const token = { ...builds.candidate, command: 'serve --token a81cc0de99b' };
  const [secret] = await secretCommands.judge(
    planOf({ ...two, builds: { ...builds, candidate: token } }),
    {},
  );
  assert.match(
    secret?.reason ?? '',
    /a command that starts a server holds what looks like a secret \(token\)/,
  );
});
