import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import {
  clientHost,
  clientHostAbilities,
  clientsOf,
  lookAtClientHost,
} from '../../../../src/app/preflight/client-host.ts';
import { serverHostAbilities } from '../../../../src/app/preflight/server-host.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { standInSsh } from '../../../support/stand-in-ssh.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function planOf(flags: PlanFlags, source?: string): Plan {
  const usual = { repetitions: '1', exploratory: true, clientHost: 'lab@far' };
  return planFromRequest(readPlanRequest(source, { ...usual, ...flags }), 'test').plan;
}

const reasonsOf = async (plan: Plan): Promise<string[]> =>
  (await clientHostAbilities.judge(plan, {})).map(({ reason }) => reason);

test('pages, films, downloads, messages and uploads go over the link between both machines', async () => {
  for (const plan of [
    planOf({ workload: 'download-1mb,upload-1mb', arm: ['h2', 'h3+proxy=envoy-h3', 'h3+cpus=1'] }),
    planOf({ workload: 'download-1mb', client: 'quic-go,curl' }),
    planOf({ workload: 'messages-100b-10ms', server: 'go' }),
    planOf({}, 'web'),
    planOf({}, 'video'),
  ]) {
    assert.deepEqual([...new Set(plan.trials.map(({ network }) => network))], ['host']);
    assert.deepEqual(plan.hosts, { client: 'lab@far' });
    assert.deepEqual(await reasonsOf(plan), []);
    assert.deepEqual(await serverHostAbilities.judge(plan, {}), []);
  }
  assert.deepEqual(await reasonsOf(planOf({ workload: 'download-1mb', network: 'cable,starlink' })), []);
  const { hosts, ...alone } = planOf({ url: ['https://a.test/'] });
  assert.deepEqual(hosts, { client: 'lab@far' });
  assert.deepEqual(await reasonsOf(alone), []);
});

test('what cannot be with a client on another machine yet is refused by name', async () => {
  const download = 'download-1mb';
  const refused: readonly (readonly [PlanFlags, string])[] = [
    [
      { workload: download, network: 'cable/dsl', arm: ['h2+proxy=envoy', 'h3+proxy=envoy'] },
      'the network cable/dsl',
    ],
    [{ workload: download, network: 'cable', arm: ['h2+crosstraffic=download'] }, 'background traffic'],
    [{ workload: download, arm: ['h2', 'h3+network=loopback'] }, 'the network loopback'],
    [{ url: ['https://a.test/'] }, 'a live address'],
    [{ app: ['http://10.0.0.2:3000/'] }, 'an app'],
    [{ workload: download, arm: ['h2', 'auto+discovery=alt-svc'] }, 'an arm that asks a resolver'],
    [{ workload: download, arm: ['h2', 'h2+family=6'] }, 'an arm that asks a resolver'],
    [{ workload: download, arm: ['h2', 'h2+cpu=50%'] }, 'a share of a CPU'],
    [{ workload: 'upload-1mb', client: 'curl' }, 'an upload by curl'],
    [{ workload: download, client: 'android' }, 'a phone'],
    [{ workload: download, probe: ['qlog'] }, 'the probe qlog'],
  ];
  for (const [flags, what] of refused)
    assert.ok(
      (await reasonsOf(planOf(flags))).includes(
        `${what} cannot be measured with clients on lab@far (--client-host) yet`,
      ),
      `${what}: ${(await reasonsOf(planOf(flags))).join('; ')}`,
    );
});

test('servers may be on a third machine, and not on that of the clients', async () => {
  const workload = 'download-1mb';
  const apart = planOf({ workload, serverHost: 'lab@near' });
  assert.deepEqual(apart.hosts, { server: 'lab@near', client: 'lab@far' });
  assert.deepEqual(await reasonsOf(apart), []);
  assert.deepEqual(await reasonsOf(planOf({ workload, network: 'cable', serverHost: 'lab@near' })), []);
  assert.deepEqual(await reasonsOf(planOf({ workload, serverHost: 'lab@far' })), [
    'lab@far cannot have both the servers and the clients',
  ]);
  assert.ok(
    (await reasonsOf(planOf({ app: ['http://10.0.0.2:3000/'], serverHost: 'lab@near' }))).includes(
      'an app cannot be measured with clients on lab@far (--client-host) yet',
    ),
  );
});

const found = {
  id: 'chromium',
  family: 'chromium',
  name: 'Chromium',
  version: '153',
  build: 'full',
  source: 'system',
  executablePath: '/usr/bin/chromium',
  headed: false,
  environment: {},
} as const;

test('clients there are known by the names of the plan, and one that lacks says why with the name of the machine', () => {
  const fault = { code: 'unsupported' as const, reason: 'Opera is not\u001b here', next: 'Install it.' };
  const { clients, best } = clientsOf(
    {
      clients: [
        { name: 'best', found },
        { name: 'opera', found: null, fault },
        { name: 'embedded', found: null },
      ],
    },
    ['best', 'opera', 'embedded'],
    'far',
  );
  assert.equal(best, 'chromium');
  assert.deepEqual(clients.get('chromium'), found);
  const opera = clients.get('opera');
  assert.ok(opera instanceof H2h3Error);
  assert.equal(opera.message, 'on far: Opera is not\\u001b here');
  assert.equal(opera.next, 'There: Install it.');
  assert.equal(clients.has('embedded'), false);
});

test('another client than was asked for, and a family that nothing drives, are refused', () => {
  for (const [name, given] of [
    ['firefox', found],
    ['best', { ...found, id: '../x' }],
    ['chromium', { ...found, family: 'lynx' }],
  ] as const)
    assert.throws(() => clientsOf({ clients: [{ name, found: given }] }, [name], 'far'), {
      code: 'bad-input',
    });
});

test('a machine that cannot be used is a fact, and keeps the plan from beginning', async (t) => {
  const folder = tempFolder(t);
  const { environment } = standInSsh(folder, 'Host key verification failed.');
  const setup = setupContextIn(folder, { environment });
  const wanted = {
    clients: ['embedded'],
    networks: ['host'],
    settings: [],
    custom: [],
    fetches: false,
    isServedHere: true,
  };
  const facts = await lookAtClientHost('lab@far', wanted, setup);
  const plan = planOf({ workload: 'download-1mb' });
  const blockers = await clientHost.judge(plan, { clientHost: facts.clientHost });
  assert.deepEqual(
    blockers.map(({ reason, trialIds }) => [reason, trialIds]),
    [['lab@far cannot be used: its host key is not known here', undefined]],
  );
  assert.deepEqual(await clientHost.judge(plan, { clientHost: null }), []);
});
