import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { errorOf, judgePlan } from '../../../../src/app/preflight/preflight.ts';
import { linkFactors } from '../../../../src/app/preflight/link-factors.ts';
import {
  lookAtServerHost,
  serverHost,
  serverHostAbilities,
} from '../../../../src/app/preflight/server-host.ts';
import type { ServerHostFacts } from '../../../../src/app/preflight/facts.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { exitCodeOf, exitCodes } from '../../../../src/core/model/exit-codes.ts';
import { hostsSchema, type Plan } from '../../../../src/core/model/plan.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { standInSsh } from '../../../support/stand-in-ssh.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function planOf(flags: PlanFlags, source?: string): Plan {
  const usual = { repetitions: '1', exploratory: true, serverHost: 'lab@far' };
  return planFromRequest(readPlanRequest(source, { ...usual, ...flags }), 'test').plan;
}

const reasonsOf = async (plan: Plan): Promise<string[]> =>
  (await serverHostAbilities.judge(plan, {})).map(({ reason }) => reason);

test('without a network of its own, and with a preset, the link between both machines is measured', async () => {
  for (const plan of [planOf({ workload: 'download-1mb' }), planOf({}, 'web'), planOf({}, 'download')]) {
    assert.deepEqual([...new Set(plan.trials.map(({ network }) => network))], ['host']);
    assert.deepEqual(plan.hosts, { server: 'lab@far' });
    assert.deepEqual(await reasonsOf(plan), []);
  }
});

test('proxies on a machine of their own want arms with one, another machine than the servers’, and clients here', async () => {
  const proxied: PlanFlags = { workload: 'download-1mb', arms: 'h3,h3+proxy=envoy-h3' };
  const reasons = (proxy: string, flags: PlanFlags = proxied, client?: string): Promise<string[]> => {
    const plan = planOf(flags);
    return reasonsOf({ ...plan, hosts: { ...plan.hosts, proxy, client } });
  };
  assert.deepEqual(await reasons('edge@far'), []);
  assert.match((await reasons('lab@far')).join(), /^lab@far is the machine of the servers/);
  assert.match((await reasons('edge@far', { workload: 'download-1mb' })).join(), /^no arm has a proxy/);
  assert.match((await reasons('edge@far', proxied, 'pi@far')).join(), /with clients on pi@far/);
  const { success, error } = hostsSchema.safeParse({ proxy: 'edge@far' });
  assert.equal(success, false);
  assert.match(error?.message ?? '', /names a machine for proxies and none for servers/);
});

test('what cannot be with a server on another machine is refused by name', async () => {
  const refused: readonly (readonly [PlanFlags, string])[] = [
    [
      { workload: 'download-1mb', arm: ['h2', 'h3+network=loopback'] },
      'the network loopback, which ends at this machine,',
    ],
    [
      { workload: 'download-1mb', network: 'cable/dsl', arm: ['h2+proxy=envoy', 'h3+proxy=envoy'] },
      'a network between a proxy and the server',
    ],
    [
      { workload: 'download-1mb', arm: ['h2', 'h2+family=6'] },
      'family=6, whose addresses a link of our own has,',
    ],
    [{ url: ['https://a.test/'] }, 'a live address, which has a server of its own,'],
    [
      { app: ['http://localhost:3000/'] },
      'an app at http://localhost:3000, which is another place on each machine,',
    ],
    [{ app: ['http://10.0.0.2:3000/'], thirdParties: 'live' }, 'an app whose other hosts are live'],
  ];
  for (const [flags, what] of refused)
    assert.ok(
      (await reasonsOf(planOf(flags))).includes(
        `${what} cannot be measured with servers on lab@far (--server-host)`,
      ),
      what,
    );
  assert.deepEqual(
    await serverHostAbilities.judge({ ...planOf({ url: ['https://a.test/'] }), hosts: undefined }, {}),
    [],
  );
});

