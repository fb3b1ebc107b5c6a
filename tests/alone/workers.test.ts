import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Redis } from 'ioredis';
import { skipsWithout } from '../support/clients-here.ts';
import { readPlan, readRecords, runCli, startCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startValkey, noValkeyReason } from '../support/valkey.ts';
import { killWorkers } from '../torture/kill-workers.ts';

const skip = await noValkeyReason();

// `npm run verify:kills` does the same fifty times.
test(
  'hosts share a run, and a worker, coordinator or queue that is killed costs a lease at most',
  { skip },
  async (t) => {
    if (await skipsWithout(t, 'quic-go')) return;
    const { kills, measured, faults } = await killWorkers(t, {
      run: [
        '--workload',
        'download-1mb',
        '--client',
        'quic-go',
        '--network',
        'loopback',
        '--repetitions',
        '6',
      ],
      lostAfter: '10s',
      hosts: ['lab-1', 'lab-2'],
      kills: 3,
      seed: 1,
      maxWaitMs: 5_000,
      folder: tempFolder(t),
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(kills, { worker: 1, coordinator: 1, queue: 1 });
    assert.ok(measured >= 6, `${measured} trials were measured`);
  },
);

test(
  'two coordinators share out two runs on one queue at once, and no second one takes part in either',
  { skip },
  async (t) => {
    if (await skipsWithout(t, 'quic-go')) return;
    const folder = tempFolder(t);
    const data = join(folder, 'valkey');
    mkdirSync(data);
    const { url, port } = await startValkey(t, data);
    const keyed = { H2H3_WORKERS_KEY: 'f3a1'.repeat(16) };
    const place = ['--workers', url, '--results', join(folder, 'shared')];
    const outs = ['one', 'other'].map((name) => join(folder, name));
    const plan = [
      '--workload',
      'download-1mb',
      '--client',
      'quic-go',
      '--network',
      'loopback',
      '--repetitions',
      '2',
      '--spare-blocks',
      '0',
      '--no-sequential',
      '--exploratory',
      '--quick-start',
    ];
    const runs = outs.map((out, seed) =>
      startCli(['run', ...plan, '--seed', String(seed), ...place, '--out', out], keyed),
    );
    const client = new Redis({ port });
    t.after(() => client.disconnect());
    const areQueued = async (): Promise<boolean> => (await client.hlen('h2h3:runs')) === runs.length;
    await Promise.all(runs.map((run) => run.until('both were queued', areQueued)));
    const second = await runCli(['run', '--resume', outs[0] ?? '', ...place], keyed);
    assert.equal(second.code, 2, second.stderr);
    let over = false;
    const ended = Promise.all(runs.map(({ result }) => result)).finally(() => (over = true));
    const working = ['lab-1', 'lab-2'].map(async (host) => {
      while (!over) {
        const worker = startCli(['worker', url, ...place.slice(2), '--host', host], keyed);
        void ended.then(() => worker.child.kill('SIGINT'));
        await worker.result;
      }
    });
    const codes = (await ended).map(({ code, stderr }) => (code === 0 ? 'done' : stderr));
    await Promise.all(working);
    assert.deepEqual(codes, ['done', 'done']);
    for (const out of outs)
      assert.deepEqual(
        readRecords(out)
          .map(({ trialId, status }) => `${trialId} ${status}`)
          .toSorted(),
        readPlan(out)
          .trials.map(({ trialId }) => `${trialId} ok`)
          .toSorted(),
      );
    assert.deepEqual(await client.keys('bull:*'), []);
    assert.equal(await client.hlen('h2h3:runs'), 0);
  },
);
