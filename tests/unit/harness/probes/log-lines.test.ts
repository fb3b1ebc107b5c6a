import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logLines } from '../../../../harness/probes/log-lines.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function linesOf(file: string, maxBytes: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of logLines(file, maxBytes)) lines.push(line);
  return lines;
}

test('lines come one at a time, whole over the edges of what is read at once, and up to the bytes that are asked for', async (t) => {
  const file = join(tempFolder(t), 'log');
  const long = 'ä'.repeat(100_000);
  writeFileSync(file, `first\r\n${long}\n\nlast`);
  assert.deepEqual(await linesOf(file, 1_000_000), ['first', long, '', 'last']);
  assert.deepEqual(await linesOf(file, 9), ['first', 'ä']);
  writeFileSync(file, '');
  assert.deepEqual(await linesOf(file, 9), []);
});