test('a player of MoQ is refused before the run, as its relay stays here, and the same broadcast over DASH is not', async () => {
  const broadcast = { workload: 'video-clock-1s-own-live-delay1000ms' };
  const plan = planOf({ ...broadcast, arm: ['h3', 'h3+player=moqwatch@0.3.4'] });
  const judged = await judgePlan(plan, {});
  assert.deepEqual(
    judged.refusals.map(({ code, trialIds }) => [code, trialIds]),
    [['unsupported', undefined]],
  );
  const { code, message, next } = errorOf(judged.refusals) ?? {};
  assert.equal(code === undefined ? undefined : exitCodeOf(code), exitCodes.unsupported);
  assert.match(
    message ?? '',
    /^player=moqwatch@0\.3\.4 cannot be played with servers on lab@far .*relay of MoQ/,
  );
  assert.match(next ?? '', /over DASH, or measure on one machine/);
  assert.deepEqual(await serverHostAbilities.judge(planOf({ ...broadcast, arm: ['h2', 'h3'] }), {}), []);
  assert.deepEqual(await serverHostAbilities.judge({ ...plan, hosts: undefined }, {}), []);
});

test('uploads, messages, apps, resolvers, shares of a run and emulated networks are as on one machine', async () => {
  for (const flags of [{ workload: 'upload-1mb' }, { workload: 'messages-100b-10ms', server: 'go' }]) {
    const plan = planOf({ ...flags, network: 'cable,host' });
    assert.deepEqual([...new Set(plan.trials.map(({ network }) => network))].toSorted(), ['cable', 'host']);
    assert.deepEqual(await reasonsOf(plan), []);
  }
  for (const flags of [
    { app: ['http://10.0.0.2:3000/'] },
    { workload: 'download-1mb', probe: ['qlog'] },
    { workload: 'download-1mb', arm: ['h2', 'auto+discovery=alt-svc', 'h2+family=4'] },
  ])
    assert.deepEqual(await reasonsOf(planOf(flags)), [], JSON.stringify(flags));
  const shared = { ...planOf({ workload: 'download-1mb' }), shard: { index: 1, count: 2 } };
  assert.deepEqual(await reasonsOf(shared), []);
});

test('a factor that both ends of a link are set by is refused, and one that shapes it is not', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const refusals = async (arm: string): Promise<string[]> => {
    const plan = planOf({ workload: 'download-1mb', network: 'cable', arm: ['h2', arm] });
    return (await linkFactors.judge(plan, { setup })).map(({ reason, next }) => `${reason}. ${next}`);
  };
  assert.deepEqual(await refusals('h2+reorder=2%'), []);
  assert.deepEqual(await refusals('h2+initialwindow=40'), [
    'arm "h2+initialwindow=40" sets initialwindow=40, which the network cable cannot have: the server is on another machine, of which no setting is changed. Leave it out, or measure on one machine.',
  ]);
});

test('a server that is not there yet only warns where nothing is fetched, and is refused where it cannot be', async () => {
  const plan = planOf({ workload: 'download-1mb' });
  const notYet = { reason: 'Caddy is not there yet', next: 'The run fetches it there.' };
  const lacking = [{ role: 'server' as const, name: 'caddy', ...notYet }];
  const judge = async (facts: ServerHostFacts) => serverHost.judge(plan, { serverHost: facts });
  const [warning] = await judge({ fault: null, lacking, fetches: false });
  assert.equal(warning?.reason, 'the server caddy on lab@far: Caddy is not there yet');
  assert.deepEqual(warning.trialIds, []);
  const [refusal] = await judge({ fault: null, lacking, fetches: true });
  assert.equal(refusal?.trialIds?.length, plan.trials.length);
  const fault = new H2h3Error('unsupported', 'lab@far cannot be used: it cannot be reached');
  assert.deepEqual(
    (await judge({ fault, lacking: [], fetches: true })).map(({ reason, trialIds }) => [reason, trialIds]),
    [['lab@far cannot be used: it cannot be reached', undefined]],
  );
});

test('a machine that cannot be used is a fact, and one machine alone is not asked for', async (t) => {
  const folder = tempFolder(t);
  const { environment } = standInSsh(folder, 'Host key verification failed.');
  const setup = setupContextIn(folder, { environment });
  const facts = await lookAtServerHost(planOf({ workload: 'download-1mb' }), false, setup);
  assert.equal(facts?.fault?.message, 'lab@far cannot be used: its host key is not known here');
  const { hosts, ...alone } = planOf({ workload: 'download-1mb' });
  assert.deepEqual(hosts, { server: 'lab@far' });
  assert.equal(await lookAtServerHost(alone, false, setup), null);
});
