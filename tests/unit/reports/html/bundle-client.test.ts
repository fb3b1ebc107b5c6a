import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { clientEntries } from '../../../../build/client-entries.ts';
import { bundleClient, chartLibraries, flameLibrary } from '../../../../reports/html/bundle-client.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

describe('the page’s script', () => {
  test('joins modules in order of their imports; equal names in two modules stay apart', async (t) => {
    const folder = tempFolder(t);
    const write = (name: string, text: string): void => {
      writeFileSync(path.join(folder, name), text);
    };
    write('leaf.ts', `function secret(): number {\n  return 1;\n}\nexport const leaf: number = secret();\n`);
    write(
      'other.ts',
      `import { leaf } from './leaf.ts';\nimport type { Absent } from './absent.ts';\nfunction secret(): number {\n  return leaf + 1;\n}\nexport function other(_: Absent): number {\n  return secret();\n}\n`,
    );
    write(
      'main.ts',
      `import { leaf as first } from './leaf.ts';\nimport { other } from './other.ts';\nresult.push(first, other(undefined as never));\n`,
    );
    const result: number[] = [];
    runInNewContext(await bundleClient(path.join(folder, 'main.ts')), { result });
    assert.deepEqual(result, [1, 2]);
  });

  test('names no folder of this machine and keeps no import or export', async () => {
    const entry = path.resolve(import.meta.dirname, '../../../../reports/html/client/main.ts');
    const script = await bundleClient(entry);
    assert.doesNotMatch(script, /^(import|export) /m);
    assert.ok(!script.includes(path.dirname(entry)));
  });

  test('of every page takes no schema with it, which evaluates code that pages forbid and weighs more than all the rest', async () => {
    const projectDir = path.resolve(import.meta.dirname, '../../../..');
    const entries = clientEntries(projectDir);
    assert.deepEqual(
      ['list-page.ts', 'main.ts', 'progress.ts', 'trend.ts'].filter((name) => !entries.includes(name)),
      [],
    );
    for (const name of entries) {
      const script = await bundleClient(path.join(projectDir, 'reports/html/client', name));
      assert.doesNotMatch(script, /new Function\(|\beval\(|ZodType/, name);
      assert.ok(script.length < 400_000, `${name}: ${script.length}`);
    }
  });

  test('the libraries name no source map and cannot end their element', async () => {
    const libraries = [...(await chartLibraries()), await flameLibrary()];
    assert.equal(libraries.length, 4);
    for (const library of libraries) {
      assert.doesNotMatch(library, /sourceMappingURL|<\/script|<!--/i);
      assert.ok(library.length > 3000);
      assert.doesNotMatch(library, /createElement\(['"]style/, 'the page’s policy forbids it');
    }
  });
});
