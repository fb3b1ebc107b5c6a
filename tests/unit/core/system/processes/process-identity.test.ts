import assert from 'node:assert/strict';
import { test } from 'node:test';
import { livingProcess, processIdentity } from '../../../../../src/core/system/processes/process-identity.ts';

test('a living process is known by its identity', () => {
  assert.equal(livingProcess(processIdentity(process.pid)), process.pid);
  assert.equal(livingProcess(String(process.pid)), process.pid);
});

test(
  'a process that got the number of an earlier one is told from it',
  { skip: process.platform === 'linux' ? false : 'times of start are read from /proc, so Linux only' },
  () => {
    const [pid, start] = processIdentity(process.pid).split(' ');
    assert.match(start ?? '', /^\d+$/);
    assert.equal(livingProcess(`${pid} ${Number(start) - 1}`), null);
  },
);

test('what names no process is none', () => {
  for (const text of ['', 'x', '0', '-1', '4194304999']) assert.equal(livingProcess(text), null, text);
});
