import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProgram } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { cases } from './cases.ts';
import { outcomeIn } from './measure-case.ts';
import { tableOf, tally, VerificationState } from './state.ts';

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
