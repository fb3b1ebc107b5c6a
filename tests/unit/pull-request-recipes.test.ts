import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { projectDir } from '../support/source-graph.ts';

const textOf = (...path: readonly string[]): string => readFileSync(join(projectDir, ...path), 'utf8');
/** Checks out both sides, of which the app is built. */
const ofBuilds = 'two-builds.yaml';
const recipes = ['github-actions.yaml', 'gitlab-ci.yaml'] as const;

test('what a report links to is kept with it, by the recipes and by the workflow of the nights', () => {
  const kept = [
    ...[...recipes, ofBuilds].map((name) => textOf('examples/pull-request', name)),
    textOf('.github/workflows/nightly.yml'),
  ];
  for (const text of kept)
    for (const part of ['/*.html', '/card.*', '/report/', '/har/', '/film/'])
      assert.match(text, new RegExp(`results/[\\w-]+${RegExp.escape(part)}$`, 'm'), part);
});

test('the recipes need no checkout of h2h3, and judge what they ran', () => {
  for (const name of recipes) {
    const text = textOf('examples/pull-request', name);
    assert.doesNotThrow(() => void parse(text));
    assert.doesNotMatch(text, /actions\/checkout|npm ci|src\/cli/);
    assert.match(text, /npm install --no-save --no-package-lock "\$H2H3_PACKAGE"/);
    const [, out] = /h2h3 run .* --out (\S+)$/m.exec(text) ?? [];
    assert.ok(out !== undefined && text.includes(`h2h3 gate ${out} `), name);
    assert.ok(text.includes(`${out}/gate.md`), 'the comment is the gate');
  }
});
