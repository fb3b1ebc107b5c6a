import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNormal, seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { kMeans, type WeightedPoint } from '../../../../src/plan/audience/k-means.ts';

const centres = [
  [0, 0],
  [6, 0],
  [0, 6],
] as const;

function clouds(each: number): WeightedPoint[] {
  const random = seededRandom(5);
  return centres.flatMap(([x, y]) =>
    Array.from({ length: each }, () => ({ x: x + drawNormal(random), y: y + drawNormal(random), weight: 1 })),
  );
}

test('three clouds are three clusters, the same for the same seed', () => {
  const points = clouds(50);
  const { assigned } = kMeans(points, 3, 1);
  const sets = centres.map((_, cloud) => new Set(assigned.slice(cloud * 50, cloud * 50 + 50)));
  assert.deepEqual(
    sets.map(({ size }) => size),
    [1, 1, 1],
  );
  assert.equal(new Set(assigned).size, 3);
  assert.deepEqual(kMeans(points, 3, 1), kMeans(points, 3, 1));
});

test('a heavy point draws the mean of its cluster, so that its squares count the more', () => {
  const light = kMeans(
    [
      { x: 0, y: 0, weight: 1 },
      { x: 2, y: 0, weight: 1 },
    ],
    1,
    1,
  );
  const heavy = kMeans(
    [
      { x: 0, y: 0, weight: 3 },
      { x: 2, y: 0, weight: 1 },
    ],
    1,
    1,
  );
  assert.equal(light.squares, 2);
  assert.equal(heavy.squares, 3);
});

test('more clusters than places leave none apart', () => {
  const same = Array.from({ length: 4 }, () => ({ x: 1, y: 1, weight: 1 }));
  const { assigned, squares } = kMeans(same, 3, 1);
  assert.equal(new Set(assigned).size, 1);
  assert.equal(squares, 0);
});
