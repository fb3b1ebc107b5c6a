import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestFact } from '../../../../src/core/system/program-digest.ts';
import { projectDir } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const moduleFile = join(projectDir, 'src/core/system/program-digest.ts');

test('a program is told by what it holds, and what is none has no digest', async (t) => {
  const folder = tempFolder(t);
  const cacheDir = tempFolder(t);
  const file = join(folder, 'program');
  for (const text of ['one', 'other one']) {
    writeFileSync(file, text);
    const executableSha256 = createHash('sha256').update(text).digest('hex');
    assert.deepEqual(await digestFact(file, cacheDir), { executableSha256 });
  }
  const none = [folder, '/dev/zero', join(folder, 'no-such')];
  if (process.platform === 'linux') {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    none.push(join(folder, 'pipe'));
  }
  for (const path of none) assert.deepEqual(await digestFact(path, cacheDir), {}, path);
});

/** What another process says, which has worked out nothing yet. */
function digestElsewhere(file: string, cacheDir: string): string {
  const script = `import { digestFact } from ${JSON.stringify(moduleFile)};
console.log((await digestFact(...process.argv.slice(1))).executableSha256);`;
  return execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, file, cacheDir],
    { encoding: 'utf8' },
  ).trim();
}

test('a digest is kept for the next process while the file stays as it is, and never for another', (t) => {
  const file = join(tempFolder(t), 'program');
  const cacheDir = tempFolder(t);
  const kept = join(cacheDir, 'program-digests.json');
  writeFileSync(file, 'one');
  const first = digestElsewhere(file, cacheDir);
  assert.equal(first, createHash('sha256').update('one').digest('hex'));
  // What is kept is taken: this one could come from nowhere else.
  const planted = '0'.repeat(64);
  writeFileSync(kept, readFileSync(kept, 'utf8').replace(first, planted));
  assert.equal(digestElsewhere(file, cacheDir), planted);
  // Another file of the same size, with the same time of its last change.
  const { atime, mtime } = statSync(file);
  writeFileSync(file, 'two');
  utimesSync(file, atime, mtime);
  const second = createHash('sha256').update('two').digest('hex');
  assert.equal(digestElsewhere(file, cacheDir), second);
  for (const damaged of ['', 'no JSON', '{"a":7}']) {
    writeFileSync(kept, damaged);
    assert.equal(digestElsewhere(file, cacheDir), second, damaged);
  }
  assert.equal(digestElsewhere(file, join(cacheDir, 'no-such-folder')), second);
});
