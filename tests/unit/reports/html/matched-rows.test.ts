import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchedRows } from '../../../../reports/html/client/matched-rows.ts';
import type { PageLoad, PageRequest } from '../../../../reports/html/page-data.ts';

function loadOf(title: string, addresses: readonly string[]): PageLoad {
  const requests = addresses.map((address, i): PageRequest => [
    address,
    i * 10,
    0,
    1,
    2,
    3,
    1000,
    200,
    'h3',
    '',
    '',
    '',
  ]);
  const marks = { fcp: null, lcp: null, load: null };
  return {
    arm: title,
    title,
    trialId: title,
    loadEventMs: null,
    marks,
    requests,
    frames: [],
    progress: [],
  };
}

test('rows are named by their paths: of long ones the end, with the query where paths are the same', () => {
  const site = 'https://site.test';
  const long = `${site}/assets/themes/2026/autumn/components/header/logo.svg`;
  const both = [`${site}/`, `${site}/img/logo.svg`, `${site}/api?page=1`, `${site}/api?page=2`, long];
  const rows = matchedRows([loadOf('HTTP/2', both), loadOf('HTTP/3', [...both, `${site}/late.js?v=3`])]);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      '/',
      '/img/logo.svg',
      '/api?page=1',
      '/api?page=2',
      '…/components/header/logo.svg',
      '/late.js (only HTTP/3)',
    ],
  );
  assert.ok(
    rows.every(({ words }) => words.startsWith(site)),
    'the whole address is there for the pointer',
  );
});
