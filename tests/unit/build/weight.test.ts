import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { weigh, weightTable } from '../../../build/weight.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('lines of code are counted by room and language, without tests, data and lock files, and against a revision', (t) => {
  if (spawnSync('git', ['--version']).error !== undefined)
    return t.skip('there is no git, which counts the lines');
  const folder = tempFolder(t);
  const git = (...words: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...words], {
      cwd: folder,
    });
  const write = (path: string, lines: number): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'line\n'.repeat(lines));
  };
  write('src/core/model/a.ts', 3);
  write('harness/network/link.c', 5);
  write('harness/network/go.sum', 100);
  write('reports/page.css', 2);
  write('sites/pages.yaml', 100);
  write('tests/unit/a.test.ts', 100);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  write('src/core/model/a.ts', 1);
  write('video/new.ts', 4); // not added yet
  const table = weightTable(weigh(folder), weigh(folder, 'HEAD')).map((line) => line.split(/\s+/));
  assert.deepEqual(table, [
    ['room', 'TypeScript', 'C', 'CSS', 'total', 'change'],
    ['harness/network', '0', '5', '0', '5', '0'],
    ['video', '4', '0', '0', '4', '+4'],
    ['reports', '0', '0', '2', '2', '0'],
    ['src/core', '1', '0', '0', '1', '-2'],
    ['total', '5', '5', '2', '12', '+2'],
  ]);
});
