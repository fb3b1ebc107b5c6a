import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { openLeaseQueues, type LeaseQueues } from '../../src/app/workers/lease-queue.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { planFromRequest, readPlanRequest } from '../../src/app/plan/plan-request.ts';
import { versionWords } from '../../src/app/version.ts';
import { folderStore } from '../../src/store/results/folder-store.ts';
import { leaseResults } from '../../src/store/results/lease-results.ts';
import { signatureOf } from '../../src/store/results/plan-signature.ts';
import { generateRun } from '../support/generated-run.ts';
import { projectDir, runCli, runCliHere, startCli, type RunningCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startValkey, noValkeyReason, type Valkey, type ValkeyOptions } from '../support/valkey.ts';

const skip = await noValkeyReason();

async function valkeyFor(
  t: TestContext,
  options: ValkeyOptions = {},
): Promise<Valkey & { readonly folder: string }> {
  const folder = tempFolder(t);
  const data = join(folder, 'valkey');
  mkdirSync(data);
  return { ...(await startValkey(t, data, options)), folder };
}

const keyed = { H2H3_WORKERS_KEY: 'f3a1'.repeat(16) };

const queuesAt = (url: string): Promise<LeaseQueues> => openLeaseQueues(url, () => undefined);

/** A queue as h2h3 and as anybody else has it. */
async function openedQueue(
  t: TestContext,
): Promise<{ url: string; folder: string; client: Redis; queues: LeaseQueues }> {
  const { url, folder } = await valkeyFor(t);
  const client = new Redis(url);
  const queues = await queuesAt(url);
  t.after(async () => {
    client.disconnect();
    await queues.close();
  });
  return { url, folder, client, queues };
}

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
  const one = await queuesAt(url);
  const other = await queuesAt(url);
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

/** Starts a worker, waits until it has said each of these, and ends it; returns all that it said. */
async function saidByWorker(url: string, place: string, patterns: readonly RegExp[]): Promise<string> {
  const worker = startCli(['worker', url, '--results', place], keyed);
  await Promise.all(patterns.map((pattern) => worker.said(pattern)));
  worker.child.kill('SIGINT');
  const { code, stderr } = await worker.result;
  assert.equal(code, 130, stderr);
  assert.doesNotMatch(stderr, /\n\s+at |fault of h2h3/);
  return stderr;
}

test(
  'a worker names what is announced and cannot be used, leaves it alone, and waits for another run',
  { skip },
  async (t) => {
    const { url, folder, client } = await openedQueue(t);
    const renewedEpochMs = Date.now();
    const version = versionWords(projectDir);
    const announced = {
      '01d': JSON.stringify({ version: '9.9.9 (0123)', renewedEpochMs }),
      '57a1e': JSON.stringify({ version, renewedEpochMs: renewedEpochMs - 25 * 3_600_000 }),
      '1057': JSON.stringify({ version, renewedEpochMs }),
      c0: '{"version":',
      '../../x': JSON.stringify({ version, renewedEpochMs }),
    };
    await client.hset('h2h3:runs', announced);
    await saidByWorker(url, join(folder, 'shared'), [
      /the run 01d is left alone: it is of h2h3 9\.9\.9 \(0123\), and this is/,
      /the run 57a1e is forgotten: its coordinator was silent for more than a day/,
      /the run 1057 is left alone: the results have no plan of it/,
      /the run c0 is left alone: it is no announcement of h2h3/,
      /the run \.\.\/\.\.\/x is left alone: it has no name that h2h3 gives a run/,
    ]);
    const left = await client.hkeys('h2h3:runs');
    assert.deepEqual(
      left.sort(),
      Object.keys(announced)
        .filter((name) => name !== '57a1e')
        .sort(),
    );
  },
);

