import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from './support/source-graph.ts';

const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Test files that a script hands to the test runner; they stand between quotes. */
function filesOf(script: string): string[] {
  const patterns = [...(scripts[script] ?? '').matchAll(/'([^']+)'/g)].map(([, pattern]) => pattern ?? '');
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: projectDir }));
}

test('every test file is run once: with others in one process, in one of its own, as a long one, with no other beside it, or before a release', () => {
  const all = globSync('tests/**/*.test.ts', { cwd: projectDir });
  assert.ok(all.length > 250);
  const run = [
    'test:app',
    'test:shared',
    'test:harness',
    'test:figures',
    'test:own',
    'test:long',
    'test:alone',
    'test:minutes',
  ].flatMap(filesOf);
  assert.deepEqual(run.toSorted(), all.toSorted());
});
