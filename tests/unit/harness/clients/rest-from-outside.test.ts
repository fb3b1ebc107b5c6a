import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { untilRest } from '../../../../harness/clients/rest-from-outside.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

/** Starts a shell in a process group of its own, which ends with the test. */
function startShell(t: TestContext, script: string): number {
  const { pid } = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
  assert.ok(pid !== undefined);
  t.after(() => process.kill(-pid, 'SIGKILL'));
  return pid;
}

test(
  'processes that do nothing have come to rest after the quiet time, and not before',
  { skip },
  async (t) => {
    const rootPid = startShell(t, 'sleep 60');
    const startMs = performance.now();
    assert.equal(await untilRest({ rootPid, quietMs: 300, limitMs: 20_000 }), true);
    assert.ok(performance.now() - startMs >= 295);
  },
);

test('processes that work have not come to rest when the limit is over', { skip }, async (t) => {
  // Several, so that they work on a busy machine too.
  const rootPid = startShell(t, 'for i in 1 2 3 4; do (while :; do :; done) & done; wait');
  assert.equal(await untilRest({ rootPid, quietMs: 700, limitMs: 1_500 }), false);
});

test(
  'a page that works for ever has loaded after several quiet times without an end',
  { skip },
  async (t) => {
    const rootPid = startShell(t, 'for i in 1 2 3 4; do (while :; do :; done) & done; wait');
    const startMs = performance.now();
    assert.equal(await untilRest({ rootPid, quietMs: 150, limitMs: 20_000 }), true);
    assert.ok(performance.now() - startMs >= 4 * 150 - 5);
  },
);
