import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from '../../support/packed.ts';
import { projectDir } from '../../support/source-graph.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A checkout with these files below `node_modules`, slimmed as npm does it. */
function slimmed(folder: string, files: readonly string[]): (file: string) => boolean {
  const script = join(folder, 'build', 'slim-packages.js');
  for (const file of [script, ...files.map((name) => join(folder, 'node_modules', name))]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  copyFileSync(join(projectDir, 'build', 'slim-packages.js'), script);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  runToEnd(['node', script], folder);
  return (name) => existsSync(join(folder, 'node_modules', name));
}

test('of unpacked packages what nothing reads is removed, and the rest is kept', (t) => {
  const kept = [
    'dashjs/dist/modern/umd/dash.mediaplayer.min.js',
    'dashjs/dist/modern/esm/dash.all.min.js',
    'dashjs/index.d.ts',
    'other/map.js',
    'other/include/kept.h',
    '@sentry/node/package.json',
  ];
  const removed = [
    'dashjs/dist/modern/umd/dash.all.debug.js',
    'dashjs/dist/legacy/umd/dash.mediaplayer.min.js',
    '@sentry/node/build/cjs/index.js',
    'other/dist/index.js.map',
    'other/dist/index.d.mts.map',
  ];
  const isThere = slimmed(tempFolder(t), [...kept, ...removed]);
  assert.deepEqual(kept.filter(isThere), kept);
  assert.deepEqual(removed.filter(isThere), []);
});

test('where nothing was installed nothing is done', (t) => {
  assert.doesNotThrow(() => slimmed(tempFolder(t), []));
});
