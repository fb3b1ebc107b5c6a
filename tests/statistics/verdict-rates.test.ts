import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

const base = { noise: 'normal', spread: 0.08, blocks: 20, pooled: true, sequential: false } as const;
const sites = (ratio: number): number[] => Array.from({ length: 6 }, () => ratio);

test('opposite effects of sites are mixed, never equivalent', () => {
  const ratios = [1.15, 1.15, 1.15, 1.15, 0.87, 0.87, 0.87, 0.87];
  const { verdicts } = simulate({ ...base, name: 'opposite', ratios }, 20, 1);
  assert.deepEqual([verdicts.equivalent, verdicts.mixed], [0, 20]);
});

test('at the margin a sequential run is hardly ever wrong, and +10 % is found early', () => {
  const sequential = { ...base, sequential: true };
  const at = simulate({ ...sequential, name: 'margin', ratios: sites(1.03) }, 60, 2);
  // 2.5 % and 5 % of 60 runs are expected at most; these are passed once in a thousand.
  assert.ok(at.verdicts.better + at.verdicts.worse <= 6 && at.verdicts.equivalent <= 9, JSON.stringify(at));
  const clear = simulate({ ...sequential, name: 'clear', ratios: sites(1.1) }, 30, 3);
  assert.ok(clear.verdicts.worse >= 28 && clear.meanBlocks < 10, JSON.stringify(clear));
});

test('a twentieth of all trials lost costs little power', () => {
  const lost = { ...base, blocks: 8, spread: 0.05, ratios: sites(1.1), lossShare: 0.05 };
  const { verdicts, coverage } = simulate({ ...lost, name: 'lost' }, 40, 4);
  assert.ok(verdicts.worse >= 30, JSON.stringify(verdicts));
  assert.ok(coverage >= 0.8, `${coverage}`);
});
