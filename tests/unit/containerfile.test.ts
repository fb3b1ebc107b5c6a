import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from '../support/packed.ts';
import { projectDir } from '../support/source-graph.ts';

test('every step of the Containerfile can be followed where there is no builder', () => {
  const steps = runToEnd(['node', 'tests/first-run/containerfile-steps.ts'], projectDir).split('\n');
  const stages = steps.filter((step) => step.startsWith('FROM ')).map((step) => step.split(' ').at(-1));
  assert.deepEqual(stages, ['base', 'package', 'tools', 'image']);
  const image = steps.slice(steps.findIndex((step) => step === 'FROM base image'));
  assert.deepEqual(image.slice(1, 3), ['ENV XDG_CACHE_HOME=/var/cache', 'DIR /h2h3'], 'of the stage before');
  assert.ok(image.includes('USER 1000') && image.includes('COPY-FROM tools /h2h3/node_modules node_modules'));
  assert.ok(steps.includes('RUN npm ci') && steps.includes('COPY . .'));
  assert.match(steps.join('\n'), /RUN apt-get update && apt-get install .* util-linux && rm -rf/);
  assert.match(
    image.join('\n'),
    /START tini -- node \/h2h3\/node_modules\/h2h3\/src\/cli\/launcher\.js doctor/,
  );
  assert.doesNotMatch(image.join('\n'), /gcc|npm ci/);
});

test('what a builder must not copy is named where every builder looks', () => {
  const ignored = readFileSync(join(projectDir, '.dockerignore'), 'utf8').split('\n');
  for (const name of ['node_modules', 'results', '.h2h3', '.git']) assert.ok(ignored.includes(name), name);
});
