import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { projectDir } from '../support/cli.ts';

interface Step {
  readonly uses?: string;
}

interface Recipe {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  readonly steps?: readonly Step[];
}

const text = (file: string): string => readFileSync(join(projectDir, file), 'utf8');
const page = text('docs/versions-and-gate.md');
const section = page.slice(page.indexOf('## As a GitHub action'));

/** What the section about the action has to be copied. */
const recipes = [...section.matchAll(/```yaml\n(?<yaml>[^]*?)```/g)].map(
  ({ groups }) => parse(groups?.['yaml'] ?? '') as Recipe,
);

function stepsOf({ jobs = {}, steps = [] }: Recipe): readonly Step[] {
  return [...steps, ...Object.values(jobs).flatMap((job) => job.steps)];
}

test('what the docs of the action have to be copied checks out before it, by the digest that the examples have', () => {
  const [, pinned = ''] =
    /uses: (actions\/checkout@\w{40})/.exec(text('examples/pull-request/two-builds.yaml')) ?? [];
  assert.match(pinned, /@\w{40}$/);
  assert.ok(recipes.length >= 2, `${recipes.length} recipes`);
  for (const recipe of recipes) {
    const uses = stepsOf(recipe).map((step) => step.uses);
    assert.deepEqual(uses, [pinned, 'OWNER/h2h3@COMMIT']);
  }
});

test('the whole job of the docs may do what the action does, as the examples may', () => {
  const whole = recipes.filter(({ jobs }) => jobs !== undefined);
  assert.equal(whole.length, 1);
  const { permissions } = parse(text('examples/pull-request/two-builds.yaml')) as Recipe;
  assert.deepEqual(whole[0]?.permissions, permissions);
  assert.equal(permissions?.['pull-requests'], 'write');
});

test('the docs say when each of the jobs for pull requests is the one to copy', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  for (const file of readdirSync(join(projectDir, 'examples/pull-request')))
    assert.ok(
      rows.some((row) => row.includes(`\`${file}\``)),
      file,
    );
});
