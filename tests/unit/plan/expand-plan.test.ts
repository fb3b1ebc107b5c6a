import assert from 'node:assert/strict';
import { test } from 'node:test';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { planSchema } from '../../../src/core/model/plan.ts';
import { trialIdSchema } from '../../../src/core/model/trial-id.ts';
import { expandPlan, type ExpandContext } from '../../../src/plan/expand-plan.ts';
import { requireModestGrid } from '../../../src/plan/plan-size.ts';
import { planFileSchema, type PlanFileInput } from '../../../src/plan/plan-file.ts';
import { sortsWorthOf } from '../../support/cpu-time.ts';

const defaultPrimary = {
  page: { metric: 'pltMs', pooled: true },
  journey: { metric: 'journeyMs', pooled: false },
  video: { metric: 'meanChunkThroughputMbps', pooled: false },
  download: { metric: 'throughputMbps', pooled: false },
  upload: { metric: 'uploadMs', pooled: false },
  messages: { metric: 'messageP99Ms', pooled: false },
};

function expand(input: PlanFileInput, live: readonly string[] = []): ReturnType<typeof expandPlan> {
  const file = planFileSchema.parse({ recordedBlocks: 0, ...input });
  const context: ExpandContext = {
    workloads: [...file.workloads, ...live].map((id) => ({
      id,
      kind: id.startsWith('download') ? 'download' : 'page',
      title: id,
    })),
    liveWorkloads: new Set(live),
    defaultPrimary,
    command: 'h2h3 run',
  };
  return expandPlan(file, context);
}

test('every block holds every arm of every condition exactly once', () => {
  const plan = expand({ workloads: ['page-a', 'page-b'], clients: ['chromium', 'firefox'], repetitions: 5 });
  assert.equal(plan.trials.length, 2 * 2 * 2 * 5);
  for (let block = 0; block < 5; block++) {
    const keys = plan.trials.filter((t) => t.blockIndex === block).map((t) => `${t.conditionId} ${t.arm}`);
    assert.equal(new Set(keys).size, 8);
    assert.equal(keys.length, 8);
  }
  assert.equal(new Set(plan.trials.map((t) => t.trialId)).size, plan.trials.length);
  assert.doesNotThrow(() => planSchema.parse(JSON.parse(JSON.stringify(plan))));
});

test('blocks run one after the other, and the arms of a condition back to back', () => {
  const plan = expand({ workloads: ['page-a', 'page-b', 'page-c'], repetitions: 6 });
  const blocks = plan.trials.map((t) => t.blockIndex);
  assert.deepEqual(
    blocks,
    blocks.toSorted((a, b) => a - b),
  );
  for (let i = 0; i < plan.trials.length; i += 2)
    assert.equal(plan.trials[i]?.conditionId, plan.trials[i + 1]?.conditionId);
});

test('the same seed gives the same order and another seed another', () => {
  const order = (seed: number): string[] =>
    expand({ workloads: ['page-a', 'page-b'], repetitions: 20, seed }).trials.map((t) => t.trialId);
  assert.deepEqual(order(1), order(1));
  assert.notDeepEqual(order(1), order(2));
});

test('either arm comes first about equally often', () => {
  const plan = expand({ workloads: ['page-a'], repetitions: 400 });
  const h2First = plan.trials.filter((t, index) => index % 2 === 0 && t.arm === 'h2').length;
  assert.ok(h2First > 150 && h2First < 250, `h2 first in ${h2First} of 400 blocks`);
});

test('all arms of a block share one seed and no two blocks do', () => {
  const plan = expand({ workloads: ['page-a'], repetitions: 10 });
  const seeds = new Map<number, Set<number>>();
  for (const { blockIndex, blockSeed } of plan.trials)
    seeds.set(blockIndex, (seeds.get(blockIndex) ?? new Set()).add(blockSeed));
  assert.ok([...seeds.values()].every((set) => set.size === 1));
  assert.equal(new Set([...seeds.values()].map((set) => [...set][0])).size, 10);
});

test('a repeated arm is labelled #2', () => {
  assert.deepEqual(
    expand({ workloads: ['page-a'], arms: ['h2', 'h2'] }).arms.map((arm) => arm.label),
    ['h2', 'h2#2'],
  );
});

test('arms that name clients make one condition of all of them', () => {
  const plan = expand({ workloads: ['page-a'], arms: ['chromium@148:h3', 'chromium@153:h3'] });
  assert.deepEqual(
    plan.conditions.map((c) => c.client),
    ['by-arm'],
  );
  assert.deepEqual(new Set(plan.trials.map((t) => t.client)), new Set(['chromium@148', 'chromium@153']));
});

test('a path as client keeps its colons', () => {
  const [arm] = expand({ workloads: ['page-a'], arms: ['C:\\chrome.exe:h3', '/opt/x:h2'] }).arms;
  assert.deepEqual(arm?.factors, { protocol: 'h3', client: 'C:\\chrome.exe' });
});

test('live addresses run over their real path or a network of ours, against no server of ours', () => {
  const plan = expand({ urls: ['https://example.org/'], networks: ['loopback', '5g'] }, ['url-example.org']);
  assert.deepEqual(
    plan.conditions.map((c) => [c.network, c.server]),
    [
      ['host', 'live'],
      ['5g', 'live'],
    ],
  );
});

