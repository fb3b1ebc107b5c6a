import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { rates } from '../../../../src/app/preflight/rates.ts';

async function warningsOf(source: string, scale: string, cpuCount: number): Promise<string[]> {
  const { plan } = planFromRequest(readPlanRequest(source, { scale }), '');
  const found = await rates.judge(plan, { cpuCount });
  assert.ok(
    found.every(({ trialIds }) => trialIds?.length === 0),
    'no trial is kept from running',
  );
  return found.map(({ reason, next }) => `${reason}. ${next ?? ''}`);
}

test('two CPUs are told which paths ask for more than they carry, and what would', async () => {
  const [warning = '', ...others] = await warningsOf('zhang2024-video', 'standard', 2);
  assert.equal(others.length, 0);
  assert.match(warning, /^2 CPUs may not carry .*zhang-5g-walking-1 \(up to 975 Mbit\/s\)/);
  assert.match(warning, /4 CPUs have room/);
  assert.doesNotMatch(warning, /ethernet-1g/, 'the kernel’s own link');
});

test('nothing is said where there is room, or little is asked for', async () => {
  assert.deepEqual(await warningsOf('zhang2024-video', 'standard', 4), []);
  assert.deepEqual(await warningsOf('zhang2024-video', 'quick', 2), []);
  assert.deepEqual(await warningsOf('liu2025-single', 'paper', 2), []);
});
