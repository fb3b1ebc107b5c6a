import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../support/temp-folder.ts';

const sourceDir = join(import.meta.dirname, '../../../../harness/network/emulator');
const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);

test(
  'the path model keeps its queue, rate, loss, delay and traces by a clock of the test',
  { skip: compiler === undefined ? 'no C compiler' : false },
  (t) => {
    const program = join(tempFolder(t), 'path-model-test');
    const files = [join(import.meta.dirname, 'emulator/path-model-test.c'), join(sourceDir, 'path-model.c')];
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
    assert.ok(lines.length >= 15, run.stdout);
    assert.equal(run.status, 0, run.stderr);
  },
);
