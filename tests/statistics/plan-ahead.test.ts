import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proportionInterval } from '../support/proportion-interval.ts';
import { simulatePlanning } from './simulate-planning.ts';

for (const name of ['t', 'signed-rank'] as const) {
  test(`the blocks needed decide in 80 % of runs, and eight blocks say their range (${name})`, () => {
    const cell = { test: name, noise: 'normal', ratio: 1.06, spread: 0.04, comparisons: 1 } as const;
    const { runs, needed, decided, covered, open } = simulatePlanning(cell, 150, 3);
    assert.ok(needed !== null && needed > 10 && needed < 30, `${needed}`);
    const [least, most] = proportionInterval(decided, runs, 0.999) ?? [1, 0];
    assert.ok(least < 0.85 && most > 0.75, `${decided} of ${runs}`);
    assert.ok((proportionInterval(covered, open, 0.999)?.[1] ?? 0) > 0.75, `${covered} of ${open}`);
    // Without the weights of the truths 60 % at most were held.
    assert.ok(covered / open > 0.75, `${covered} of ${open}`);
  });
}
