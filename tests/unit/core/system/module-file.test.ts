import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moduleFile, withoutTypes } from '../../../../src/core/system/module-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('types are stripped and specifiers name the served files', () => {
  const source = [
    "import type { A } from './a.ts';",
    "import { b } from '../abr/b.ts';",
    "export { c } from './c.ts';",
    'export const d: number = b;',
  ].join('\n');
  const module = withoutTypes(source);
  assert.match(module, /from '\.\.\/abr\/b\.js'/);
  assert.match(module, /from '\.\/c\.js'/);
  assert.doesNotMatch(module, /\.ts'|: number|import type/);
});

test('what was stripped once is kept with the modules that Node keeps compiled, where it keeps some', (t) => {
  const folder = tempFolder(t);
  const module = import.meta.resolve('../../../../src/core/system/module-file.ts');
  const program = `const { withoutTypes } = await import('${module}'); console.log(withoutTypes('let a: number = 1;'));`;
  const strip = (): string =>
    execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      {
        env: { ...process.env, NODE_COMPILE_CACHE: folder },
        encoding: 'utf8',
      },
    ).trim();
  assert.equal(strip(), withoutTypes('let a: number = 1;'));
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.page.js'),
  );
  assert.equal(kept.length, 1);
  writeFileSync(join(folder, kept[0] ?? ''), 'kept');
  assert.equal(strip(), 'kept');
});

test('a module is TypeScript in a checkout and JavaScript where it was compiled', () => {
  assert.equal(moduleFile('./b/c.ts', 'file:///x/a.ts'), '/x/b/c.ts');
  assert.equal(moduleFile('../c.ts', 'file:///x/y/a.js'), '/x/c.js');
});
