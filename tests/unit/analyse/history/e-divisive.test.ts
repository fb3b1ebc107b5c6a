import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changePoints } from '../../../../src/analyse/history/e-divisive.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';

/** Nights with levels in standard deviations. */
function nights(levels: readonly (readonly [count: number, level: number])[], seed: number): number[] {
  const random = seededRandom(seed);
  return levels.flatMap(([count, level]) => Array.from({ length: count }, () => level + gaussian(random)));
}

const find = (values: readonly number[], seed = 1): number[] =>
  changePoints(values, { random: seededRandom(seed), permutations: 199 }).map(({ index }) => index);

test('a shift is found at its night', () => {
  for (const seed of [1, 2, 3]) {
    const [first, ...rest] = find(
      nights(
        [
          [15, 0],
          [15, 5],
        ],
        seed,
      ),
    );
    assert.ok(first !== undefined && Math.abs(first - 15) <= 1, `${first}`);
    assert.deepEqual(rest, []);
  }
});

test('two shifts are found in order, also back to the first level', () => {
  const found = find(
    nights(
      [
        [12, 0],
        [12, 6],
        [12, 0],
      ],
      4,
    ),
  );
  assert.equal(found.length, 2);
  assert.ok(Math.abs((found[0] ?? 0) - 12) <= 1 && Math.abs((found[1] ?? 0) - 24) <= 1, found.join(' '));
});

test('a shift after three nights of the new level is found already', () => {
  const found = find(
    nights(
      [
        [20, 0],
        [4, 8],
      ],
      5,
    ),
  );
  assert.equal(found.length, 1);
  assert.ok(Math.abs((found[0] ?? 0) - 20) <= 1, found.join(' '));
});

test('without a shift hardly any series has a change: false alarms stay near the level', () => {
  const series = 300;
  let alarms = 0;
  for (let seed = 0; seed < series; seed++) {
    const values = nights([[20, 0]], 1000 + seed);
    if (changePoints(values, { random: seededRandom(seed), permutations: 99, level: 0.05 }).length > 0)
      alarms++;
  }
  // Nominal 5 %; three standard errors above, and not so few that nothing was tested.
  assert.ok(alarms / series < 0.05 + 3 * Math.sqrt((0.05 * 0.95) / series), `${alarms}`);
  assert.ok(alarms > 0);
});

test('constant and short series have none', () => {
  assert.deepEqual(find(Array.from({ length: 20 }, () => 7)), []);
  assert.deepEqual(find([1, 2, 3, 4, 5]), []);
  assert.deepEqual(find([]), []);
});

test('heavy outliers are no change', () => {
  const values = nights([[30, 0]], 9);
  values[10] = 60;
  assert.deepEqual(find(values), []);
});

interface OtavaSeries {
  readonly memory: number;
  readonly step: number;
  readonly values: readonly number[];
  /** Indexes at which it has a change. */
  readonly otava: readonly number[];
}

test('clear steps are found where Otava finds them, and wandering nights raise fewer alarms', () => {
  const file = new URL('otava-fixtures.json', import.meta.url);
  const { series } = JSON.parse(readFileSync(file, 'utf8')) as { series: OtavaSeries[] };
  const stepped = series.filter(({ step }) => step > 0);
  const agree = stepped.filter(({ values, otava }) => {
    const mine = find(values);
    return mine.some((index) => otava.some((theirs) => Math.abs(index - theirs) <= 1));
  });
  assert.equal(stepped.length, 50);
  assert.ok(agree.length >= 48, `${agree.length}`);
  const wandering = series.filter(({ memory }) => memory > 0);
  const alarms = wandering.filter(({ values }) => find(values).length > 0).length;
  const theirs = wandering.filter(({ otava }) => otava.length > 0).length;
  assert.ok(alarms < theirs && alarms <= 2, `${alarms} against ${theirs}`);
});
