import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import { driverOf } from '../../../../harness/clients/drivers.ts';
import { firstHopOf } from '../../../../harness/testbed/testbed-request.ts';
import { armPairs } from '../../../../src/analyse/comparison/arm-pairs.ts';
import type { AppContext } from '../../../../src/app/app-context.ts';
import { plan as previewPlan, type PlanPreview } from '../../../../src/app/preview/plan.ts';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Machine } from '../../../../src/app/preflight/machine-facts.ts';
import { errorOf } from '../../../../src/app/preflight/preflight.ts';
import { openNewRun, type OpenedRun } from '../../../../src/app/run/open-run.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { budgetMsOf } from '../../../../src/plan/plan-file.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { projectDir } from '../../../support/cli.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { silent } from '../../../support/silent-progress.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const command = (id: string, protocols: ClientIdentity['protocols']): ClientIdentity => ({
  id,
  family: id,
  name: id,
  version: '1.0',
  build: 'command-line',
  source: 'system',
  executablePath: id,
  headed: false,
  environment: {},
  protocols,
});
const here: readonly ClientIdentity[] = [
  { ...command('chromium', undefined), family: 'chromium', build: 'full' },
  command('curl', ['h1', 'h2']),
  command('quic-go', ['h2', 'h3']),
];
const missing = (name: string): H2h3Error =>
  new H2h3Error('unsupported', `${name} is not on this machine`, { next: `Install what ${name} needs.` });

/** A machine with three clients, without Firefox, nginx or namespaces; wget2 is fetched when a run needs it. */
function machineIn(folder: string): Machine {
  const setup = setupContextIn(folder);
  return {
    setup,
    gather: ({ trials }, fetches) => {
      const clients = new Map<string, ClientIdentity | H2h3Error>();
      const named = new Set(trials.flatMap(({ network }) => network.split('/')));
      for (const { client } of trials) {
        const found = here.find(({ id }) => id === (client === 'best' ? 'chromium' : client));
        if (found !== undefined) clients.set(found.id, found);
        else if (client === 'firefox') clients.set(client, missing(client));
        else if (client === 'wget2' && fetches) clients.set(client, command('wget2', ['h1', 'h2']));
      }
      return Promise.resolve({
        setup,
        clients,
        cpuCount: 2,
        ffmpeg: null,
        programPlaces: { server: new Map(), proxy: new Map(), player: new Map() },
        ipv6: null,
        cpuShares: null,
        best: trials.some(({ client }) => client === 'best') ? 'chromium' : undefined,
        clientsHere: () => Promise.resolve(here),
        servers: new Map([['nginx', missing('nginx')]]),
        serverHost: null,
        clientHost: null,
        proxies: new Map(),
        players: new Map(),
        networks: new Map([...named].filter((id) => id !== 'loopback').map((id) => [id, missing(id)])),
      });
    },
  };
}

function contextIn(folder: string): AppContext {
  return {
    projectDir,
    progress: silent,
    command: 'test',
    signal: new AbortController().signal,
    environment: { H2H3_CACHE: join(folder, 'cache') },
  };
}

/** What `plan` says of a request, and what `run` does with it before anything is measured. */
async function bothOf(
  t: TestContext,
  source: string | undefined,
  flags: PlanFlags,
): Promise<{ preview: PlanPreview; opened: OpenedRun | H2h3Error }> {
  const folder = tempFolder(t);
  const machine = machineIn(folder);
  const context = contextIn(folder);
  const preview = await previewPlan(source, flags, context, { machine });
  const read = readPlanRequest(source, flags);
  const namesNetwork = flags.network !== undefined;
  const request = { source, read, namesNetwork, budgetMs: budgetMsOf(read) };
  try {
    return { preview, opened: await openNewRun(request, join(folder, 'run'), machine, context) };
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    return { preview, opened: thrown };
  }
}

test('plan refuses what run refuses: a factor that the client does not know', async (t) => {
  const { preview, opened } = await bothOf(t, 'download', {
    client: 'chromium',
    arms: 'h2,h2+competingflows=4',
  });
  assert.match(
    preview.refusals[0]?.reason ?? '',
    /sets competingflows, which the client chromium does not know/,
  );
  assert.ok(opened instanceof H2h3Error && opened.message === errorOf(preview.refusals)?.message);
});

test('neither begins with a server that is not installed, of which a run made 160 unsupported trials', async (t) => {
  const { preview, opened } = await bothOf(t, 'download', { arms: 'h3,h3+server=nginx' });
  assert.match(preview.refusals[0]?.reason ?? '', /the server nginx cannot be had/);
  assert.ok(opened instanceof H2h3Error && /nothing to compare: .*nginx/.test(opened.message));
});

