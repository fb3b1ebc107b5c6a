import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePinning, clientCpus, serverElsewhere } from '../../../../harness/testbed/pinning.ts';
import { pinPrefix } from '../../../../src/core/system/processes/cpu-affinity.ts';

function cpusOf(range: string | null): number[] {
  const [first = 0, last = first] = (range ?? '').split('-').map(Number);
  return range === null ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

test('browser and server never share a CPU when there are two or more', () => {
  for (const cpuCount of [2, 3, 4, 5, 8, 64]) {
    const { browserCpus, serverCpus } = choosePinning({ cpuCount, hasTaskset: true });
    const all = [...cpusOf(browserCpus), ...cpusOf(serverCpus)];
    assert.equal(new Set(all).size, cpuCount, `${cpuCount} CPUs: ${browserCpus} and ${serverCpus}`);
    assert.equal(all.length, cpuCount);
    assert.ok(cpusOf(browserCpus).length >= cpusOf(serverCpus).length);
  }
});

test('one CPU or no taskset means no pinning, and says why', () => {
  for (const context of [
    { cpuCount: 1, hasTaskset: true },
    { cpuCount: 8, hasTaskset: false },
  ]) {
    const pinning = choosePinning(context);
    assert.deepEqual(pinPrefix(pinning.browserCpus), []);
    assert.ok(pinning.note);
  }
});

test('an arm gives its client all CPUs, or as many as it says, whatever is kept for the server', () => {
  const pinning = choosePinning({ cpuCount: 8, hasTaskset: true });
  assert.equal(clientCpus(pinning, undefined, 4), '0-3');
  assert.equal(clientCpus(pinning, { count: null }, 4), '0-7');
  assert.equal(clientCpus(pinning, { count: 1 }, 4), '0');
  assert.equal(clientCpus(pinning, { count: 6 }, 4), '0-5');
  // No server of ours has CPUs there: what an arm asks for is set, and read back, all the same.
  assert.equal(clientCpus(serverElsewhere, undefined, 8), null);
  assert.equal(clientCpus(serverElsewhere, { count: null }, 8), '0-7');
  assert.equal(clientCpus(serverElsewhere, { count: 1 }, 8), '0');
});