test(
  'corrupt and foreign results of a run keep a worker from that run alone, without a stack trace',
  { skip },
  async (t) => {
    const { url, folder, queues } = await openedQueue(t);
    const place = join(folder, 'shared');
    const { plan } = generateRun({ blocks: 2 });
    const announce = async (runId: string, spoil: (own: string) => void): Promise<void> => {
      const queue = { runId, spareBlocks: 0, lostAfterMs: 30_000 };
      await leaseResults(folderStore(place), runId, keyed.H2H3_WORKERS_KEY).publishPlan({ ...plan, queue });
      spoil(join(place, 'runs', runId));
      await queues.announce(runId, versionWords(projectDir));
    };
    const signed = (runId: string, text: string, own: string): void => {
      writeFileSync(join(own, 'plan.json'), text);
      writeFileSync(join(own, 'plan.hmac'), signatureOf(text, runId, keyed.H2H3_WORKERS_KEY));
    };
    await announce('a1', (own) => signed('a1', '{"schemaVersion":2,', own));
    await announce('a2', (own) => signed('a2', '[]', own));
    await announce('a3', (own) => {
      rmSync(join(own, 'plan.json'));
      mkdirSync(join(own, 'plan.json'));
    });
    await announce('a4', (own) => writeFileSync(join(own, 'environment.json'), '{"hosts":1}'));
    await announce('a5', (own) => {
      rmSync(own, { recursive: true });
      symlinkSync(own, own);
    });
    await announce('a6', (own) => {
      rmSync(own, { recursive: true });
      writeFileSync(own, 'no folder');
    });
    await saidByWorker(url, place, [
      /the run a1 is left alone: .*runs\/a1\/plan\.json is not JSON/,
      /the run a2 is left alone: .*plan\.json cannot be read/,
      /the run a3 is left alone: .*it is a folder/,
      /the run a4 is left alone: .*environment\.json cannot be read/,
      /the run a5 is left alone: .*lead in a circle/,
      /the run a6 is left alone: .*is no folder/,
    ]);
  },
);

test('something else under the names of h2h3 in the queue is said in a sentence', { skip }, async (t) => {
  const { url, folder, client, queues } = await openedQueue(t);
  await client.set('h2h3:runs', 'of somebody else');
  for (const args of [
    ['worker', url, '--results', join(folder, 'shared')],
    ['runs', 'list', '--workers', url],
    ['runs', 'withdraw', 'x', '--workers', url],
  ]) {
    const { code, stderr } = await runCliHere(args, keyed);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /something else under the name h2h3:runs than h2h3 keeps there/);
    assert.match(stderr, /redis-cli DEL/);
  }
  await client.del('h2h3:runs');
  await client.set('bull:h2h3-abc:active', 'of somebody else');
  const queue = await queues.coordinate('abc', 30_000);
  await assert.rejects(queue.active(), {
    code: 'usage',
    message: /something else under the name bull:h2h3-abc/,
  });
  await client.del('bull:h2h3-abc:active');
  await queue.close();
});

test(
  'something else in the place of one run’s queue costs that run alone, which can be withdrawn',
  { skip },
  async (t) => {
    const { url, folder } = await valkeyFor(t);
    const place = join(folder, 'shared');
    const client = new Redis(url);
    const queues = await queuesAt(url);
    t.after(async () => {
      client.disconnect();
      await queues.close();
    });
    const { plan } = generateRun({ blocks: 2 });
    const queue = { runId: 'f0', spareBlocks: 0, lostAfterMs: 30_000 };
    await leaseResults(folderStore(place), 'f0', keyed.H2H3_WORKERS_KEY).publishPlan({ ...plan, queue });
    await client.set('bull:h2h3-f0:wait', 'of somebody else');
    for (const runId of ['f0', 'f1']) await queues.announce(runId, versionWords(projectDir));
    await saidByWorker(url, place, [
      /the run f0 is left alone: .*under the name bull:h2h3-f0/,
      /the run f1 is left/,
    ]);
    const list = await runCliHere(['runs', 'list', '--workers', url]);
    assert.equal(list.code, 0, list.stderr);
    assert.match(list.stdout, /f0\s+unusable: the queue has something else.*\nf1\s+coordinator gone/);
    const withdrawn = await runCliHere(['runs', 'withdraw', 'f0', '--workers', url]);
    assert.equal(withdrawn.code, 0, withdrawn.stderr);
    assert.match(withdrawn.stderr, /warning: .*under the name bull:h2h3-f0 .*redis-cli DEL/);
    assert.deepEqual(await client.hkeys('h2h3:runs'), ['f1']);
  },
);

