import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram, tailOf } from '../../../../src/core/system/run-program.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

const isError =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof H2h3Error && error.code === code;

test('output, exit code and whole lines of standard error come back', async () => {
  const lines: string[] = [];
  const result = await runProgram('sh', ['-c', 'echo out; echo one >&2; echo two >&2; exit 3'], {
    timeoutMs: 60_000,
    onStderrLine: (line) => lines.push(line),
  });
  assert.deepEqual(result, { exitCode: 3, stdout: 'out\n', stderr: 'one\ntwo\n' });
  assert.deepEqual(lines, ['one', 'two']);
});

test('a program that is not there, takes too long or is interrupted is an error of its own kind', async () => {
  await assert.rejects(runProgram('no-such-program-here', [], { timeoutMs: 1000 }), isError('unsupported'));
  await assert.rejects(runProgram('sleep', ['30'], { timeoutMs: 100 }), isError('deadline'));
  const signal = AbortSignal.timeout(100);
  await assert.rejects(runProgram('sleep', ['600'], { timeoutMs: 600_000, signal }), isError('interrupted'));
});

test('the tail is the last lines', () => {
  assert.equal(tailOf('a\nb\nc\n', 2), 'b\nc');
});
