import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readGate, readRecords, readRunFile, runCliHere, startProgram } from '../support/cli.ts';
import { waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('where a run left no file its test fails with what the run said', async (t) => {
  const out = join(tempFolder(t), 'run');
  assert.throws(() => readRecords(out), /there is no \S+journal\.jsonl; no command of this test has ended/);
  await startProgram(['sh', '-c', 'echo there is no Firefox >&2; exit 3', 'sh', '--out', out]).result;
  assert.throws(() => readRecords(out), /there is no \S+journal\.jsonl; exit code 3: there is no Firefox/);
  const below = join(out, 'a-night');
  assert.throws(() => readGate(below), /there is no \S+gate\.json; exit code 3: there is no Firefox/);
});

test('what a command said in this process is told too, and the variables that it had are as before', async (t) => {
  const out = join(tempFolder(t), 'run');
  const { code } = await runCliHere(['analyse', out], { OWN_WORD_OF_TEST: 'set' });
  assert.deepEqual([code, process.env['OWN_WORD_OF_TEST']], [2, undefined]);
  assert.throws(() => readRecords(out), /there is no \S+journal\.jsonl; exit code 2: [^]*does not exist/);
});

test('a file that is there is read', (t) => {
  const out = tempFolder(t);
  writeFileSync(join(out, 'report.html'), 'text');
  assert.equal(readRunFile(out, 'report.html'), 'text');
});

test('nothing is waited for with a limit that a busy machine needs by itself', async () => {
  await assert.rejects(
    waitUntil('anything', 30_000, () => true),
    /a limit of 30000 ms is too short/,
  );
});
