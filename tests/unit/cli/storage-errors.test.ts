import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printError } from '../../../src/cli/print-error.ts';
import { h2h3Words, linkWords, type ProgramWords } from '../../../src/core/model/program-words.ts';
import { storageError } from '../../../src/core/system/storage-error.ts';

/** What a program says where the disk is full. */
function saidOnFullDisk(words: ProgramWords): string[] {
  const lines: string[] = [];
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  printError(storageError(full, '/disk/times.json'), (line) => lines.push(line), { words });
  return lines;
}

test('on a full disk each program names a next step of its own', () => {
  const full = 'cannot write /disk/times.json: the disk is full';
  assert.deepEqual(saidOnFullDisk(h2h3Words), [
    `h2h3: ${full}`,
    '  next: Make room there, or choose another folder with --out; a run that was under way continues with `npx h2h3 run --resume DIR`.',
  ]);
  const [what, next = ''] = saidOnFullDisk(linkWords);
  assert.equal(what, `h2h3-link: ${full}`);
  assert.match(next, /^ {2}next: Make room there\. TMPDIR names .*H2H3_CACHE/);
  assert.doesNotMatch(next, /npx h2h3 |--out/);
});
