import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestFact } from '../../../../src/core/system/program-digest.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a program is told by what it holds, and what is none has no digest', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'program');
  for (const text of ['one', 'other one']) {
    writeFileSync(file, text);
    const executableSha256 = createHash('sha256').update(text).digest('hex');
    assert.deepEqual(await digestFact(file), { executableSha256 });
  }
  const none = [folder, '/dev/zero', join(folder, 'no-such')];
  if (process.platform === 'linux') {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    none.push(join(folder, 'pipe'));
  }
  for (const path of none) assert.deepEqual(await digestFact(path), {}, path);
});
