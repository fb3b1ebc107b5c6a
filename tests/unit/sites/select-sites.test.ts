import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultSites, selectSites } from '../../../sites/index.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function ids(spec: string): string[] {
  return selectSites(spec).map((workload) => workload.id);
}

test('sites are chosen by name with or without prefix, each once', () => {
  assert.deepEqual(ids('cnn.com, page-swagger,replica-cnn.com,gentelella'), [
    'replica-cnn.com',
    'page-swagger',
    'page-gentelella',
  ]);
});

test('all is the hundred replicas, and the size classes share them out', () => {
  assert.equal(ids('all').length, 100);
  const classes = ['small', 'medium', 'large'].map((name) => selectSites(name));
  assert.equal(new Set(classes.flat().map(({ id }) => id)).size, 100);
  const largest = (index: number): number =>
    Math.max(...(classes[index] ?? []).map(({ facts }) => facts.wireBytes ?? 0));
  assert.ok(largest(0) < largest(1) && largest(1) < largest(2));
});

test('the default is four pages and four replicas that differ in size', () => {
  const sites = defaultSites();
  assert.equal(sites.filter(({ id }) => id.startsWith('page-')).length, 4);
  const replicas = sites.filter(({ id }) => id.startsWith('replica-'));
  assert.equal(replicas.length, 4);
  const sizes = replicas.map(({ facts }) => facts.wireBytes ?? 0);
  assert.ok(Math.max(...sizes) > 3 * Math.min(...sizes));
});

test('a file gives replicas of what is in it, an address a live page', (t) => {
  const file = join(tempFolder(t), 'own.json');
  writeFileSync(
    file,
    JSON.stringify({ sites: [{ site: 'own', requests: [[0, 'html', 900, 2000, 0, null]] }] }),
  );
  assert.deepEqual(ids(`${file},https://staging.example/`), ['replica-own', 'url-staging.example']);
});

test('@repeat means the second visit of a page', () => {
  assert.deepEqual(ids('agency@repeat,agency'), ['page-agency@repeat', 'page-agency']);
  const [workload] = selectSites('agency@repeat');
  assert.equal(workload?.view, 'repeat');
  assert.match(workload.title, /, second visit$/);
  assert.equal(
    ids('small@repeat').every((id) => id.endsWith('@repeat')),
    true,
  );
});

test('an unknown name is refused, with names like it', () => {
  assert.throws(
    () => selectSites('cnn'),
    (error) =>
      error instanceof H2h3Error && error.code === 'usage' && /cnn\.com/.test(String(error.context.expected)),
  );
});
