import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visualMetrics } from '../../../../src/analyse/derive/visual-metrics.ts';
import { visualProgress } from '../../../../src/analyse/derive/visual-progress.ts';
import { filledImage } from './images.ts';

const painted = (percent: number): Uint8Array => filledImage(64, 80, (80 * percent) / 100);
const framesAt = (times: readonly number[]): { file: string; tMs: number }[] =>
  times.map((tMs, index) => ({ file: `${index}.jpg`, tMs }));

test('the curve has every distinct frame with its share of the way to the last one', () => {
  const frames = framesAt([-5, 0, 100, 300, 400, 700]);
  const images = [50, 0, 20, 60, 60, 100].map(painted);
  assert.deepEqual(visualProgress(frames, images), [
    [0, 0],
    [100, 20],
    [300, 60],
    [700, 100],
  ]);
});

test('the curve and the metrics tell the same moment of 85 %', () => {
  const frames = framesAt([100, 200, 400, 900]);
  const images = [20, 90, 95, 100].map(painted);
  const reached = visualProgress(frames, images).find(([, percent]) => percent >= 85)?.[0];
  assert.equal(reached, visualMetrics(frames, images).metrics['visualComplete85Ms']);
});

test('without frames there is no curve, and what is no picture is refused', () => {
  assert.deepEqual(visualProgress(null, []), []);
  assert.deepEqual(visualProgress(framesAt([10]), []), []);
  assert.throws(() => visualProgress(framesAt([10]), [new Uint8Array([1, 2, 3])]));
});