test(
  'a run that stayed behind keeps no worker from one with a coordinator, and none for more than a day',
  { skip },
  async (t) => {
    const { url, folder, client, queues } = await openedQueue(t);
    for (const runId of ['a1', 'a2']) await queues.announce(runId, versionWords(projectDir));
    const release = await queues.hold('coordinator:a2', 'a coordinator');
    const said = await saidByWorker(url, join(folder, 'shared'), [
      /the run a1 is left/,
      /the run a2 is left/,
    ]);
    assert.ok(said.indexOf('the run a2') < said.indexOf('the run a1'), said);
    await release();
    assert.equal(await queues.isAnnounced('a1'), true);
    const renewedEpochMs = Date.now() - 25 * 3_600_000;
    await client.hset('h2h3:runs', 'a1', JSON.stringify({ version: '1', renewedEpochMs }));
    assert.equal(await queues.isAnnounced('a1'), false);
  },
);

test(
  'runs of a queue are listed, and one whose coordinator is gone is withdrawn by how its name begins',
  { skip },
  async (t) => {
    const { url, queues } = await openedQueue(t);
    const listed = async (): Promise<{ runId: string; state: string; leases: object | null }[]> => {
      const { code, stdout, stderr } = await runCliHere(['runs', 'list', '--workers', url, '--json']);
      assert.equal(code, 0, stderr);
      return (JSON.parse(stdout) as { runs: { runId: string; state: string; leases: object | null }[] }).runs;
    };
    assert.deepEqual(await listed(), []);
    const queue = await queues.coordinate('0d3c-1', 30_000);
    await queue.add(['b000-g0', 'b001-g0']);
    await queue.close();
    await queues.announce('0d3c-1', '1');
    await queues.announce('0d3d-2', '1');
    const release = await queues.hold('coordinator:0d3c-1', 'a coordinator');
    assert.deepEqual(
      (await listed()).map(({ runId, state, leases }) => [runId, state, leases]),
      [
        ['0d3c-1', 'running', { waiting: 2, active: 0, ended: 0 }],
        ['0d3d-2', 'waiting', { waiting: 0, active: 0, ended: 0 }],
      ],
    );
    const withdraw = (name: string): ReturnType<typeof runCliHere> =>
      runCliHere(['runs', 'withdraw', name, '--workers', url]);
    assert.match((await withdraw('0d3c')).stderr, /coordinator of the run 0d3c-1 is at work/);
    assert.match((await withdraw('0d3')).stderr, /more than one run "0d3"/);
    assert.match((await withdraw('x')).stderr, /no run "x"/);
    await release();
    const done = await withdraw('0d3c');
    assert.deepEqual([done.code, /the run 0d3c-1 is withdrawn/.test(done.stdout)], [0, true], done.stderr);
    assert.deepEqual(
      (await listed()).map(({ runId }) => runId),
      ['0d3d-2'],
    );
    assert.deepEqual((await queues.leaseCounts('0d3c-1')).waiting, 0);
  },
);

