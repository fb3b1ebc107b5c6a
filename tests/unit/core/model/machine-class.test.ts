import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '../../../../src/core/model/environment.ts';
import { machineClassOfRun } from '../../../../src/core/model/machine-class.ts';

const machineOf = (cpuCount: number): Environment['machine'] => ({
  platform: 'linux x64',
  kernel: 'Linux 6.12',
  cpuModel: 'A CPU',
  cpuCount,
  memoryBytes: 16 * 2 ** 30,
  governor: null,
  loadAverage1m: 0,
  stealShare: null,
  virtualised: null,
});

test('several machines of a run are a class of their own', () => {
  const machine = machineOf(8);
  const one = 'linux x64, A CPU, 8 CPUs, 16 GiB';
  assert.equal(machineClassOfRun({ machine }), one);
  const named = { host: 'lab', hostName: 'lab', machine: machineOf(2), node: '24.0.0' };
  const other = { ...named, clockOffsetMs: 0, clockBoundMs: 1 };
  for (const [what, hosts] of [
    ['server', { serverHost: other }],
    ['client', { clientHost: other }],
  ] as const)
    assert.equal(
      machineClassOfRun({ machine, ...hosts }),
      `${one}, with the ${what} on linux x64, A CPU, 2 CPUs, 16 GiB`,
    );
  const there = 'linux x64, A CPU, 2 CPUs, 16 GiB';
  assert.equal(
    machineClassOfRun({ machine, serverHost: other, clientHost: other }),
    `${one}, with the server on ${there} and the client on ${there}`,
  );
});
