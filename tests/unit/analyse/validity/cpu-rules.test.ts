import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuFindings } from '../../../../src/analyse/validity/cpu-rules.ts';

test('a client that had other CPUs than its arm says makes the trial invalid', () => {
  const reasons = (count: number | null, had: string | null): string[] =>
    cpuFindings({ clientCpus: { count, had } }).map(({ reason }) => reason);
  assert.deepEqual(reasons(1, '0'), []);
  assert.deepEqual(reasons(4, '0-2,7'), []);
  assert.deepEqual(reasons(null, '0-7'), []);
  assert.deepEqual(cpuFindings({}), []);
  assert.deepEqual(reasons(1, '0-1'), ['the arm has cpus=1, and the client had the CPUs 0-1']);
  assert.deepEqual(reasons(null, null), ['the arm has cpus=all, and the client had CPUs that nothing tells']);
});
