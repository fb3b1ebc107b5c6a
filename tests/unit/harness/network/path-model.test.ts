import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../../support/temp-folder.ts';

const sourceDir = join(import.meta.dirname, '../../../../harness/network/emulator');
const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);

const skip = compiler === undefined ? 'no C compiler' : false;

/** Builds a source of the emulator, with those that it needs, and its test, runs it, and expects a line `ok …` for each of its cases. */
function expectAllOk(t: TestContext, source: string, cases: number, needed: readonly string[] = []): void {
  const program = join(tempFolder(t), 'emulator-test');
  const own = [source, ...needed].map((name) => join(sourceDir, `${name}.c`));
  const files = [join(import.meta.dirname, `emulator/${source}-test.c`), ...own];
  const build = spawnSync(
    compiler ?? '',
    ['-O2', '-std=gnu17', '-Wall', '-Wextra', '-Werror', '-I', sourceDir, '-o', program, ...files, '-lm'],
    { encoding: 'utf8' },
  );
  assert.equal(build.status, 0, build.stderr);
  const run = spawnSync(program, { encoding: 'utf8' });
  const lines = run.stdout.trim().split('\n');
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('ok ')),
    [],
  );
  assert.ok(lines.length >= cases, run.stdout);
  assert.equal(run.status, 0, run.stderr);
}

test(
  'the path model keeps its queue, rate, loss, delay, traces and schedules by a clock of the test',
  { skip },
  (t) => expectAllOk(t, 'path-model', 29, ['schedule']),
);

test('the course of a direction is written down in stretches of time, from its start on', { skip }, (t) =>
  expectAllOk(t, 'course-log', 4),
);

test(
  'what opens a connection is told from all other packets, and held back until it may have been answered',
  { skip },
  (t) => expectAllOk(t, 'connection-start', 18, ['ip-packet']),
);

test('super-packets are cut into packets, and packets of one flow are put together', { skip }, (t) =>
  expectAllOk(t, 'super-packet', 46, ['ip-packet']),
);

test(
  'managed queues drop, mark and share as their RFCs say, and hold simulated senders at their targets',
  { skip },
  (t) => expectAllOk(t, 'aqm', 14),
);

test('a link takes packets from a managed queue as from its own, and counts what they met', { skip }, (t) =>
  expectAllOk(t, 'link-queue', 4, ['aqm', 'ip-packet', 'path-model', 'schedule']),
);

test('packets are marked with their checksums right, and flows are told apart', { skip }, (t) =>
  expectAllOk(t, 'ip-packet', 21),
);

test('the log of first packets says what each is, when it came and when it left', { skip }, (t) =>
  expectAllOk(t, 'flight-log', 5, ['ip-packet']),
);
