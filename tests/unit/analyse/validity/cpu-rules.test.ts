import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuFindings } from '../../../../src/analyse/validity/cpu-rules.ts';

test('a client that had other CPUs than were chosen for its arm makes the trial invalid', () => {
  const reasons = (asked: string, had: string | null): string[] =>
    cpuFindings({ clientCpus: { asked, had } }).map(({ reason }) => reason);
  assert.deepEqual(reasons('0', '0'), []);
  assert.deepEqual(reasons('0-7', '0-7'), []);
  assert.deepEqual(cpuFindings({}), []);
  assert.deepEqual(reasons('0-1', '1'), ['the client was to have the CPUs 0-1, and it had 1']);
  assert.deepEqual(reasons('0', null), ['the client was to have the CPUs 0, and which it had is not known']);
});
