import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { expectedMs, expectedTrialTimes, timeOnHosts } from '../../../../src/app/plan/scale-times.ts';

/** Expected time of one trial, s, without the check of the path. */
async function secondsOf(workload: string, network: string): Promise<number> {
  const flags: PlanFlags = { workload, network, repetitions: '10', exploratory: true };
  const work = planFromRequest(readPlanRequest(undefined, flags), '');
  return (await expectedMs(work)) / 1000 / work.plan.trials.length;
}

test('a path with a rate makes a download as long as its bytes take', async () => {
  const loopback = await secondsOf('download-10mb', 'loopback');
  const dsl = await secondsOf('download-10mb', 'dsl');
  const narrow = await secondsOf('download-10mb', 'dsl-2015');
  assert.ok(loopback < 2, `${loopback} s`);
  assert.ok(dsl > 10 / (25 / 8) && dsl < 10, `${dsl} s over 25 Mbit/s`);
  assert.ok(narrow > 10 / (1.5 / 8) && narrow < 65, `${narrow} s over 1.5 Mbit/s`);
});

test('loss makes it longer than the rate does, as a loss-based sender bears it', async () => {
  const clean = await secondsOf('download-10mb', 'liu-10mbit-50ms-0pct');
  const lossy = await secondsOf('download-10mb', 'liu-10mbit-50ms-4pct');
  assert.ok(clean > 8 && clean < 15, `${clean} s`);
  assert.ok(lossy > 90 && lossy < 160, `${lossy} s; measured: 102 to 137 s`);
});

test('heavy loss costs time-outs even without delay, and light loss next to nothing', async () => {
  const light = await secondsOf('download-1mb-x20', 'liu-10mbit-0ms-2pct');
  const heavy = await secondsOf('download-1mb-x20', 'liu-10mbit-0ms-12pct');
  assert.ok(light > 16 && light < 22, `${light} s`);
  assert.ok(heavy > 85 && heavy < 150, `${heavy} s; published: 113 s`);
});

test('a sender that does not slow down on loss takes what the path carries', async () => {
  const seconds = async (arms: string, server: string): Promise<number> => {
    const lossy = { workload: 'download-10mb', network: 'liu-10mbit-50ms-4pct', exploratory: true } as const;
    const work = planFromRequest(
      readPlanRequest(undefined, { ...lossy, arms, server, repetitions: '10' }),
      '',
    );
    return (await expectedMs(work)) / 1000 / work.plan.trials.length;
  };
  const slow = await seconds('h2,h2', 'nginx');
  const fast = await seconds('h3,h3', 'nginx');
  assert.ok(slow > 90, `${slow} s over New Reno of TCP`);
  assert.ok(fast > 8 && fast < 18, `${fast} s over nginx's QUIC`);
  assert.ok((await seconds('h2,h3', 'envoy')) < 18, 'BBR on both sides');
  assert.ok((await seconds('h2,h3', 'caddy')) > 90, 'New Reno on both sides');
});

test('a page waits for round trips, a session only for what its path cannot bring in time', async () => {
  assert.ok((await secondsOf('page-agency', 'satellite')) > (await secondsOf('page-agency', 'loopback')) + 5);
  const played = await secondsOf('video-ci-2s-bba', 'loopback');
  assert.ok(Math.abs((await secondsOf('video-ci-2s-bba', 'fiber-300')) - played) < 1);
  assert.ok((await secondsOf('video-ci-2s-fixed6', 'cable-2015')) > played + 8, '10 Mbit/s over 5 Mbit/s');
});

test('a quick start saves the warm-ups, and most of the check of each path', async () => {
  const msOf = (network: string, quickStart: boolean): Promise<number> => {
    const flags: PlanFlags = { workload: 'download-10mb', network, repetitions: '10', exploratory: true };
    return expectedMs(planFromRequest(readPlanRequest(undefined, { ...flags, quickStart }), ''));
  };
  const savedMs = async (network: string): Promise<number> =>
    (await msOf(network, false)) - (await msOf(network, true));
  const warmUpsMs = await savedMs('loopback');
  assert.ok(warmUpsMs > 2_000 && warmUpsMs < 5_000, `two warm-ups: ${warmUpsMs} ms`);
  const overCableMs = await savedMs('cable');
  assert.ok(overCableMs > 7_000 && overCableMs < 20_000, `and one path: ${overCableMs} ms`);
});

test('parted over machines a plan takes as much less, but for the check of each path and uneven parts', async () => {
  const flags: PlanFlags = { workload: 'download-10mb', network: 'dsl,cable', repetitions: '20' };
  const work = planFromRequest(readPlanRequest(undefined, { ...flags, exploratory: true }), '');
  const alone = await expectedMs(work);
  const timeOf = await expectedTrialTimes(work);
  const onFour = timeOnHosts(work.plan, timeOf, 4) ?? 0;
  assert.equal(timeOnHosts(work.plan, timeOf, 1), alone);
  assert.ok(onFour >= alone / 4 && onFour < alone / 2.5, `${alone} ms, on four ${onFour} ms`);
  assert.equal(timeOnHosts(work.plan, timeOf, 41), undefined, 'more machines than leases');
});

test('an upload takes as long as its bytes take on the way up', async () => {
  const down = await secondsOf('download-10mb', 'cable');
  const up = await secondsOf('upload-10mb', 'cable');
  assert.ok(down < 10 / (20 / 8), `${down} s at 100 Mbit/s`);
  assert.ok(up > 10 / (20 / 8) && up < 8, `${up} s at 20 Mbit/s`);
});