test(
  'a worker runs no command of a plan that another key or none has signed, nor one that its user has not allowed',
  { skip },
  async (t) => {
    const { url, folder, queues } = await openedQueue(t);
    const place = join(folder, 'shared');
    const runId = '0123abcd';
    const ran = join(folder, 'ran');
    const flags = { url: ['https://localhost:1/'], serverCommand: `touch ${ran}`, repetitions: '1' };
    const { plan } = planFromRequest(readPlanRequest(undefined, { ...flags, exploratory: true }), 'test');
    const queue = { runId, spareBlocks: 0, lostAfterMs: 30_000 };
    const published = (key: string): Promise<void> =>
      leaseResults(folderStore(place), runId, key).publishPlan({ ...plan, queue });
    await queues.announce(runId, versionWords(projectDir));
    const refused = async (why: RegExp): Promise<void> => {
      await saidByWorker(url, place, [why]);
      assert.ok(!existsSync(ran), 'the command was not run');
    };
    await published('other'.repeat(8));
    await refused(/is left alone: .* is not signed with the key of this worker/);
    rmSync(join(place, `runs/${runId}/plan.hmac`));
    await refused(/is left alone: .* is not signed with the key of this worker/);
    await published(keyed.H2H3_WORKERS_KEY);
    await refused(/is left alone: .*--trust/);
    assert.match([...(await queues.refusals(runId)).values()].join(), /--trust/, 'its coordinator is told');
    const worked = await runCli(['worker', url, '--results', place, '--trust-all'], keyed);
    assert.ok(existsSync(ran), 'what its own key has signed, and its user allowed, it does');
    const told = [...(await queues.refusals(runId)).values()].join();
    assert.match(worked.stderr, /the server under test ended/);
    assert.match(told, /the server under test ended/, 'its coordinator is told why it ended');
  },
);

test(
  'a queue over TLS that knows its users by name takes password and key out of files',
  { skip },
  async (t) => {
    const { cache } = await createSetupContext({ projectDir });
    const tls = await (await openCertificateStore({ cache })).filesFor('localhost');
    const password = 'p/a@ss#w:ord%';
    const { port, folder } = await valkeyFor(t, { user: 'lab', password, tls });
    const word = join(folder, 'word');
    const key = join(folder, 'key');
    writeFileSync(word, `${password}\n`);
    writeFileSync(key, `${keyed.H2H3_WORKERS_KEY}\n`);
    const work = (user: string, environment: Record<string, string>): RunningCli =>
      startCli(
        [
          'worker',
          `rediss://${user}:\${file:${word}}@localhost:${port}`,
          '--results',
          join(folder, 'shared'),
        ],
        { H2H3_WORKERS_KEY_FILE: key, ...environment },
      );
    const stranger = await work('other', { NODE_EXTRA_CA_CERTS: tls.certificateFile }).result;
    assert.match(stranger.stderr, /rediss:\/\/…@localhost:\d+ refuses this user or password/);
    const untrusting = await work('lab', {}).result;
    assert.match(untrusting.stderr, /no Redis or Valkey answers at rediss:\/\/…@localhost.*certificate/);
    const taken = work('lab', { NODE_EXTRA_CA_CERTS: tls.certificateFile });
    const client = new Redis({
      host: 'localhost',
      port,
      username: 'lab',
      password,
      tls: { rejectUnauthorized: false },
    });
    t.after(() => client.disconnect());
    await taken.until('it held its host', async () => (await client.keys('h2h3:hold:host:*')).length > 0);
    taken.child.kill('SIGINT');
    const { code, stderr } = await taken.result;
    assert.equal(code, 130, stderr);
    for (const text of [stranger, untrusting].map((one) => one.stderr).concat(stderr))
      assert.ok(!text.includes('p/a') && !text.includes('p%2Fa'), text);
  },
);

test('flags that do not go together are refused before anything is made', async () => {
  const run = ['run', 'download', '--workers', 'redis://127.0.0.1:1'];
  const said = async (...words: readonly string[]): Promise<string> => (await runCliHere(words)).stderr;
  assert.match(await said(...run, '--results', 'x'), /needs a key.*export H2H3_WORKERS_KEY=/s);
  assert.match(await said(...run), /--workers needs --results/);
  assert.match(await said(...run, '--results', 'x', '--shard', '1/2'), /--shard cannot be given with/);
  assert.match(await said('run', 'download', '--results', 'x'), /go with --workers/);
});
