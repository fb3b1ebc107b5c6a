import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../src/cli/plan-request.ts';
import { tempFolder } from '../../support/temp-folder.ts';

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

test('--workload and --url replace what a preset loads', () => {
  const request = readPlanRequest('web', { workload: 'download-1mb', url: ['https://example.org/a'] });
  const { plan } = planFromRequest(request, 'test');
  assert.deepEqual(
    plan.workloads.map(({ kind }) => kind),
    ['download', 'page'],
  );
  assert.deepEqual(
    plan.conditions.map(({ network }) => network),
    ['loopback', 'host'],
  );
});

test('--sites takes names with or without their prefix', () => {
  assert.deepEqual(readPlanRequest('web', { sites: 'agency,page-landing' }).workloads, [
    'page-agency',
    'page-landing',
  ]);
});

test('a probe is added to the default ones', () => {
  assert.deepEqual(readPlanRequest('web', { probe: ['lighthouse'] }).probes, [
    'har',
    'frames',
    'cpu',
    'lighthouse',
  ]);
});
