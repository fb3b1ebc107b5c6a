import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepInOrder } from '../../../../harness/network/host-setup.ts';

test('packets of a device are taken in by the first CPU of their receiver', () => {
  const maskOf = (cpus?: string | null): string | undefined =>
    /echo (\S+) > \/sys\/class\/net\/dev0\/queues/.exec(keepInOrder('dev0', cpus).join('\n'))?.[1];
  assert.equal(maskOf(), '1');
  assert.equal(maskOf(null), '1');
  assert.equal(maskOf('1'), '2');
  assert.equal(maskOf('2-3'), '4');
  assert.equal(maskOf('31'), '80000000');
  assert.equal(maskOf('40-63'), '100,00000000', 'words of 32 CPUs');
});
