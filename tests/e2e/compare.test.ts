import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runComparisonSchema } from '../../src/core/model/run-comparison.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { runCliHere } from '../support/cli.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateRun } from '../support/generated-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

function makeRun(path: string, seed: number, cpuModel: string): string {
  const { plan, records } = generateRun({ seed });
  const directory = createRunDirectory(path, plan);
  const environment = environmentFixture(['chromium'], ['host']);
  directory.writeEnvironment({ ...environment, machine: { ...environment.machine, cpuModel } });
  records.forEach((record) => directory.append(record));
  return path;
}

test('compare writes page, JSON and CSV, and says what such a comparison cannot know', async (t) => {
  const parent = tempFolder(t);
  const [a, b] = ['a', 'b'].map((name, i) => makeRun(join(parent, name), i + 1, 'CPU'));
  const { code, stdout, stderr } = await runCliHere(['compare', a ?? '', b ?? '']);
  assert.equal(code, 0, stderr);
  assert.match(stdout.replace(/\s+/g, ' '), /weaker evidence than a paired run/);
  const read = (extension: string): string => readFileSync(join(parent, `compare-a-b.${extension}`), 'utf8');
  const { contrasts } = runComparisonSchema.parse(JSON.parse(read('json')));
  assert.equal(read('csv').trim().split('\r\n').length, contrasts.length + 1);
  assert.match(read('html'), /Run B against run A/);
});

test('runs of two machines are refused with the list; --force puts the list on top of the page', async (t) => {
  const parent = tempFolder(t);
  const a = makeRun(join(parent, 'a'), 1, 'CPU one');
  const b = makeRun(join(parent, 'b'), 2, 'CPU two');
  const refused = await runCliHere(['compare', a, b]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /differ in\s+machine: .*CPU one.*\|.*CPU two[\s\S]*--force/);
  const words = ['compare', a, b, '--force', '--json', '--out', join(parent, 'forced.html')];
  const forced = await runCliHere(words);
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(runComparisonSchema.parse(JSON.parse(forced.stdout)).differences[0]?.what, 'machine');
  assert.match(readFileSync(join(parent, 'forced.html'), 'utf8'), /not comparable\. This page was forced/);
});