test('a preset goes over loopback where its network cannot be had, in the plan and in the run, and says what gives it', async (t) => {
  const { preview, opened } = await bothOf(t, 'video', { exploratory: true });
  assert.ok(!(opened instanceof H2h3Error));
  assert.deepEqual(new Set(preview.plan.trials.map(({ network }) => network)), new Set(['loopback']));
  assert.match(
    opened.warnings.join('\n'),
    /4g-crowded cannot be had here: .*\. Install what 4g-crowded needs\. This run goes over loopback/,
  );
});

test('the plan and the run read a factor under its name of before, and say so in one line', async (t) => {
  const flags = { client: 'quic-go', arm: ['h2', 'h2+rivals=2'], set: ['handover=100kb'], exploratory: true };
  const { preview } = await bothOf(t, 'download', flags);
  const today = ['h2+migration=100kb', 'h2+migration=100kb+competingflows=2'];
  assert.deepEqual(
    preview.plan.arms.map(({ label }) => label),
    today,
  );
  const notices = preview.warnings.filter((warning) => warning.startsWith('Some names are new'));
  assert.deepEqual(notices, [
    'Some names are new: rivals is now competingflows, handover is now migration. The old names are still read.',
  ]);
});

/** Arms that cannot be, and what both say of them. */
const impossible: readonly (readonly [arm: string, reason: RegExp])[] = [
  ['h3+sever=nginx', /unknown factor "sever"\. Did you mean server\?/],
  ['h3+server=ngin', /arm "h3\+server=ngin": unknown server "ngin"[^]*Did you mean nginx\?/],
  ['h3+client=firefxo', /arm "h3\+client=firefxo": unknown client "firefxo"[^]*Did you mean firefox\?/],
  ['h3+proxy=__proto__', /arm "h3\+proxy=__proto__": unknown proxy/],
  ['h2+server=caddy', /"h2" and "h2\+server=caddy" differ in nothing/],
  ['h2+offloads=off', /arm "h2\+offloads=off" sets offloads=off, which the network loopback cannot have/],
  ['h2+cpu=99999%', /arm "h2\+cpu=99999%": cpu=99999% is more than this machine has/],
  [
    'h2+congestion=bbrr',
    /"h2\+congestion=bbrr": no congestion control is called "bbrr"[^]*Did you mean bbr\?/,
  ],
  ['h2+pacing=off', /invalid value "off" of pacing/],
  ['h2+cipher=aes128', /caddy has no switch for the cipher suites/],
  ['h2+mtu=1400', /arm "h2\+mtu=1400" sets mtu=1400, which the network loopback cannot have/],
  [
    'h2+competingflows=2',
    /arm "h2\+competingflows=2" sets competingflows, which the client .* does not know/,
  ],
  ['h2+migration=half', /invalid value "half" of migration/],
  ['h2+resume=maybe', /invalid value "maybe" of resume/],
  ['h2+udp=blocked', /arm "h2\+udp=blocked" sets udp=blocked, which the network loopback cannot have/],
  ['h2+flags=A', /arm "h2\+flags=A": "A" is no flag of/],
];

test('factors that cannot be are refused with the arm and what would be valid, by plan and run alike', async (t) => {
  for (const [arm, reason] of impossible) {
    const flags = { workload: 'download-100kb', client: 'chromium', arm: ['h2', arm], exploratory: true };
    const refused = await bothOf(t, undefined, flags).then(
      ({ preview, opened }) => [errorOf(preview.refusals), opened],
      (thrown: unknown) => [thrown],
    );
    for (const error of refused) {
      assert.ok(error instanceof H2h3Error, arm);
      assert.match(`${error.message}\n${error.next}`, reason, arm);
      assert.ok(['usage', 'bad-input'].includes(error.code), `${arm}: ${error.code}`);
    }
  }
});

/** What generated plans are made of: what works, what does not, and what no name is. */
const parts = {
  workload: [
    'download-1mb',
    'download-1mb',
    'download-10mb',
    'download-1mb-x4',
    'page-agency',
    'video-padded-2s-bba',
  ],
  client: ['best', 'chromium', 'chromium', 'quic-go', 'quic-go', 'curl', 'wget2', 'firefox', 'chromum'],
  network: ['loopback', 'loopback', 'loopback', 'loopback', '4g'],
  server: ['caddy', 'caddy', 'caddy', 'envoy', 'haproxy', 'nginx'],
  protocol: ['h2', 'h3', 'h3', 'h1'],
  factor: [
    'congestion=bbr',
    'congestion=reno',
    'congestion=bbrr',
    'proxy=envoy',
    'server=nginx',
    'competingflows=2',
    'migration=100kb',
    'migration=5mb-restart',
    'resume=session',
    'resume=0rtt',
    'cipher=aes128',
    'pacing=on',
    'cpu=50%',
    'cpu=90000%',
    'mtu=1400',
    'udp=blocked',
    'processes=each',
    'network=dsl',
    'client=curl',
    'client=quic-go',
    'flags=--no-such',
    'prefers=color-scheme:dark',
  ],
} as const;

