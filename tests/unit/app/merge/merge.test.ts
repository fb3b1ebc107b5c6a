import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  globSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { merge } from '../../../../src/app/merge/merge.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { openRunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { writeShardRuns } from '../../../support/shard-runs.ts';
import { silent } from '../../../support/silent-progress.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const context = { progress: silent };
const run = generateRun({ blocks: 9, networks: ['host', 'other'] });

async function refusal(folders: readonly string[], out: string): Promise<H2h3Error> {
  try {
    await merge(folders, { out }, context);
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
  return assert.fail('the merge was not refused');
}

/** Everything in a folder, with its content and its time of change. */
function stateOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of globSync('**', { cwd: folder }).sort()) {
    const file = join(folder, name);
    const { mtimeMs } = statSync(file);
    hash.update(`${name} ${mtimeMs} `);
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

test('merged shards say, byte for byte, what one journal with the same records says', async (t) => {
  const folder = tempFolder(t);
  const parts = writeShardRuns(folder, run, { count: 3 });
  const before = parts.map(stateOf);
  const { directory, summary, missing } = await merge(
    parts.toReversed(),
    { out: join(folder, 'all') },
    context,
  );
  assert.equal(missing, 0);
  const { records, warnings } = directory.journal();
  assert.deepEqual(
    records.map(({ trialId }) => trialId),
    run.plan.trials.map(({ trialId }) => trialId),
  );
  assert.equal(new Set(records.map(({ host }) => host)).size, 3);
  const shuffled = [...records].reverse();
  const expected = summarise(directory.plan, shuffled, directory.environment(), warnings);
  assert.equal(JSON.stringify(summary), JSON.stringify(expected));
  assert.equal(directory.plan.command, run.plan.command);
  assert.deepEqual(parts.map(stateOf), before, 'the shards are only read');
});

test('artifacts and every environment are in the merged run', async (t) => {
  const folder = tempFolder(t);
  const parts = writeShardRuns(folder, run, { count: 2 });
  const { directory } = await merge(parts, { out: join(folder, 'all') }, context);
  for (const { trialId } of run.plan.trials)
    assert.equal(readFileSync(join(directory.trialDir(trialId), 'note.txt'), 'utf8'), trialId);
  const { hosts, host } = directory.environment() ?? {};
  assert.deepEqual(
    hosts?.map((one) => [one.host, one.shard?.index]),
    [
      ['lab-1', 1],
      ['lab-2', 2],
    ],
  );
  assert.equal(host, undefined);
  assert.deepEqual(readdirSync(join(directory.path, 'environments')).sort(), [
    'shard-1-of-2.json',
    'shard-2-of-2.json',
  ]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.partial')),
    [],
  );
});

test('a truncated shard is named, and with --partial what is missing was not run', async (t) => {
  const folder = tempFolder(t);
  const parts = writeShardRuns(folder, run, { count: 2 });
  const [, second = ''] = parts;
  const journal = join(second, 'journal.jsonl');
  truncateSync(journal, statSync(journal).size - 20);
  const out = join(folder, 'all');
  const error = await refusal(parts, out);
  assert.match(error.message, /part-2 is truncated: 1 of its \d+ trials have no record/);
  assert.ok(!existsSync(out));
  const { missing, summary } = await merge(parts, { out, partial: true }, context);
  assert.deepEqual([missing, summary.trials.notRun], [1, 1]);
  assert.equal(summary.trials.ok, run.records.length - 1);
});

test('an absent shard is named', async (t) => {
  const folder = tempFolder(t);
  const [first = '', , third = ''] = writeShardRuns(folder, run, { count: 3 });
  assert.match(
    (await refusal([first, third], join(folder, 'all'))).message,
    /shard 2\/3 is not among the folders/,
  );
  const nowhere = join(folder, 'lost');
  const { message, next } = await refusal([first, nowhere, third], join(folder, 'all'));
  assert.equal(message, `there is no folder ${nowhere}`);
  assert.match(next ?? '', /leave it out and add --partial/);
});

test('the same shard twice, shards of other numbers and of another plan are refused by name', async (t) => {
  const folder = tempFolder(t);
  const [first = '', second = ''] = writeShardRuns(folder, run, { count: 2 });
  const out = join(folder, 'all');
  assert.match(
    (await refusal([first, first, second], out)).message,
    /part-1 and .*part-1 are both shard 1\/2/,
  );
  const [, third = ''] = writeShardRuns(join(folder, 'three'), run, { count: 3 });
  assert.match((await refusal([first, third], out)).message, /one is of 2 shards, the other of 3/);
  const other = { ...run, plan: { ...run.plan, seed: 7 } };
  const [, strange = ''] = writeShardRuns(join(folder, 'other'), other, { count: 2 });
  assert.match((await refusal([first, strange], out)).message, /their plans differ in seed/);
  assert.ok(!existsSync(out));
});

test('a record of another shard, and a run that is no shard, are refused', async (t) => {
  const folder = tempFolder(t);
  const [first = '', second = ''] = writeShardRuns(folder, run, { count: 2 });
  const out = join(folder, 'all');
  const line = readFileSync(join(second, 'journal.jsonl'), 'utf8').split('\n')[0] ?? '';
  appendFileSync(join(first, 'journal.jsonl'), `${line}\n`);
  assert.match((await refusal([first, second], out)).message, /does not belong to shard 1\/2/);
  const plan = JSON.parse(readFileSync(join(second, 'plan.json'), 'utf8')) as { shard?: unknown };
  delete plan.shard;
  writeFileSync(join(second, 'plan.json'), JSON.stringify(plan));
  assert.match((await refusal([second], out)).message, /is no shard/);
});

test('hosts of another class, version or program are refused with the difference', async (t) => {
  const folder = tempFolder(t);
  const parts = writeShardRuns(folder, run, {
    count: 2,
    environment: (environment, index) =>
      index === 1
        ? environment
        : {
            ...environment,
            machine: { ...environment.machine, cpuCount: 8 },
            clients: environment.clients.map((client) => ({ ...client, version: '157.0' })),
          },
  });
  const { message } = await refusal(parts, join(folder, 'all'));
  assert.match(message, /machine class: .*2 CPUs.* there, .*8 CPUs.* here/);
  assert.match(message, /client chromium: Chromium 156\S* \(full\) there, Chromium 157\.0 \(full\) here/);
});

test('nothing is written over, and neither into a shard', async (t) => {
  const folder = tempFolder(t);
  const parts = writeShardRuns(folder, run, { count: 2 });
  const [first = ''] = parts;
  writeFileSync(join(folder, 'note.txt'), 'mine');
  assert.match((await refusal(parts, folder)).message, /lie one in the other/);
  const before = stateOf(first);
  symlinkSync(first, join(folder, 'link'));
  const inside = join(first, 'all');
  for (const out of [inside, relative(process.cwd(), inside), join(folder, 'link', 'a', 'all')])
    assert.match((await refusal(parts, out)).message, /lie one in the other/);
  assert.equal(stateOf(first), before);
  const taken = join(folder, 'note.txt');
  assert.match((await refusal(parts, taken)).message, /is not empty/);
  assert.equal(readFileSync(taken, 'utf8'), 'mine');
  assert.deepEqual(openRunDirectory(first).plan.shard, { index: 1, count: 2 });
});
