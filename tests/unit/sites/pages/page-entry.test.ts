import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, resolveConfig } from 'prettier';
import {
  isPageId,
  pageEntryText,
  pageIdOf,
  withMeasure,
  withPageInCatalogue,
} from '../../../../sites/pages/page-entry.ts';
import { pageSources } from '../../../../sites/pages/catalogue.ts';
import { projectDir } from '../../../support/source-graph.ts';

const pages = join(projectDir, 'sites', 'pages');
const measured = { objects: 20, hosts: 3, wireBytes: 1_235_859, types: { html: 1, css: 3, image: 16 } };
const draft = {
  id: 'soft-tables',
  title: "The maker's tables */",
  own: 'page',
  mounts: {
    page: {
      package: {
        name: '@maker/soft',
        version: '1.0.1',
        integrity: `sha512-${'A'.repeat(86)}==`,
        licence: 'MIT',
      },
      directory: 'dist',
    },
  },
  entry: 'pages/tables.html',
  askedByScripts: ['data/rows.json'],
};

test('a new page is a file that holds what was found, formatted as the others', async () => {
  const text = pageEntryText(draft, measured);
  const file = join(pages, 'soft-tables.ts');
  assert.ok(await check(text, { ...(await resolveConfig(file)), filepath: file }), text);
  assert.match(text, /export const softTables: PageSource = \{/);
  assert.match(text, /title: "The maker's tables \*\/"/);
  assert.match(text, /askedByScripts: \['data\/rows\.json'\],/);
  assert.match(text, /wireBytes: 1_235_859,/);
  const askedByScripts = ['a', 'b', 'c', 'd'].map((name) => `scripts/${name}/of-a-deep-folder/data.json`);
  const longer = pageEntryText({ ...draft, title: `"it's"`, askedByScripts }, measured);
  assert.ok(await check(longer, { ...(await resolveConfig(file)), filepath: file }), longer);
});

test('its line in the catalogue and its import stand where they belong', async () => {
  const file = join(pages, 'catalogue.ts');
  const text = withPageInCatalogue(readFileSync(file, 'utf8'), 'soft-tables');
  assert.ok(await check(text, { ...(await resolveConfig(file)), filepath: file }), text);
  assert.match(text, /soft-ui\.ts';\nimport \{ swagger \}|soft-tables\.ts';\nimport \{ softUi \}/);
  assert.match(text, / {2}softTables,\n\];/);
});

test('other figures take the place of those of every page that ships', () => {
  for (const { id } of pageSources) {
    const text = withMeasure(readFileSync(join(pages, `${id}.ts`), 'utf8'), measured);
    assert.match(text ?? '', /measured: \{\n {4}objects: 20,\n {4}hosts: 3,\n {4}wireBytes: 1_235_859,/, id);
    assert.equal(text?.match(/measured:/g)?.length, 1, id);
  }
  assert.equal(withMeasure('export const page = {};', measured), undefined);
});

test('a page is named after its package, and after itself where it is no index', () => {
  assert.equal(pageIdOf('soft-ui-dashboard', 'pages/tables.html'), 'soft-ui-dashboard-tables');
  assert.equal(pageIdOf('startbootstrap-agency', 'dist/index.html'), 'startbootstrap-agency');
  assert.ok(isPageId('tabler-2') && !isPageId('Tabler') && !isPageId('a--b') && !isPageId('../x'));
});
