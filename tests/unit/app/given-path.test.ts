import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { givenPath } from '../../../src/app/given-path.ts';

test('a path is told as it was given', () => {
  const inside = join(process.cwd(), 'results', 'x');
  assert.equal(givenPath(inside, 'results/x'), 'results/x');
  assert.equal(givenPath(inside, inside), inside);
  assert.equal(givenPath(inside), 'results/x');
});

test('a path out of the working directory is told whole, and that directory as a dot', () => {
  assert.equal(givenPath('/elsewhere/run', '../elsewhere/run'), '/elsewhere/run');
  assert.equal(givenPath(process.cwd()), '.');
});
