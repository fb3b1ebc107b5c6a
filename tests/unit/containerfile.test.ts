import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from '../support/packed.ts';
import { projectDir } from '../support/source-graph.ts';

test('every step of the Containerfile can be followed where there is no builder', () => {
  const steps = runToEnd(['node', 'tests/first-run/containerfile-steps.ts'], projectDir).split('\n');
  assert.ok(steps.includes('DIR /h2h3') && steps.includes('RUN npm ci') && steps.includes('COPY . .'));
  assert.match(steps.join('\n'), /RUN apt-get update && apt-get install .* util-linux && rm -rf/);
  assert.match(steps.join('\n'), /START tini -- node \/h2h3\/src\/cli\/launcher\.js doctor/);
});

test('what a builder must not copy is named where every builder looks', () => {
  const ignored = readFileSync(join(projectDir, '.dockerignore'), 'utf8').split('\n');
  for (const name of ['node_modules', 'results', '.h2h3', '.git']) assert.ok(ignored.includes(name), name);
});
