import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { leasesOf, shardOfLease } from '../../../../src/core/model/lease.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { summarySchema, type Comparison, type Summary } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun, type GeneratedRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';

const environment = environmentFixture(['chromium'], ['host']);

/** A run whose leases went round so many hosts; `slower` is the factor on the times of one arm on one host. */
function runOnHosts(
  count: number,
  options: GeneratedRunOptions,
  slower: (host: number, arm: string) => number = () => 1,
): GeneratedRun {
  const { plan, records } = generateRun({ blocks: 24, ...options });
  const hosts = new Map(
    leasesOf(plan).flatMap((lease) =>
      lease.trials.map(({ trialId }) => [trialId, shardOfLease(lease, count).index] as const),
    ),
  );
  const onHost = (record: TrialRecord): TrialRecord => {
    const host = hosts.get(record.trialId) ?? 0;
    const metrics: TrialRecord['metrics'] = { ...record.metrics };
    metrics['pltMs'] = Number(metrics['pltMs']) * slower(host, record.arm);
    return { ...record, host: `lab-${host}`, metrics };
  };
  return { plan, records: records.map(onHost) };
}

const summaryOf = ({ plan, records }: GeneratedRun): Summary => summarise(plan, records, environment, []);

function primaryOf(summary: Summary): Comparison {
  return summary.comparisons.find(({ primary }) => primary) ?? assert.fail('no primary comparison');
}

test('relabelled to one host a run says what it says without hosts', () => {
  const run = runOnHosts(3, { networks: ['host', 'other'] });
  const relabelled = run.records.map((record) => ({ ...record, host: 'lab-1' }));
  const unlabelled = run.records.map((record) => ({ ...record, host: undefined }));
  const [a, b] = [relabelled, unlabelled].map((records) => JSON.stringify(summaryOf({ ...run, records })));
  assert.equal(a, b);
  assert.notEqual(JSON.stringify(summaryOf(run)), a);
});

test('hosts that agree let a verdict stand, and are listed with their effects', () => {
  for (const count of [2, 3, 6]) {
    const summary = summaryOf(runOnHosts(count, { slowdown: { h3: 0.8 } }));
    assert.deepEqual(summarySchema.parse(summary), summary);
    const { verdict, hosts } = primaryOf(summary);
    assert.equal(verdict, 'better');
    assert.equal(hosts?.handling, count < 5 ? 'fixed' : 'clustered');
    assert.equal(hosts.effects?.length, count);
    assert.ok(hosts.effects.every(({ ratio }) => ratio !== null && Math.abs(ratio - 0.8) < 0.05));
  }
});

test('hosts that are as fast as they like, but alike in the effect, change no verdict', () => {
  const slowHost = runOnHosts(3, { slowdown: { h3: 0.8 } }, (host) => 1 + host);
  assert.equal(primaryOf(summaryOf(slowHost)).verdict, 'better');
});

test('an effect that one host has and the others have not is inconclusive: hosts disagree', () => {
  for (const workloads of [1, 6]) {
    const pages = Array.from({ length: workloads }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
    const run = runOnHosts(3, { workloads: pages }, (host, arm) => (host === 2 && arm === 'h3' ? 0.7 : 1));
    const { verdict, reason, hosts } = primaryOf(summaryOf(run));
    assert.deepEqual([verdict, reason], ['inconclusive', 'hosts disagree']);
    assert.ok((hosts?.pValue ?? 1) < 0.001);
  }
});

test('hosts whose effects differ, all beyond the margin, let the verdict stand', () => {
  const run = runOnHosts(3, {}, (host, arm) => (arm === 'h3' ? 0.8 - 0.05 * host : 1));
  const { verdict, hosts } = primaryOf(summaryOf(run));
  assert.equal(verdict, 'better');
  assert.ok((hosts?.pValue ?? 1) < 0.05);
});

test('lost trials count at their worst on their own host', () => {
  for (const count of [3, 6]) {
    const run = runOnHosts(count, { slowdown: { h3: 0.8 } });
    const records = run.records.map((record): TrialRecord =>
      record.arm === 'h3' && record.blockIndex < 12 && record.workload === 'page-a'
        ? { ...record, status: 'failed', reason: 'lost', metrics: {} }
        : record,
    );
    const { worstRank } = primaryOf(summaryOf({ ...run, records }));
    assert.equal(worstRank?.lostCandidate, 12);
  }
});
