import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSites, downloadWorkloads, pageWorkloads, urlWorkload } from '../../../sites/index.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';

test('at least six real pages ship, each with facts that add up', () => {
  const pages = pageWorkloads();
  assert.ok(pages.length >= 6);
  for (const { id, facts } of pages) {
    assert.match(id, /^page-/);
    const objects = Object.values(facts.types ?? {}).reduce((sum, count) => sum + count, 0);
    assert.equal(objects, facts.objectCount, id);
    assert.ok((facts.hostCount ?? 0) >= 2, `${id} is served under several names`);
    assert.ok(facts.licence, id);
  }
});

test('downloads come in four sizes of powers of ten, one stream or several', () => {
  const ids = downloadWorkloads().map((workload) => workload.id);
  for (const id of ['download-1mb', 'download-10mb', 'download-100mb', 'download-1gb', 'download-100mb-x4']) {
    assert.ok(ids.includes(id), id);
  }
});

test('ids are unique, and every workload is described', () => {
  const ids = describeSites().map((site) => site.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.includes('page-gentelella') && ids.includes('download-1gb'));
});

test('an address that browsers cannot load over either protocol is refused', () => {
  for (const url of ['http://example.org', 'example.org', 'ftp://x', '', 'https://user:pw@example.org/']) {
    assert.throws(
      () => urlWorkload(url),
      (error) => error instanceof H2h3Error && error.code === 'usage',
    );
  }
});
