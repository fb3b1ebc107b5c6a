import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { merge } from '../../../src/app/merge/merge.ts';
import { generateRun } from '../../support/generated-run.ts';
import { writeShardRuns } from '../../support/shard-runs.ts';
import { silent } from '../../support/silent-progress.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const run = generateRun({ blocks: 4 });
const trialId = run.plan.trials[0]?.trialId ?? '';
const secret = 'root:x:0:0 years of work';

/** Shards, and a file that is none of theirs. */
function shardsBeside(parent: string): {
  readonly parts: string[];
  readonly out: string;
  readonly mine: string;
} {
  const mine = join(parent, 'mine.txt');
  writeFileSync(mine, secret);
  return { parts: writeShardRuns(parent, run, { count: 2 }), out: join(parent, 'all'), mine };
}

/** The folder of the first trial, in whichever shard it is. */
function folderOfTrial(parts: readonly string[]): string {
  const part = parts.find((one) => readdirSync(join(one, 'trials')).includes(trialId)) ?? assert.fail();
  return join(part, 'trials', trialId);
}

test('a document of a shard that is a link is refused, and nothing of where it leads is shown', async (t) => {
  for (const name of ['plan.json', 'environment.json', 'journal.jsonl']) {
    const { parts, out, mine } = shardsBeside(join(tempFolder(t)));
    const file = join(parts[0] ?? '', name);
    rmSync(file);
    symlinkSync(mine, file);
    await assert.rejects(merge(parts, { out }, { progress: silent }), (thrown: Error & { code?: string }) => {
      assert.equal(thrown.code, 'bad-input');
      assert.ok(thrown.message.includes(file), thrown.message);
      assert.ok(!thrown.message.includes(secret.slice(0, 4)), thrown.message);
      return true;
    });
  }
});

test('what no run makes is left out of the merged run by name, and a named pipe is not waited for', async (t) => {
  const { parts, out, mine } = shardsBeside(tempFolder(t));
  const folder = folderOfTrial(parts);
  const left = [join(folder, 'link'), join(folder, 'deep', 'pipe'), join(folder, 'huge.log')];
  symlinkSync(mine, join(folder, 'link'));
  writeFileSync(join(folder, 'huge.log'), '');
  truncateSync(join(folder, 'huge.log'), 1e12);
  mkdirSync(join(folder, 'deep'));
  assert.equal(spawnSync('mkfifo', [join(folder, 'deep', 'pipe')]).status, 0);
  const said: string[] = [];
  const progress = { ...silent, say: (line: string) => void said.push(line) };
  const { directory } = await merge(parts, { out }, { progress });
  for (const path of left)
    assert.ok(
      said.some((line) => line.includes(path)),
      path,
    );
  const merged = directory.trialDir(trialId);
  assert.equal(readFileSync(join(merged, 'note.txt'), 'utf8'), trialId);
  assert.deepEqual(readdirSync(merged, { recursive: true }).toSorted(), ['deep', 'note.txt']);
});

test('a shard whose folder of trials lies elsewhere is refused, and no merged run is left', async (t) => {
  const parent = tempFolder(t);
  const { parts, out } = shardsBeside(parent);
  const trials = join(parts[0] ?? '', 'trials');
  renameSync(trials, join(parent, 'elsewhere'));
  symlinkSync(join(parent, 'elsewhere'), trials);
  await assert.rejects(merge(parts, { out }, { progress: silent }), { code: 'bad-input' });
  assert.deepEqual(
    readdirSync(parent).filter((name) => name.startsWith('all')),
    [],
  );
});
