import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeArchive, type RecordedExchange } from '../../../../sites/archive/write-archive.ts';
import { contentOf } from '../../../../src/app/plan/arm-addresses.ts';
import { planFromRequest, readPlanRequest, workloadsOfPlan } from '../../../../src/app/plan/plan-request.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { planSchema } from '../../../../src/core/model/plan.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { sortsWorthOf } from '../../../support/cpu-time.ts';

test('flags override a plan file, and what neither says has its default', (t) => {
  const file = join(tempFolder(t), 'plan.yaml');
  writeFileSync(file, 'name: mine\nworkloads: [page-agency]\nrepetitions: 9\nseed: 5\n');
  const request = readPlanRequest(file, { repetitions: '11', client: 'firefox, chromium' });
  assert.equal(request.name, 'mine');
  assert.equal(request.repetitions, 11);
  assert.equal(request.seed, 5);
  assert.deepEqual(request.clients, ['firefox', 'chromium']);
  assert.deepEqual(request.arms, ['h2', 'h3']);
});

test('a number that is none is refused, an empty one too', () => {
  for (const seed of ['', ' ', '1.5', '-1', 'x'])
    assert.throws(() => readPlanRequest('download', { seed }), /--seed wants a whole number of at least 0/);
});

test('--set takes every factor that has no list of its own', () => {
  const { arms } = readPlanRequest('download', { arms: 'h1,h2', set: ['tls=1.2', 'cpu=25%'] });
  assert.deepEqual(arms, [
    { tls: '1.2', cpu: '25%', protocol: 'h1' },
    { tls: '1.2', cpu: '25%', protocol: 'h2' },
  ]);
});

test('thousands of unknown names are refused at once: no nearest one is looked for where none is told', async (t) => {
  const file = join(tempFolder(t), 'plan.yaml');
  const names = Array.from({ length: 3000 }, (_, index) => `download-${index + 90_000}mb`);
  writeFileSync(file, `name: mine\nworkloads: [${names.join(', ')}]\n`);
  const sorts = await sortsWorthOf(() =>
    assert.throws(
      () => readPlanRequest(file, {}),
      (error) => error instanceof H2h3Error && /malformed/.test(error.message),
    ),
  );
  assert.ok(sorts < 300, `${sorts} times the CPU time of a sort, 261 s before`);
});

test('--workload and --url replace what a preset loads', () => {
  const request = readPlanRequest('web', { workload: 'download-1mb', url: ['https://example.org/a'] });
  const { plan } = planFromRequest(request, 'test');
  assert.deepEqual(
    plan.workloads.map(({ kind }) => kind),
    ['download', 'page'],
  );
  assert.deepEqual(
    plan.conditions.map(({ network }) => network),
    ['4g', '4g'],
  );
});

test('an address that takes the place of a preset’s pages keeps its real path unless a network is named', () => {
  const networks = (flags: { network?: string }): string[] => {
    const request = readPlanRequest('web', { ...flags, url: ['https://example.org/a'] });
    return planFromRequest(request, 'test').plan.conditions.map(({ network }) => network);
  };
  assert.deepEqual(networks({}), ['host']);
  assert.deepEqual(networks({ network: 'cable' }), ['cable']);
});

function planned(sites: string): ReturnType<typeof planFromRequest> {
  return planFromRequest(readPlanRequest('web', { sites }), 'test');
}

test('--sites takes names with or without their prefix', () => {
  const { plan } = planned('agency,page-landing');
  assert.deepEqual(
    plan.workloads.map(({ id }) => id),
    ['page-agency', 'page-landing'],
  );
  assert.equal(plan.customSites, undefined, 'what ships need not be kept');
});

test('a plan of a file of shapes can be resumed when the file is gone', (t) => {
  const file = join(tempFolder(t), 'shapes.json');
  const requests = [
    [0, 'html', 1000, 3000, 0, null],
    [1, 'image', 5000, 5000, 40, 0],
  ];
  writeFileSync(file, JSON.stringify({ sites: [{ site: 'cnn.com', requests }] }));
  const { plan } = planned(file);
  rmSync(file);
  const [workload] = workloadsOfPlan(planSchema.parse(JSON.parse(JSON.stringify(plan))));
  assert.equal(workload?.id, 'replica-cnn.com');
  assert.equal(workload?.facts.objectCount, 2, 'the own shape, not the one that ships under this name');
});

