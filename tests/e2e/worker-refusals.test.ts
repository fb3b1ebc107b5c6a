import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { openLeaseQueues, type LeaseQueues } from '../../src/app/workers/lease-queue.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startValkey, whyNoValkey, type Valkey, type ValkeyOptions } from '../support/valkey.ts';

const skip = await whyNoValkey();

async function valkeyFor(
  t: TestContext,
  options: ValkeyOptions = {},
): Promise<Valkey & { readonly folder: string }> {
  const folder = tempFolder(t);
  const data = join(folder, 'valkey');
  mkdirSync(data);
  return { ...(await startValkey(t, data, options)), folder };
}

const queuesAt = (url: string): Promise<LeaseQueues> => openLeaseQueues(url, () => undefined);

async function refusal(url: string): Promise<H2h3Error> {
  try {
    await (await queuesAt(url)).close();
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
  return assert.fail('it was not refused');
}

test(
  'a queue that does not answer, a wrong password and no address are each told apart, without the password',
  { skip },
  async (t) => {
    const valkey = await valkeyFor(t, { password: 'right' });
    const wrong = await refusal(`redis://:wrong@127.0.0.1:${valkey.port}`);
    assert.deepEqual([wrong.code, /refuses this user or password/.test(wrong.message)], ['usage', true]);
    assert.ok(!wrong.message.includes('wrong@'));
    const none = await refusal(`redis://127.0.0.1:${valkey.port}`);
    assert.equal(none.code, 'usage', none.message);
    await valkey.kill();
    const gone = await refusal(valkey.url);
    assert.deepEqual([gone.code, /no Redis or Valkey answers/.test(gone.message)], ['unsupported', true]);
    assert.equal((await refusal('http://127.0.0.1')).code, 'usage');
  },
);

test('a clock that is far from that of the queue is refused', { skip }, async (t) => {
  const { url } = await valkeyFor(t);
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() + 3_600_000);
  const { code, message } = await refusal(url);
  assert.equal(code, 'bad-input');
  assert.match(message, /36\d\d s ahead of that of Redis/);
});

test('a queue that would forget is warned about by name, without its password', { skip }, async (t) => {
  const said = async (forgetful: boolean): Promise<string[]> => {
    const lines: string[] = [];
    const { url } = await valkeyFor(t, { password: 'right', forgetful });
    await (await openLeaseQueues(url, (line) => lines.push(line))).close();
    return lines;
  };
  const [line = '', ...others] = await said(true);
  assert.match(line, /^warning: Valkey at redis:\/\/…@127\.0\.0\.1:\d+ keeps no append-only file/);
  assert.deepEqual([others, await said(false)], [[], []]);
});

test('a run has one coordinator, and a host name one worker', { skip }, async (t) => {
  const { url } = await valkeyFor(t);
  const [one, other] = [await queuesAt(url), await queuesAt(url)];
  t.after(() => Promise.all([one.close(), other.close()]));
  const release = await one.hold('coordinator:abc', 'another coordinator of this run');
  await assert.rejects(
    other.hold('coordinator:abc', 'another coordinator of this run'),
    /another coordinator of this run is at work/,
  );
  await release();
  await (
    await other.hold('coordinator:abc', 'another coordinator')
  )();
});

test('a worker refuses a run of another version', { skip }, async (t) => {
  const { url, folder } = await valkeyFor(t);
  const client = new Redis(url);
  t.after(() => client.disconnect());
  await client.hset('h2h3:runs', 'abc', '9.9.9 (0123)');
  const worker = ['worker', url, '--results', join(folder, 'shared')];
  const other = await runCli([...worker, '--host', 'lab-1']);
  assert.deepEqual(
    [other.code, /the run is of h2h3 9\.9\.9 \(0123\), and this is/.test(other.stderr)],
    [2, true],
  );
});

test('flags that do not go together are refused before anything is made', async () => {
  const run = ['run', 'download', '--workers', 'redis://127.0.0.1:1'];
  assert.match((await runCli(run)).stderr, /--workers needs --results/);
  assert.match(
    (await runCli([...run, '--results', 'x', '--shard', '1/2'])).stderr,
    /--shard cannot be given with/,
  );
  assert.match((await runCli(['run', 'download', '--results', 'x'])).stderr, /go with --workers/);
});
