import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recipesOf } from '../support/recipes-of-page.ts';
import { projectDir } from '../support/source-graph.ts';

const recipes = recipesOf(readFileSync(join(projectDir, 'docs/h2h3-link.md'), 'utf8'), 'Recipes');

test('each runner has a recipe with its commands, and its files or the reason why it was not tried', () => {
  assert.deepEqual(
    recipes.map(({ name, untriedReason }) => `${name}${untriedReason === null ? '' : ' (not tried)'}`),
    [
      'Playwright Test',
      "Playwright Test, the system's Firefox",
      'Vitest browser mode',
      'WebdriverIO',
      'Puppeteer',
      'Cypress (not tried)',
      "Playwright's own Firefox and WebKit (not tried)",
    ],
  );
  for (const { name, commands, files, untriedReason } of recipes) {
    assert.match(commands[0] ?? '', /^npm install --save-dev h2h3-link /, name);
    assert.ok(commands.length === 2, name);
    if (untriedReason === null) assert.ok(files.length > 0, name);
    else assert.match(untriedReason, /from .* own server/, name);
    // Each can be run over no network instead, where it must fail.
    const text = [...commands, ...files.map((file) => file.text)].join('\n');
    if (untriedReason === null) assert.match(text, /\bcable\b/, name);
    // What a test of a network wants: to change it, and to read what came.
    if (untriedReason === null)
      assert.match(text, /(?:\.set|setLink)\([^]*receivedBytes|receivedBytes[^]*(?:\.set|setLink)\(/, name);
  }
});
