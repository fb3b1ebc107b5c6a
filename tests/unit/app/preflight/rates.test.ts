import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { rates } from '../../../../src/app/preflight/rates.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

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

test('users at a rate that the emulator was never tried at are warned of, on any machine', async (t) => {
  const file = join(tempFolder(t), 'users.csv');
  writeFileSync(file, 'share,rttMs,downMbps,upMbps\n1,5,10000,10000\n1,20,100,20\n');
  const { plan } = planFromRequest(readPlanRequest('web', { audience: file }), '');
  for (const cpuCount of [2, 64]) {
    const [warning, ...others] = await rates.judge(plan, { cpuCount });
    assert.equal(others.length, 0);
    assert.match(warning?.reason ?? '', /may not carry audience-5ms-10000mbps-\w+ \(up to 10000 Mbit\/s\):/);
    assert.deepEqual(warning?.trialIds, [], 'no trial is kept from running');
  }
});
