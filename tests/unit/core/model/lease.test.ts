import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leasesOf, ownPart, shardOfLease, trialsOfShard } from '../../../../src/core/model/lease.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan } = generateRun({ blocks: 6, networks: ['4g', '5g', 'cable'] });

test('a lease is one block of one network with all workloads and all arms', () => {
  const leases = leasesOf(plan);
  assert.equal(leases.length, 6 * 3);
  for (const { trials, blockIndex } of leases) {
    assert.equal(trials.length, 2 * 2);
    assert.deepEqual(new Set(trials.map((trial) => trial.blockIndex)), new Set([blockIndex]));
    assert.equal(new Set(trials.map(({ network }) => network)).size, 1);
    assert.equal(new Set(trials.map(({ workload, arm }) => `${workload} ${arm}`)).size, 4);
  }
});

test('the shards of a plan have every trial once, whatever their number', () => {
  for (const count of [1, 2, 3, 4, 5, 20]) {
    const parts = Array.from({ length: count }, (_, i) => trialsOfShard(plan, { index: i + 1, count }));
    const ids = parts.flat().map(({ trialId }) => trialId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(new Set(ids), new Set(plan.trials.map(({ trialId }) => trialId)));
  }
});

test('every condition meets every host when there are as many blocks as hosts', () => {
  for (const count of [2, 3, 6]) {
    const met = new Set(leasesOf(plan).map((lease) => `${lease.group} ${shardOfLease(lease, count).index}`));
    assert.equal(met.size, 3 * count);
  }
});

test('a shard runs one lease after the other', () => {
  const trials = trialsOfShard(plan, { index: 2, count: 2 });
  const leases = trials.map(({ blockIndex, network }) => `${blockIndex} ${network}`);
  const changes = leases.filter((lease, index) => lease !== leases[index - 1]);
  assert.equal(new Set(leases).size, changes.length);
});

test('a shard has its own trials and the conditions that they meet; a plan without one is whole', () => {
  assert.equal(ownPart(plan), plan);
  const one = generateRun({ blocks: 1, networks: ['4g', '5g'] }).plan;
  const part = ownPart({ ...one, shard: { index: 1, count: 2 } });
  assert.deepEqual(new Set(part.conditions.map(({ network }) => network)), new Set(['4g']));
  assert.ok(part.trials.every(({ network }) => network === '4g'));
});
