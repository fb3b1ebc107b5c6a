import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolDifferences } from '../../../../src/analyse/calibrate/pool-differences.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const environment = environmentFixture(['chromium'], ['host']);
const { plan } = generateRun();

test('runs of one kind differ in nothing, whatever the browser’s version or the kernel', () => {
  const updated = {
    ...environment,
    machine: { ...environment.machine, kernel: 'Linux 99' },
    clients: environment.clients.map((client) => ({ ...client, version: '999' })),
  };
  assert.deepEqual(poolDifferences({ plan, environment }, { plan, environment: updated }), []);
});

test('another machine, site set, network or build is named', () => {
  const other = {
    plan: {
      ...plan,
      workloads: plan.workloads.slice(0, 1),
      conditions: plan.conditions.map((c) => ({ ...c, network: '4g' })),
    },
    environment: {
      ...environment,
      machine: { ...environment.machine, cpuCount: 96 },
      clients: environment.clients.map((client) => ({ ...client, build: 'headless-shell' as const })),
    },
  };
  const lines = poolDifferences({ plan, environment }, other);
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    ['machine class', 'site set', 'network', 'browser build'],
  );
  assert.match(lines[1] ?? '', /page-a, page-b against page-a/);
});
