import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientCpuWords, type Environment } from '../../../../src/core/model/environment.ts';

function environmentOf(
  browserCpus: string | null,
  cpuCount: number,
  hosts?: Environment['hosts'],
): Environment {
  const pinning = { browserCpus, serverCpus: null };
  return { machine: { cpuCount }, pinning, hosts } as unknown as Environment;
}

const words = (...machine: Parameters<typeof environmentOf>): string =>
  clientCpuWords(environmentOf(...machine));

test('a client that has fewer CPUs than the machine is told, and no other', () => {
  assert.equal(words('0', 2), 'on 1 of 2 CPUs');
  assert.equal(words('0-3', 8), 'on 4 of 8 CPUs');
  assert.equal(words('0,2-3', 4), 'on 3 of 4 CPUs');
  assert.equal(words('0-1', 2), '');
  assert.equal(words(null, 2), '');
  assert.equal(words('0', 2, []), '');
});

test('what arms say of the client’s CPUs is told instead of where it is pinned', () => {
  const asked = (...values: readonly (string | undefined)[]): string =>
    clientCpuWords(environmentOf('0-1', 4), values);
  assert.equal(asked('all', 'all'), '');
  assert.equal(asked('1', '1'), 'on 1 of 4 CPUs');
  assert.equal(asked('1', 'all'), '');
  assert.equal(asked(undefined, undefined), 'on 2 of 4 CPUs');
  const elsewhere = (value: string): string => clientCpuWords(environmentOf(null, 4), [value, value]);
  assert.deepEqual([elsewhere('1'), elsewhere('all')], ['on 1 of 4 CPUs', '']);
});
