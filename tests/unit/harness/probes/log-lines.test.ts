import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, ftruncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logLines } from '../../../../harness/probes/log-lines.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const module = join(import.meta.dirname, '../../../../harness/probes/log-lines.ts');

async function linesOf(file: string, mostBytes: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of logLines(file, mostBytes)) lines.push(line);
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

test('a gigabyte without an end of line takes no memory to speak of, and what came before it is read', async (t) => {
  const file = join(tempFolder(t), 'log');
  writeFileSync(file, 'first\nsecond\n');
  const handle = openSync(file, 'r+');
  // A hole: it takes no room on the disk.
  ftruncateSync(handle, 1_000_000_000);
  closeSync(handle);
  const code = `const { logLines } = await import(${JSON.stringify(module)});
    const before = process.resourceUsage().maxRSS;
    const lines = [];
    for await (const line of logLines(${JSON.stringify(file)}, 400_000_000)) lines.push(line);
    console.log(JSON.stringify({ lines, grownMegabytes: (process.resourceUsage().maxRSS - before) / 1000 }));`;
  const reader = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    code,
  ]);
  let said = '';
  reader.stdout.on('data', (part: Buffer) => (said += part.toString()));
  await once(reader, 'close');
  const { lines, grownMegabytes } = JSON.parse(said) as { lines: string[]; grownMegabytes: number };
  assert.deepEqual(lines, ['first', 'second']);
  assert.ok(grownMegabytes < 200, `${grownMegabytes} MB`);
});
