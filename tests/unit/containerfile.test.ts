import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from '../support/cli.ts';

/** Instructions, with continued lines joined. */
function instructions(): string[] {
  const text = readFileSync(join(projectDir, 'Containerfile'), 'utf8').replaceAll(/\\\n/g, ' ');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

test('the Containerfile has known instructions only, and begins with an image of a stated version', () => {
  const known = ['FROM', 'RUN', 'WORKDIR', 'COPY', 'ENTRYPOINT', 'CMD'];
  for (const line of instructions()) assert.ok(known.includes(line.split(' ')[0] ?? ''), line);
  assert.match(instructions()[0] ?? '', /^FROM \S+\/node:24-\S+$/);
});

test('what it copies and starts is there, and signals reach the program', () => {
  for (const line of instructions().filter((one) => one.startsWith('COPY ')))
    for (const file of line.split(/\s+/).slice(1, -1)) assert.ok(existsSync(join(projectDir, file)), file);
  const entry = JSON.parse(
    instructions()
      .find((line) => line.startsWith('ENTRYPOINT'))
      ?.slice('ENTRYPOINT '.length) ?? '[]',
  ) as string[];
  assert.deepEqual(entry.slice(0, 3), ['tini', '--', 'node']);
  const program = (entry[3] ?? '').replace('/h2h3/', '');
  assert.ok(existsSync(join(projectDir, program)), program);
});
