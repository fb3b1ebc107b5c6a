import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interimSchedule } from '../../../../src/analyse/comparison/interim-schedule.ts';
import { levelsAtInterim, interimBlocks } from '../../../../src/analyse/comparison/interim-levels.ts';

test('interim analyses begin where the signed-rank test reaches what is spent, every second block, and at the end', () => {
  assert.deepEqual(interimBlocks('signed-rank', 1, 0.05), [7, 9, 11, 13, 15, 17, 19, 20]);
  assert.deepEqual(interimBlocks('signed-rank', 2, 0.05), [8, 10, 12, 14, 16, 18, 20]);
  assert.deepEqual(interimBlocks('t', 6, 0.05), [4, 6, 8, 10, 12, 14, 16, 18, 20]);
  assert.deepEqual(interimBlocks('signed-rank', 1, 0.05, 6), [6]);
});

const planned = [4, 6, 8, 10, 12, 14, 16, 18, 20];

test('a first interim analysis has its share of the error, equivalence on each side as the two-sided test in all', () => {
  const levels = levelsAtInterim(interimSchedule(planned, [], null), 0);
  assert.ok(Math.abs(levels.beyond(0.05, 't') - 0.01) < 1e-7);
  assert.ok(Math.abs(levels.equivalent(0.05, 't') - 0.01) < 1e-7);
  assert.ok(Math.abs(levels.beyond(0.025, 't') - 0.005) < 1e-7);
});

test('an end for want of time spends all that is left', () => {
  const going = interimSchedule(planned, [], null);
  const ended = interimSchedule(planned, [], 8);
  const at = (interims: typeof going): number => levelsAtInterim(interims, 2).beyond(0.05, 't');
  assert.ok(at(ended) > 1.5 * at(going));
  assert.ok(at(ended) < 0.05, 'what earlier interim analyses spent is gone');
  const between = interimSchedule(planned, [], 7);
  assert.deepEqual(
    between.slice(0, 4).map(({ blocks, share }) => [blocks, share]),
    [
      [4, 0.2],
      [6, 0.3],
      [7, 1],
      [8, 1.4],
    ],
  );
});

test('a run that is resumed has a second error from there on', () => {
  const interims = interimSchedule(planned, [6], null);
  assert.deepEqual(
    interims.slice(0, 3).map(({ share }) => share),
    [0.2, 1, 1.4],
  );
  assert.equal(interims.at(-1)?.share, 2);
  assert.ok(levelsAtInterim(interims, 2).beyond(0.05, 't') > 0.01);
});
