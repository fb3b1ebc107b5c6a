import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeSample } from '../../../../src/analyse/statistics/quantile.ts';
import {
  looksBimodal,
  notableMemory,
  outlierIndices,
} from '../../../../src/analyse/statistics/sample-shape.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';

test('quartiles are those of type 7', () => {
  // numpy 2: quantile([7, 15, 36, 39, 40, 41], [.25, .5, .75])
  const { median, quartiles } = describeSample([41, 7, 40, 15, 39, 36]);
  assert.equal(median, 37.5);
  assert.deepEqual(quartiles, [20.25, 39.75]);
});

test('samples of none and one are described as far as they can be', () => {
  assert.deepEqual(describeSample([]), { n: 0, median: null, quartiles: null, minimum: null, maximum: null });
  assert.deepEqual(describeSample([3]), { n: 1, median: 3, quartiles: [3, 3], minimum: 3, maximum: 3 });
});

test('the median lies within the quartiles and these within the range', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
      const { minimum, quartiles, median, maximum } = describeSample(values);
      const ordered = [minimum, quartiles?.[0], median, quartiles?.[1], maximum].map(Number);
      ordered.forEach((value, i) => assert.ok(i === 0 || value >= (ordered[i - 1] as number) - 1e-9));
    }),
  );
});

test('an outlier is far beyond the quartiles and is named by its index', () => {
  assert.deepEqual(outlierIndices([10, 11, 12, 11, 10, 90, 11, 12]), [5]);
  assert.deepEqual(outlierIndices([10, 11, 12, 11, 10, 13, 11, 12]), []);
  assert.deepEqual(outlierIndices([1, 1, 1, 9]), []);
});

test('two separate groups look bimodal; normal, uniform and exponential samples hardly ever do', () => {
  assert.equal(looksBimodal([10, 11, 10.5, 10.2, 20, 20.4, 20.1, 20.9]), true);
  assert.equal(looksBimodal([10, 11, 10.5, 10.2, 20]), false);
  assert.equal(looksBimodal([10, 11, 12, 10.5, 10.2, 10.9, 11.4, 90]), false);
  const shapes: Record<string, (random: ReturnType<typeof seededRandom>) => number> = {
    normal: gaussian,
    uniform: (random) => random.next(),
    exponential: (random) => -Math.log(1 - random.next()),
  };
  for (const [name, draw] of Object.entries(shapes)) {
    for (const n of [8, 12, 20]) {
      const random = seededRandom(n);
      const samples = Array.from({ length: 2000 }, () => Array.from({ length: n }, () => draw(random)));
      const share = samples.filter(looksBimodal).length / samples.length;
      assert.ok(share < 0.03, `${name}, n = ${n}: ${share}`);
    }
  }
});

test('neighbours that resemble each other are noticed, independent ones in one sample of a hundred', () => {
  const random = seededRandom(8);
  const share = (memory: number): number => {
    let noticed = 0;
    let last = 0;
    for (let sample = 0; sample < 1000; sample++) {
      const values = Array.from({ length: 20 }, () => (last = memory * last + gaussian(random)));
      if (notableMemory(values) !== null) noticed++;
    }
    return noticed / 1000;
  };
  assert.ok(share(0) < 0.02, `${share(0)}`);
  assert.ok(share(0.8) > 0.5, `${share(0.8)}`);
  assert.equal(notableMemory([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), null);
  assert.equal(notableMemory(Array.from({ length: 20 }, () => 3)), null);
});