test('a factor that only some arms set and the plan has several of, and repeated conditions are refused', () => {
  for (const input of [
    { workloads: ['page-a'], arms: ['chromium:h3', 'h2'], clients: ['chromium', 'firefox'] },
    { workloads: ['page-a', 'page-a'] },
  ] satisfies PlanFileInput[]) {
    assert.throws(
      () => expand(input),
      (thrown) => thrown instanceof H2h3Error && thrown.code === 'usage',
    );
  }
});

test('arms that differ in nothing are refused, unless one arm is named twice', () => {
  const arms =
    (...names: string[]): (() => unknown) =>
    () =>
      expand({ workloads: ['page-a'], arms: names });
  assert.throws(arms('h2', 'h2+server=caddy'), /"h2" and "h2\+server=caddy" differ in nothing/);
  assert.doesNotThrow(arms('h2', 'h2'));
  assert.doesNotThrow(arms('h2', 'h2+server=nginx'));
});

test('an arm that leaves a factor open has the condition’s value, and every trial says all that are set', () => {
  const plan = expand({ workloads: ['page-a'], arms: ['h2', 'h3+server=nginx'], repetitions: 1 });
  assert.deepEqual(
    plan.conditions.map(({ server, network }) => [server, network]),
    [['by-arm', 'loopback']],
  );
  const byArm = new Map(plan.trials.map((trial) => [trial.arm, trial]));
  assert.equal(byArm.get('h2')?.server, 'caddy');
  assert.equal(byArm.get('h3+server=nginx')?.server, 'nginx');
  const { protocol, server, network } = byArm.get('h3+server=nginx')?.factors ?? {};
  assert.deepEqual([protocol, server, network], ['h3', 'nginx', 'loopback']);
  assert.match(byArm.get('h3+server=nginx')?.trialId ?? '', /^[A-Za-z0-9._-]+-h3-server-nginx$/);
});

test('what is compared by difference has no pool: each page is judged by itself', () => {
  const plan = expand({ workloads: ['page-a', 'page-b'], primary: { page: 'tbtMs' } });
  assert.deepEqual([plan.primary.page, plan.pooled.page], ['tbtMs', false]);
});

test('primary metrics and pooling come from the kind unless the plan says otherwise', () => {
  const plan = expand({ workloads: ['page-a', 'download-1mb'], primary: { page: 'speedIndexMs' } });
  assert.deepEqual(plan.primary, { page: 'speedIndexMs', download: 'throughputMbps' });
  assert.deepEqual(plan.pooled, { page: true, download: false });
});

test('a plan of a million conditions is refused at once, with its size, unless the limit is raised', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => `x${index}`);
  const huge: PlanFileInput = { workloads: many, networks: many, repetitions: 1 };
  const sorts = await sortsWorthOf(() =>
    assert.throws(() => expand(huge), { code: 'usage', message: /2000000 trials/ }),
  );
  assert.ok(sorts < 20, `counted before it is expanded, in ${sorts} times the CPU time of a sort`);
  const limit = { workloads: ['page-a'], repetitions: 100, maxTrials: 199 };
  assert.throws(() => expand(limit), { code: 'usage' });
  assert.equal(expand({ ...limit, maxTrials: 200 }).trials.length, 200);
});

test('a pair of arms is compared once, whichever way it is named', () => {
  const workloads = ['page-a'];
  for (const compare of [
    [
      ['h2', 'h3'],
      ['h2', 'h3'],
    ],
    [
      ['h2', 'h3'],
      ['h3', 'h2'],
    ],
  ] as [string, string][][])
    assert.throws(() => expand({ workloads, compare }), { code: 'usage', message: /is named twice/ });
  assert.equal(expand({ workloads, compare: [['h3', 'h2']] }).compare?.length, 1);
});

test('more arms than anybody compares are refused before they are compared with each other', async () => {
  const arms = Array.from({ length: 20_000 }, (_, index) => `h2+flags=--a${index}`);
  const sorts = await sortsWorthOf(() =>
    assert.throws(() => expand({ workloads: ['page-a'], repetitions: 1, arms }), /200/),
  );
  assert.ok(sorts < 50, `${sorts} times the CPU time of a sort, minutes before`);
  assert.equal(expand({ workloads: ['page-a'], arms: arms.slice(0, 12) }).arms.length, 12);
});

test('a grid is counted before it is crossed', () => {
  const rates = Array.from({ length: 1000 }, (_, index) => index + 1);
  const grid = { rateMbps: rates, rttMs: rates, lossPercent: [0, 1], count: [1, 2] };
  assert.throws(() => requireModestGrid(planFileSchema.parse({ grid })), {
    code: 'usage',
    message: /64000000/,
  });
});

test('the longest address still makes a trial whose folder can be made', () => {
  const workload = `url-${'a'.repeat(400)}`;
  for (const { trialId } of expand({ workloads: [workload] }).trials)
    assert.doesNotThrow(() => trialIdSchema.parse(trialId));
});
