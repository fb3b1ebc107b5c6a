import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cpuMounts,
  groupIn,
  quotaStatistics,
  throttledMsIn,
} from '../../../../../src/core/system/processes/cpu-controllers.ts';

const mountLine = (root: string, point: string, type: string, options: string): string =>
  `36 35 98:0 ${root} ${point} rw,noatime shared:1 - ${type} ${type} ${options}`;

test('trees with a CPU controller are the one of version 2 and those of version 1 that name it', () => {
  const text = [
    mountLine('/', '/sys/fs/cgroup/cpu,cpuacct', 'cgroup', 'rw,cpu,cpuacct'),
    mountLine('/', '/sys/fs/cgroup/cpuset', 'cgroup', 'rw,cpuset'),
    mountLine('/box', '/sys/fs/cgroup', 'cgroup2', 'rw,nsdelegate'),
    mountLine('/', '/', 'ext4', 'rw'),
  ].join('\n');
  assert.deepEqual(cpuMounts(text), [
    { version: 'cgroup v1', mountPoint: '/sys/fs/cgroup/cpu,cpuacct', mountedGroup: '/' },
    { version: 'cgroup v2', mountPoint: '/sys/fs/cgroup', mountedGroup: '/box' },
  ]);
});

test('the group of a process is read for each version by itself', () => {
  const text = '4:memory:/m\n3:cpuset:/s\n2:cpu,cpuacct:/c\n0::/user.slice/a:b.scope\n';
  assert.equal(groupIn(text, 'cgroup v1'), '/c');
  assert.equal(groupIn(text, 'cgroup v2'), '/user.slice/a:b.scope');
  assert.equal(groupIn('3:cpuset:/s\n', 'cgroup v1'), null);
});

test('withheld time is read in the units of both versions, and a group without a quota has none', () => {
  assert.equal(throttledMsIn('nr_periods 3\nnr_throttled 2\nthrottled_time 1500000\n'), 1.5);
  assert.equal(throttledMsIn('usage_usec 9\nnr_throttled 2\nthrottled_usec 1500\n'), 1.5);
  assert.equal(throttledMsIn('usage_usec 9\n'), 0);
});

test('a process that has ended is under no quota', () => {
  assert.deepEqual(quotaStatistics(2 ** 30), []);
});