function generatedFlags(seed: number): PlanFlags {
  const random = seededRandom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[random.integer(all.length)] as T;
  const some = <T>(all: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: 1 + random.integer(most) }, () => oneOf(all))),
  ];
  const arm = (): string => {
    const factors = random.next() < 0.6 ? [] : some(parts.factor, 2);
    return [oneOf(parts.protocol), ...factors].join('+');
  };
  return {
    workload: some(parts.workload, 2).join(),
    client: some(parts.client, 2).join(),
    network: oneOf(parts.network),
    server: oneOf(parts.server),
    arm: [arm(), arm(), ...(random.next() < 0.3 ? [arm()] : [])],
    arms: '',
    repetitions: String(1 + random.integer(12)),
    ...(random.next() < 0.7 ? { exploratory: true } : {}),
    ...(random.next() < 0.2 ? { sequential: true } : {}),
  };
}

/** Of what a run begins with, what the room that measures would refuse without its being known. */
function unforeseen({ directory, clients, blockers }: OpenedRun): string[] {
  const known = new Set(blockers.flatMap(({ trialIds = [] }) => trialIds));
  const { plan } = directory;
  return plan.trials.flatMap((trial) => {
    const client = clients.get(trial.client);
    const workload = plan.workloads.find(({ id }) => id === trial.workload);
    const { protocol } = trial.factors;
    if (known.has(trial.trialId) || workload === undefined || protocol === undefined) return [];
    if (client === undefined || client instanceof H2h3Error) return `${trial.trialId}: no client`;
    const driver = driverOf(client.family);
    return driver.refusal?.(client, workload, protocol, firstHopOf(trial)) ?? [];
  });
}

/** Whether a pair of arms is left in some condition. */
function hasPair({ directory: { plan }, blockers }: OpenedRun): boolean {
  const lost = new Set(blockers.flatMap(({ trialIds = [] }) => trialIds));
  const left = plan.trials.filter(({ trialId }) => !lost.has(trialId));
  const pairs = armPairs(plan);
  if (pairs.length === 0) return left.length > 0;
  return plan.conditions.some(({ conditionId }) => {
    const arms = new Set(left.filter((one) => one.conditionId === conditionId).map(({ arm }) => arm));
    return pairs.some(({ baseline, candidate }) => arms.has(baseline.label) && arms.has(candidate.label));
  });
}

/** Any other number of seeds by H2H3_PLANS=…, such as 2000. */
const generated = Number(process.env['H2H3_PLANS'] ?? 80);
/** What a run has fetched has a version. */
const fetched = (message: string): string => message.replaceAll('wget2 (to be fetched)', 'wget2 1.0');

test(`what plan promises run keeps, over ${generated} generated plans`, async (t) => {
  const seen = { begun: 0, refused: 0, impossible: 0 };
  for (let seed = 1; seed <= generated; seed++) {
    const flags = generatedFlags(seed);
    const what = `seed ${seed}: ${JSON.stringify(flags)}`;
    try {
      planFromRequest(readPlanRequest(undefined, flags), 'test');
    } catch (thrown) {
      // What is no plan at all: both say so when they read it.
      assert.ok(thrown instanceof H2h3Error && thrown.code === 'usage', what);
      seen.impossible++;
      continue;
    }
    const { preview, opened } = await bothOf(t, undefined, flags);
    if (opened instanceof H2h3Error) {
      assert.equal(fetched(opened.message), fetched(errorOf(preview.refusals)?.message ?? ''), what);
      seen.refused++;
    } else {
      assert.deepEqual(preview.refusals, [], what);
      assert.deepEqual(preview.plan, opened.directory.plan, what);
      assert.deepEqual(preview.warnings.map(fetched), opened.warnings, what);
      assert.deepEqual(unforeseen(opened), [], what);
      assert.ok(hasPair(opened), what);
      seen.begun++;
    }
  }
  assert.ok(Math.min(...Object.values(seen)) >= 5, JSON.stringify(seen));
});
