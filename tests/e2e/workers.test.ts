import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leasesOf } from '../../src/model/lease.ts';
import type { TrialRecord } from '../../src/model/record.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';
import { readPlan, readRecords, runCli, startCli, type RunningCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startValkey } from '../support/valkey.ts';

const what = ['--workload', 'download-1mb', '--client', 'quic-go', '--network', 'loopback'];

/** Leases of the plan that hosts have begun, by host; fails where two share one. */
function hostsOfLeases(out: string, records: readonly TrialRecord[]): Map<string, string> {
  const byTrial = new Map(records.map((record) => [record.trialId, record]));
  return new Map(
    leasesOf(readPlan(out)).flatMap(({ leaseId, trials }) => {
      const ran = trials
        .flatMap(({ trialId }) => byTrial.get(trialId) ?? [])
        .filter(({ status }) => status !== 'not-run');
      const hosts = [...new Set(ran.map(({ host = '' }) => host))];
      assert.ok(hosts.length < 2, `${leaseId} ran on ${hosts.join(' and ')}`);
      return hosts.map((host) => [leaseId, host] as const);
    }),
  );
}

test('workers share a run: what is killed costs a lease at most, and a spare block stands in', async (t) => {
  const folder = tempFolder(t);
  const data = join(folder, 'valkey');
  mkdirSync(data);
  const valkey = await startValkey(t, data);
  const place = ['--results', join(folder, 'shared')];
  const out = join(folder, 'all');
  const worker = (host: string): RunningCli => startCli(['worker', valkey.url, ...place, '--host', host]);
  const queue = ['--workers', valkey.url, ...place];
  const blocks = ['--repetitions', '6', '--exploratory', '--no-sequential', '--spare-blocks', '1'];
  const first = startCli(['run', ...what, ...blocks, ...queue, '--lost-after', '30s', '--out', out]);
  const [lost, steady] = [worker('lab-1'), worker('lab-2')];
  const journalled = async (least: number): Promise<TrialRecord[]> => {
    for (;;) {
      const records = existsSync(join(out, 'journal.jsonl')) ? readRecords(out) : [];
      if (records.length >= least) return records;
      await sleep(100);
    }
  };
  await journalled(1);
  first.child.kill('SIGKILL');
  await first.result;
  await valkey.kill();
  await valkey.restart();
  lost.child.kill('SIGKILL');
  await lost.result;
  const again = await runCli(['run', '--resume', out, ...queue]);
  assert.equal(again.code, 0, again.stderr);
  const ended = await steady.result;
  assert.equal(ended.code, 0, ended.stderr);

  const records = readRecords(out);
  const plan = readPlan(out);
  assert.deepEqual(
    new Set(records.map(({ trialId }) => trialId)),
    new Set(plan.trials.map(({ trialId }) => trialId)),
  );
  assert.equal(records.length, plan.trials.length, 'none twice');
  const leases = hostsOfLeases(out, records);
  assert.ok([...leases.values()].includes('lab-2'));
  for (const { reason, status } of records)
    if (status === 'not-run') assert.match(reason ?? '', /^lease lost: |^spare block, not needed$/);
  const ok = records.filter(({ status }) => status === 'ok').length;
  assert.ok(ok >= 6, `${ok} trials are ok`);
  assert.ok((openRunDirectory(out).environment()?.hosts?.length ?? 0) >= 1);
});
