import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cases } from '../diagnosis/cases.ts';
import { measureCase } from '../diagnosis/measure-case.ts';
import { readRecords, readSummary, runCli } from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A difference of fewer blocks is not explained. */
const minBlocks = 6;

test('small buffers are named as the cause, and an experiment that leaves them as they are is carried out and confirms nothing', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const place = tempFolder(t);
  const small = cases.find(({ id }) => id === 'receive-buffer') ?? assert.fail();
  const folder = join(place, small.id, '1');
  const outcome = await measureCase(small, folder);
  assert.equal(outcome.reason, undefined);
  // What a busy machine makes invalid, as its path comes late, leaves too few blocks to explain anything.
  const records = readRecords(folder);
  const lost = records.filter(({ status }) => status === 'invalid');
  const blocks = new Set(records.map(({ blockIndex }) => blockIndex));
  lost.forEach(({ blockIndex }) => blocks.delete(blockIndex));
  if (blocks.size < minBlocks) return t.skip(`${lost.length} trials are invalid: ${lost[0]?.reason}`);
  assert.ok(outcome.named.includes('buffers'), JSON.stringify(outcome.diagnosis, null, 1));

  const { stdout, stderr, code } = await runCli(['diagnose', folder, '--confirm', 'bbr'], {
    H2H3_PATH_BACKEND: 'emulator',
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /because receive window or send buffer hold the server back/);
  if (/unsupported:/.test(stderr)) return t.diagnostic(stderr);
  // What a busy machine makes invalid leaves too few blocks of the experiment, too.
  if (/too few blocks in which every arm has a valid trial/.test(stderr)) return t.skip(stderr);
  assert.ok(existsSync(join(folder, 'experiments', 'bbr-bbr', 'journal.jsonl')), stderr);
  const { diagnosis = [] } = readSummary(folder);
  const [result] = diagnosis.flatMap(({ parts }) => parts.flatMap(({ interventions = [] }) => interventions));
  assert.ok(result, stderr);
  assert.deepEqual([result.id, result.setting, result.confirms], ['bbr', 'congestion=bbr', false]);
  assert.ok(result.alteredDifferenceMs > 0, 'the difference stays, because its cause does');
});
