import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { untilRest } from '../../harness/clients/rest-from-outside.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

const warn = (text: string): void => assert.fail(text);

/** Starts a shell in a process group of its own, which ends with the test. */
function startShell(t: TestContext, script: string): number {
  const { pid } = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
  assert.ok(pid !== undefined);
  t.after(() => process.kill(-pid, 'SIGKILL'));
  return pid;
}

/** Four that work: more than one CPU has time for, so that some of them do on a busy machine too. They do when it resolves. */
async function startWork(t: TestContext): Promise<number> {
  const work = 'n=0; while :; do n=$((n+1)); [ $n -ne 2000 ] || echo at work; done';
  const { pid, stdout } = spawn('sh', ['-c', `for i in 1 2 3 4; do (${work}) & done; wait`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.ok(pid !== undefined);
  t.after(() => process.kill(-pid, 'SIGKILL'));
  await once(stdout, 'data');
  stdout.resume();
  return pid;
}

test(
  'processes that do nothing have come to rest after the quiet time, and not before',
  { skip },
  async (t) => {
    const rootPid = startShell(t, 'sleep 600');
    const startMs = performance.now();
    assert.equal(await untilRest({ rootPid, quietMs: 300, limitMs: 60_000, warn }), true);
    assert.ok(performance.now() - startMs >= 295);
  },
);

test('processes that work have not come to rest when the limit is over', { skip }, async (t) => {
  const rootPid = await startWork(t);
  assert.equal(await untilRest({ rootPid, quietMs: 700, limitMs: 1_500, warn }), false);
});

test(
  'a page that works for ever has loaded after several quiet times without an end, and a warning says so',
  { skip },
  async (t) => {
    const rootPid = await startWork(t);
    // So long that on a busy machine, too, they get more time than a browser at rest uses.
    const quietMs = 700;
    const startMs = performance.now();
    const warnings: string[] = [];
    const rest = untilRest({
      rootPid,
      quietMs,
      limitMs: 60_000,
      warn: (text) => warnings.push(text),
    });
    assert.equal(await rest, true);
    assert.ok(performance.now() - startMs >= 4 * quietMs - 5);
    assert.match(warnings.join(), /^the page still worked \d+ ms after its load, without traffic/);
  },
);

test('what still comes from a server on this machine keeps a load from its rest', { skip }, async (t) => {
  const rootPid = startShell(t, 'sleep 600');
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write(Buffer.alloc(2000)), 100);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  t.after(() => client.destroy());
  await once(client, 'connect');
  const rest = { rootPid, serverAddress: '127.0.0.1', quietMs: 400 };
  assert.equal(await untilRest({ ...rest, limitMs: 1_500, warn }), false);
  const warnings: string[] = [];
  assert.equal(await untilRest({ ...rest, limitMs: 60_000, warn: (text) => warnings.push(text) }), true);
  assert.match(warnings.join(), /other programs’ traffic over the same link/);
});
