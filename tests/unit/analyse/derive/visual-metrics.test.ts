import assert from 'node:assert/strict';
import { test } from 'node:test';
import speedline from 'speedline-core';
import { visualMetrics } from '../../../../src/analyse/derive/visual-metrics.ts';
import { filledImage } from './images.ts';

const width = 64;
const height = 80;
/** A viewport of which `percent` is painted; rows come in multiples of a JPEG block, so that edges stay sharp. */
const painted = (percent: number): Uint8Array => filledImage(width, height, (height * percent) / 100);
const framesAt = (times: readonly number[]): { file: string; tMs: number }[] =>
  times.map((tMs, index) => ({ file: `${index}.jpg`, tMs }));

test('Speed Index is the area above the curve of visual progress', () => {
  const { metrics, warnings } = visualMetrics(framesAt([0, 100, 300, 700]), [0, 20, 60, 100].map(painted));
  // By hand: 100 ms at 0 %, 200 ms at 20 %, 400 ms at 60 %.
  const byHandMs = 100 * 1 + 200 * 0.8 + 400 * 0.4;
  assert.ok(
    Math.abs((metrics['speedIndexMs'] ?? 0) - byHandMs) < 1,
    `${metrics['speedIndexMs']} and ${byHandMs}`,
  );
  assert.equal(metrics['visualComplete85Ms'], 700);
  assert.equal(metrics['visualComplete99Ms'], 700);
  assert.deepEqual(warnings, []);
});

test('85 % and 99 % complete are the first frames that reach them', () => {
  const { metrics } = visualMetrics(framesAt([100, 200, 400, 900]), [20, 90, 90, 100].map(painted));
  assert.equal(metrics['visualComplete85Ms'], 200);
  assert.equal(metrics['visualComplete99Ms'], 900);
});

test('the result is the one of speedline itself', async () => {
  const times = [40, 90, 150, 420, 610];
  const images = [0, 10, 30, 70, 100].map(painted);
  const originUs = 5_000_000;
  const timeline = images.map((image, index) => ({
    name: 'Screenshot',
    cat: 'disabled-by-default-devtools.screenshot',
    args: { snapshot: Buffer.from(image).toString('base64') },
    tid: 0,
    ts: originUs + (times[index] ?? 0) * 1000,
    dur: 0,
  }));
  const { speedIndex } = await speedline(timeline, { timeOrigin: originUs, include: 'speedIndex' });
  const { metrics } = visualMetrics(framesAt(times), images);
  assert.ok(Math.abs((metrics['speedIndexMs'] ?? 0) - speedIndex) < 1e-6);
});

test('a page that goes back on its progress is charged for it', () => {
  const { metrics } = visualMetrics(framesAt([100, 200, 300]), [60, 20, 100].map(painted));
  assert.ok(Math.abs((metrics['speedIndexMs'] ?? 0) - (100 + 100 * 0.4 + 100 * 0.8)) < 1);
});

test('one frame counts as painted at once', () => {
  const { metrics } = visualMetrics(framesAt([250]), [painted(40)]);
  assert.equal(metrics['speedIndexMs'], 250);
  assert.equal(metrics['visualComplete85Ms'], 250);
});

test('frames before navigation start do not count', () => {
  const late = visualMetrics(framesAt([-30, 250]), [painted(100), painted(40)]);
  assert.equal(late.metrics['speedIndexMs'], 250);
  const none = visualMetrics(framesAt([-30]), [painted(100)]);
  assert.equal(none.metrics['speedIndexMs'], null);
  assert.match(none.warnings.join(), /no frame after navigation start/);
});

test('a viewport that was painted before it was navigated has no Speed Index', () => {
  const { metrics, warnings } = visualMetrics(framesAt([0, 300]), [painted(100), painted(100)]);
  assert.equal(metrics['speedIndexMs'], null);
  assert.match(warnings.join(), /painted before navigation start/);
});

test('frames are put in order of time, and repeated ones change nothing', () => {
  const images = [painted(100), painted(50), painted(50), painted(50)];
  const { metrics } = visualMetrics(framesAt([400, 100, 200, 300]), images);
  assert.ok(Math.abs((metrics['speedIndexMs'] ?? 0) - (100 + 300 * 0.5)) < 1);
});

test('a page that stays blank has no Speed Index, and a warning says so', () => {
  const { metrics, warnings } = visualMetrics(framesAt([0, 100]), [painted(0), painted(0)]);
  assert.deepEqual(Object.values(metrics), [null, null, null]);
  assert.match(warnings.join(), /nothing was ever painted/);
});

for (const [what, frames, images, words] of [
  ['no frames at all', [], [], /no frame after navigation start/],
  ['a client without frames', null, [], /gives no frames/],
  ['frames whose images are gone', framesAt([1, 2]), [painted(100)], /2 frames are named but 1 images/],
  ['a broken image', framesAt([1]), [Uint8Array.from([1, 2, 3])], /could not be read/],
] as const) {
  test(`${what}: null with a warning`, () => {
    const result = visualMetrics(frames, images);
    assert.equal(result.metrics['speedIndexMs'], null);
    assert.match(result.warnings.join(), words);
  });
}