test('--view takes pages in both views, which are never pooled, and a plan of them can be resumed', (t) => {
  const file = join(tempFolder(t), 'shapes.json');
  writeFileSync(
    file,
    JSON.stringify({ sites: [{ site: 'own', requests: [[0, 'html', 900, 2000, 0, null]] }] }),
  );
  const request = readPlanRequest('web', {
    sites: `${file},page-agency@repeat,https://a.example/`,
    view: 'cold,repeat',
  });
  const { plan } = planFromRequest(request, 'test');
  const views = plan.workloads.map(({ id, view }) => [id, view ?? 'cold']);
  assert.deepEqual(views, [
    ['replica-own', 'cold'],
    ['replica-own@repeat', 'repeat'],
    ['page-agency@repeat', 'repeat'],
    ['url-a.example', 'cold'],
    ['url-a.example@repeat', 'repeat'],
  ]);
  assert.equal(plan.pooled.page, false);
  assert.equal(plan.customSites?.length, 1);
  const again = workloadsOfPlan(planSchema.parse(JSON.parse(JSON.stringify(plan))));
  assert.deepEqual(
    again.map(({ id, view }) => [id, view ?? 'cold']),
    views,
  );
  const alone = planFromRequest(
    readPlanRequest('web', { sites: 'agency,landing', view: 'repeat' }),
    'test',
  ).plan;
  assert.equal(alone.pooled.page, true);
});

test('what is no view, or has none, is refused', () => {
  const download = readPlanRequest('web', { workload: 'download-1mb', view: 'repeat' });
  assert.throws(() => planFromRequest(download, 'test'), /views are of pages, and this plan has none/);
  assert.throws(() => readPlanRequest('web', { view: 'warm' }), /unknown view "warm"/);
  assert.throws(
    () => readPlanRequest('web', { workload: 'download-1mb@repeat' }),
    /only pages have a second visit: download-1mb@repeat/,
  );
});

test('a plan of a recorded site keeps which recording it is, and refuses another one', async (t) => {
  const folder = join(tempFolder(t), 'mine');
  const head = {
    urls: ['https://a.test/'],
    recordedAt: '2026-01-01T00:00:00Z',
    recorder: 'test',
    complete: true,
    removed: {},
  };
  const index = await writeArchive(folder, head, [exchange('/')]);
  const request = readPlanRequest('web', { sites: folder, deterministic: true, misses: '5' });
  const { plan, workloads } = planFromRequest(request, 'test');
  assert.equal(workloads[0]?.id, 'archive-mine');
  const [site] = plan.customSites ?? [];
  assert.deepEqual(site?.kind === 'archive' && site.options, {
    deterministic: true,
    missShare: 0.05,
    essentialMisses: Number.MAX_SAFE_INTEGER,
  });
  assert.equal(workloadsOfPlan(plan)[0]?.id, 'archive-mine');
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ ...index, recorder: 'someone else' }));
  assert.throws(() => workloadsOfPlan(plan), /not the one that this run began with/);
});

function exchange(path: string): RecordedExchange {
  const entry = {
    method: 'GET',
    host: 'a.test',
    path,
    query: '',
    range: '',
    status: 200,
    headers: [],
    startMs: 0,
    waitMs: 0,
  };
  return { entry, requestBody: null, body: Buffer.from('body') };
}

test('--misses wants a percentage', () => {
  assert.throws(() => readPlanRequest('web', { misses: 'many' }), /percentage/);
});

test('a probe is added to the usual ones', () => {
  assert.deepEqual(readPlanRequest('web', {}).probes, ['har', 'frames', 'cpu']);
  const asked = readPlanRequest('web', { probe: ['lighthouse'] }).probes;
  assert.deepEqual(asked, ['har', 'frames', 'cpu', 'lighthouse']);
});

test('a probe that nothing has is refused with the names of those there are', (t) => {
  assert.throws(
    () => readPlanRequest('web', { probe: ['x-ray'] }),
    (thrown) =>
      thrown instanceof H2h3Error &&
      /unknown probe "x-ray"/.test(thrown.message) &&
      /lighthouse/.test(thrown.context.expected ?? ''),
  );
  const file = join(tempFolder(t), 'plan.yaml');
  writeFileSync(file, 'workloads: [page-agency]\nprobes: [har, x-ray]\n');
  assert.throws(() => readPlanRequest(file, {}), /plan\.yaml:2: probes\.1: unknown probe/);
});

