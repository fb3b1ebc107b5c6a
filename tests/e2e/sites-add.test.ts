import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, resolveConfig } from 'prettier';
import { addSite } from '../../src/app/site/add-site.ts';
import type { AppContext } from '../../src/app/app-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { chooseCacheDir } from '../../src/core/system/tool-cache.ts';
import { projectDir } from '../support/source-graph.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A checkout with nothing in it but the list of pages, which uses this one's tools. */
async function checkout(folder: string): Promise<AppContext> {
  const pages = join(folder, 'sites', 'pages');
  mkdirSync(pages, { recursive: true });
  cpSync(join(projectDir, 'sites', 'pages', 'catalogue.ts'), join(pages, 'catalogue.ts'));
  const environment = process.env;
  const cacheDir = await chooseCacheDir({
    projectDir,
    environment,
    platform: process.platform,
    homeDir: process.env['HOME'] ?? '/',
  });
  return {
    projectDir: folder,
    progress: { say: () => {}, show: () => {}, clear: () => {}, reporter: () => {} },
    signal: AbortSignal.timeout(120_000),
    command: 'test',
    environment: { ...environment, H2H3_CACHE: cacheDir },
  };
}

test('a page of a package becomes a file with its figures and a line in the catalogue', async (t) => {
  const folder = tempFolder(t);
  const context = await checkout(folder);
  const wanted = { packageSpec: 'soft-ui-dashboard@1.0.1', id: 'soft-tables' };
  await assert.rejects(addSite({ ...wanted, page: 'pages/table.html' }, context), (thrown) => {
    assert.ok(thrown instanceof H2h3Error && thrown.code === 'usage', String(thrown));
    assert.match(thrown.next ?? '', /pages\/tables\.html/);
    return true;
  });
  const added = await addSite({ ...wanted, page: 'pages/tables.html' }, context);
  assert.equal(added.workload, 'page-soft-tables');
  assert.ok(added.measured.objects > 10 && added.measured.wireBytes > 100_000, JSON.stringify(added));
  assert.equal(
    Object.values(added.measured.types).reduce((sum, count) => sum + count, 0),
    added.measured.objects,
  );
  assert.ok(
    added.stripped.some((address) => address.startsWith('https://fonts.googleapis.com/')),
    'what other hosts would have to give is named',
  );
  const file = join(folder, 'sites', 'pages', 'soft-tables.ts');
  const text = readFileSync(file, 'utf8');
  assert.match(text, /name: 'soft-ui-dashboard',\n {8}version: '1\.0\.1',/);
  assert.match(text, new RegExp(`objects: ${added.measured.objects},`));
  const style = await resolveConfig(join(projectDir, 'sites', 'pages', 'catalogue.ts'));
  assert.ok(await check(text, { ...style, filepath: file }), text);
  const catalogue = readFileSync(join(folder, 'sites', 'pages', 'catalogue.ts'), 'utf8');
  assert.match(catalogue, /import \{ softTables \} from '\.\/soft-tables\.ts';/);
  await assert.rejects(addSite({ ...wanted, page: 'pages/tables.html' }, context), /there is a page called/);
});
