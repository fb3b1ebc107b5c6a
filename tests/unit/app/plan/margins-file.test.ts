import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parseMargin, readMarginsFile } from '../../../../src/app/plan/margins-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function margins(t: TestContext, text: string): Record<string, number> {
  const file = join(tempFolder(t), 'margins.yaml');
  writeFileSync(file, text);
  return readMarginsFile(file);
}

test('a margin is a share or a percentage above zero', () => {
  assert.deepEqual(['3%', '0.03', '2.5 %', '-1', '0', 'x', '100'].map(parseMargin), [
    0.03,
    0.03,
    undefined,
    undefined,
    undefined,
    undefined,
    100,
  ]);
});

test('a margins file names metrics', (t) => {
  assert.deepEqual(margins(t, 'pltMs: 2%\nstallTotalMs: 250\n'), { pltMs: 0.02, stallTotalMs: 250 });
});

test('a margins file that cannot be is refused with the line at fault', (t) => {
  assert.throws(() => margins(t, 'pltms: 2%'), /pltms: is no metric/);
  assert.throws(() => margins(t, 'pltMs: -2%'), /is no margin above zero/);
  assert.throws(() => margins(t, 'stallTotalMs: 2%'), /compared by difference/);
  assert.throws(() => margins(t, '- a'), /pltMs|holds no margins/);
  assert.throws(() => margins(t, 'a: ['), /cannot be read as margins|not valid YAML/);
  assert.throws(() => readMarginsFile('no-such-file.yaml'), /cannot be read as margins|not valid YAML/);
});

test('what has no words, such as a list or a group of values, is no margin', (t) => {
  for (const written of ['{toString: 1}', '[1, 2]', '{}', 'null'])
    assert.throws(() => margins(t, `pltMs: ${written}\n`), {
      code: 'bad-input',
      message: /pltMs: holds no margin/,
    });
});