test('what is named beside a factor that every arm sets is refused, a preset’s own gives way', () => {
  const arms = 'h2+server=caddy,h3+server=caddy';
  assert.throws(
    () => readPlanRequest('download', { arms, server: 'nginx' }),
    /every arm sets server .* so server nginx would be dropped/,
  );
  assert.doesNotThrow(() => readPlanRequest('download', { arms }));
  assert.doesNotThrow(() => readPlanRequest('download', { arms: 'h2,h3+server=caddy', server: 'nginx' }));
});

test('arms may load addresses of their own, and a plan of them can be resumed', () => {
  const arms = 'h2+url=https://a.example/,h2+url=https://b.example/';
  const { plan, workloads } = planFromRequest(readPlanRequest(undefined, { arms }), 'test');
  assert.deepEqual(
    plan.workloads.map(({ id }) => id),
    ['url-by-arm'],
  );
  const loaded = ['url-a.example', 'url-b.example'];
  assert.deepEqual(
    workloads.map(({ id }) => id),
    loaded,
  );
  assert.deepEqual(
    workloadsOfPlan(plan).map(({ id }) => id),
    loaded,
  );
  assert.throws(
    () => planFromRequest(readPlanRequest(undefined, { arms: 'h2,h2+url=https://b.example/' }), 'test'),
    /has no address, and another sets one/,
  );
});

test('a journey begins at the address of each arm, and a plan of it can be resumed', (t) => {
  const script = join(tempFolder(t), 'journey.ts');
  writeFileSync(script, 'export default () => undefined;');
  const arms = 'h3+url=https://a.example/,h3+url=https://b.example/';
  const { plan, workloads } = planFromRequest(readPlanRequest(undefined, { arms, script }), 'test');
  assert.deepEqual(
    plan.workloads.map(({ id, kind }) => [id, kind]),
    [['url-by-arm@journey', 'journey']],
  );
  const loaded = ['url-a.example@journey', 'url-b.example@journey'];
  assert.deepEqual([...new Set(plan.trials.map(contentOf))].toSorted(), loaded);
  for (const each of [workloads, workloadsOfPlan(plan)])
    assert.deepEqual(
      each.map(({ id, kind }) => [id, kind]),
      loaded.map((id) => [id, 'journey']),
    );
});

test('arms keep the labels that a plan gives them when it sets a factor for all', () => {
  const { plan } = planFromRequest(
    readPlanRequest('download', { set: ['cpu=25%'] }, [], {
      arms: [
        { label: 'yesterday', protocol: 'h3', server: 'nginx' },
        { label: 'today', protocol: 'h3', cpu: '50%' },
        'h2',
      ],
    }),
    'test',
  );
  assert.deepEqual(
    plan.arms.map(({ label, factors }) => [label, factors.cpu]),
    [
      ['yesterday', '25%'],
      ['today', '50%'],
      ['h2+cpu=25%', '25%'],
    ],
  );
});

test('a factor that is set holds for every arm that leaves it open, and an unknown one is named', () => {
  const { arms } = readPlanRequest('download', { arms: 'h2,h3+cpu=50%', set: ['cpu=25%', 'mtu=1400'] });
  const plan = parseArms(arms).map(({ factors }) => [factors.protocol, factors.cpu, factors.mtu]);
  assert.deepEqual(plan, [
    ['h2', '25%', '1400'],
    ['h3', '50%', '1400'],
  ]);
  assert.throws(() => readPlanRequest('download', { set: ['cpu'] }), /--set wants NAME=VALUE/);
  assert.throws(() => readPlanRequest('download', { set: ['cores=25%'] }), /set: Unrecognized key: "cores"/);
  assert.throws(() => readPlanRequest('download', { set: ['cpu=fast'] }), /cpu/);
});

test('a film is decided by what viewers see of it where that can be told, and the plan may say otherwise', () => {
  const decides = (workload: string): string | undefined =>
    planFromRequest(readPlanRequest(undefined, { workload, exploratory: true }), 'test').plan.primary.video;
  assert.equal(decides('video-streaming-720p-2s-dynamic'), 'qoeVmaf');
  assert.equal(decides('video-padded-2s-bba'), 'meanChunkThroughputMbps');
  assert.equal(decides('video-streaming-720p-2s-dynamic,video-padded-2s-bba'), 'meanChunkThroughputMbps');
  const file = readPlanRequest(undefined, { workload: 'video-streaming-720p-2s-dynamic', exploratory: true });
  const named = planFromRequest({ ...file, primary: { video: 'startupDelayMs' } }, 'test').plan;
  assert.equal(named.primary.video, 'startupDelayMs');
});
