import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, ftruncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../support/temp-folder.ts';

const module = join(import.meta.dirname, '../../harness/probes/log-lines.ts');

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
