import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ordinaryPriorityPrefix } from '../../../../../src/core/system/processes/ordinary-priority.ts';

test('a process started with these words cannot raise its priority', (t) => {
  const [program = 'sh', ...rest] = [...ordinaryPriorityPrefix(), 'sh'];
  if (process.getuid?.() === 0 && program === 'sh') return t.skip('setpriv cannot take rights away here');
  if (process.platform !== 'linux') return t.skip('capabilities are Linux’s');
  const result = spawnSync(program, [...rest, '-c', 'nice -n -5 nice'], { encoding: 'utf8' });
  assert.equal(result.error, undefined);
  assert.ok(Number(result.stdout.trim()) >= 0, result.stdout);
});
