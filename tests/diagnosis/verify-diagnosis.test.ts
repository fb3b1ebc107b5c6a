import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { summarySchema } from '../../src/model/summary.ts';
import { readRecords, runCli, startProgram } from '../support/cli.ts';
import { whyNoNamespaces } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { cases } from './cases.ts';
import { measureCase, outcomeIn } from './measure-case.ts';
import { tableOf, tally, VerificationState } from './state.ts';

/** A difference of fewer blocks is not explained. */
const fewestBlocks = 6;

test('small buffers are named as the cause, and an experiment that leaves them as they are is carried out and confirms nothing', async (t) => {
  const reason = await whyNoNamespaces();
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
  if (blocks.size < fewestBlocks) return t.skip(`${lost.length} trials are invalid: ${lost[0]?.reason}`);
  assert.ok(outcome.named.includes('buffers'), JSON.stringify(outcome.diagnosis, null, 1));

  const { stdout, stderr, code } = await runCli(['diagnose', folder, '--confirm', 'bbr'], {
    H2H3_PATH_BACKEND: 'emulator',
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /because receive window or send buffer hold the sender back/);
  if (/unsupported:/.test(stderr)) return t.diagnostic(stderr);
  // What a busy machine makes invalid leaves too few blocks of the experiment, too.
  if (/too few blocks in which every arm has a valid trial/.test(stderr)) return t.skip(stderr);
  assert.ok(existsSync(join(folder, 'experiments', 'bbr-bbr', 'journal.jsonl')), stderr);
  const { diagnosis = [] } = summarySchema.parse(
    JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')),
  );
  const [result] = diagnosis.flatMap(({ parts }) => parts.flatMap(({ interventions = [] }) => interventions));
  assert.ok(result, stderr);
  assert.deepEqual([result.id, result.setting, result.confirms], ['bbr', 'congestion=bbr', false]);
  assert.ok(result.alteredDifferenceMs > 0, 'the difference stays, because its cause does');
});

test('a run that is not there or cut short is no outcome, and wrong words are refused with what would be right', async (t) => {
  const folder = tempFolder(t);
  assert.equal(outcomeIn(folder), null);
  const program = [process.execPath, 'tests/diagnosis/verify-diagnosis.ts', '--out', folder];
  const wrong = await startProgram([...program, '--cause', 'los-1pct']).result;
  assert.deepEqual([wrong.code, /loss-1pct/.test(wrong.stderr)], [2, true]);
  const none = await startProgram([...program, '--repetitions', '0']).result;
  assert.deepEqual([none.code, /from 1 on/.test(none.stderr)], [2, true]);
  const never = await startProgram([...program, '--minutes', 'x']).result;
  assert.deepEqual([never.code, /above zero/.test(never.stderr)], [2, true]);
});

test('runs that were made are kept with what they named, and the table counts them by case', (t) => {
  const file = join(tempFolder(t), 'results', 'state.json');
  const loss = cases[0];
  const alike = cases.find(({ cause }) => cause === null);
  assert.ok(loss && alike);
  const made = { durationMs: 61_000, load: 1.5 };
  const before = new VerificationState(file);
  before.add({ case: loss.id, number: 1, named: ['packet-loss', 'round-trip'], ...made });
  before.add({ case: loss.id, number: 2, named: [], ...made });
  before.add({ case: alike.id, number: 1, named: ['connection'], ...made });
  const state = new VerificationState(file);
  assert.deepEqual([state.has(loss, 2), state.has(loss, 3)], [true, false]);
  assert.deepEqual([tally(loss, state), tally(alike, state)], ['1 of 2', '0 of 1']);
  assert.match(tableOf([loss], state), /\| packet-loss \| 1 of 2 \| round-trip 1 \| 61 s \| 1\.5 \|/);
  assert.match(tableOf(cases, new VerificationState(`${file}.none`)), /\| packet-loss \| 0 of 0 \|/);
});
