import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leasesOf } from '../../src/core/model/lease.ts';
import {
  readEnvironment,
  readPlan,
  readRecords,
  readRunFile,
  readSummary,
  runCli,
  startCli,
} from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const what = ['--workload', 'download-1mb', '--client', 'embedded', '--network', 'loopback'];
const how = ['--repetitions', '3', '--exploratory', '--no-sequential'];

test('two machines run the shards of a plan, one of them in two goes, and they merge to one run', async (t) => {
  const folder = tempFolder(t);
  const parts = [1, 2].map((index) => join(folder, `part-${index}`));
  for (const [i, out] of parts.entries()) {
    const shard = ['--shard', `${i + 1}/2`, '--host', `lab-${i + 1}`, '--out', out];
    const cli = startCli(['run', ...what, ...how, ...shard]);
    if (i === 0) {
      // The first is ended in its midst, and goes on afterwards.
      await cli.said(/\[1\//);
      cli.child.kill('SIGINT');
    }
    const { code, stderr } = await cli.result;
    assert.equal(code, i === 0 ? 130 : 0, stderr);
  }
  const [first = ''] = parts;
  const elsewhere = await runCli(['run', '--resume', first, '--host', 'lab-9']);
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, /began on the host "lab-1"/);
  const resumed = await runCli(['run', '--resume', first, '--host', 'lab-1']);
  assert.equal(resumed.code, 0, resumed.stderr);

  for (const [i, part] of parts.entries()) {
    const { aa } = readEnvironment(part);
    assert.ok(aa !== undefined && aa.blocks >= 4, `lab-${i + 1} compared an arm with itself before it began`);
    assert.equal(readRecords(part).length, i === 0 ? 6 : 4, 'which is no part of the plan');
    assert.deepEqual(
      readdirSync(join(part, 'trials')).filter((name) => name.startsWith('aa-')),
      [],
    );
  }

  const out = join(folder, 'all');
  const merged = await runCli(['merge', ...parts.toReversed(), '--out', out]);
  assert.equal(merged.code, 0, merged.stderr);
  for (const { host, aa } of readEnvironment(out).hosts ?? [])
    assert.equal(aa?.arm, 'h2', `what ${host} found is kept`);
  const plan = readPlan(out);
  const records = readRecords(out);
  assert.deepEqual(
    records.map(({ trialId, status }) => [trialId, status]),
    plan.trials.map(({ trialId }) => [trialId, 'ok']),
  );
  for (const { trials } of leasesOf(plan)) {
    const ids = new Set(trials.map(({ trialId }) => trialId));
    assert.equal(new Set(records.filter(({ trialId }) => ids.has(trialId)).map(({ host }) => host)).size, 1);
  }
  assert.deepEqual(new Set(records.map(({ host }) => host)), new Set(['lab-1', 'lab-2']));
  const summary = readSummary(out);
  assert.deepEqual(summary.trials, { ok: 10, invalid: 0, failed: 0, unsupported: 0, notRun: 0 });
  assert.ok(readRunFile(out, 'report.html').includes('download-1mb'));
});
