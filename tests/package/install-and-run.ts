/**
 * What somebody does who has the tarball and an empty folder: `npm install`, a short run, the library. Asks the npm
 * registry and starts a browser, so it has a command of its own: `npm run test:package`.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filesBelow, packInto, runToEnd } from '../support/packed.ts';
import { projectDir } from '../support/source-graph.ts';

let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'h2h3-install-'));
  mkdirSync(join(folder, 'packed'));
  const tarball = packInto(join(folder, 'packed'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  runToEnd(['npm', 'install', '--no-audit', '--no-fund', tarball], folder);
  cpSync(join(projectDir, 'examples/library'), folder, { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('npx h2h3 run measures from an empty folder', () => {
  const words = [
    'run',
    'download',
    '--network',
    'loopback',
    '--workload',
    'download-1mb,download-10mb',
    '--repetitions',
    '2',
  ];
  runToEnd(['npx', 'h2h3', ...words, '--exploratory', '--out', 'first'], folder);
  for (const name of ['journal.jsonl', 'summary.json', 'report.html'])
    assert.ok(existsSync(join(folder, 'first', name)), name);
});

test('the library runs on the Node of its caller, and the run on the pinned one', () => {
  const said = runToEnd(['node', 'run.mjs', 'second'], folder);
  assert.match(said, /download-1mb \S+ \(\S+\): ratio [\d.]+, \w+\nreport: .*second/);
});

test('a page with its replica and a video session are served from the package', () => {
  const words = ['--workload', 'page-agency,video-padded-2s-bba-4s', '--arms', 'h3', '--repetitions', '1'];
  runToEnd(['npx', 'h2h3', 'run', ...words, '--exploratory', '--out', 'third'], folder);
  assert.ok(filesBelow(join(folder, 'third', 'trials')).some((file) => file.endsWith('page.har.gz')));
});
