import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientCpuWords, type Environment } from '../../../../src/core/model/environment.ts';

function words(browserCpus: string | null, cpuCount: number, hosts?: Environment['hosts']): string {
  const pinning = { browserCpus, serverCpus: null };
  return clientCpuWords({ machine: { cpuCount }, pinning, hosts } as unknown as Environment);
}

test('a client that has fewer CPUs than the machine is told, and no other', () => {
  assert.equal(words('0', 2), 'on 1 of 2 CPUs');
  assert.equal(words('0-3', 8), 'on 4 of 8 CPUs');
  assert.equal(words('0,2-3', 4), 'on 3 of 4 CPUs');
  assert.equal(words('0-1', 2), '');
  assert.equal(words(null, 2), '');
  assert.equal(words('0', 2, []), '');
});
