import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleFile, withoutTypes } from '../../../../src/core/system/module-file.ts';

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

test('a module is TypeScript in a checkout and JavaScript where it was compiled', () => {
  assert.equal(moduleFile('./b/c.ts', 'file:///x/a.ts'), '/x/b/c.ts');
  assert.equal(moduleFile('../c.ts', 'file:///x/y/a.js'), '/x/c.js');
});
