import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bufferBased,
  bufferBasedIndex,
  bufferBasedSizes,
  rateMapKbps,
} from '../../../../video/abr/buffer-based.ts';

/** Section 4 of the paper: 240 s of buffer, 90 s reservoir, the top reached at 90 % of the buffer. */
const paper = { reservoirSeconds: 90, cushionSeconds: 126 };
const rates = [235, 375, 560, 750, 1050, 1750, 2350, 3000];

const choose = (bufferSeconds: number, previousIndex: number | null): number =>
  bufferBasedIndex(
    {
      bitratesKbps: rates,
      bufferSeconds,
      previousIndex,
      bufferTargetSeconds: 240,
      chunkSeconds: 4,
      chunkThroughputsKbps: [],
    },
    paper,
  );

test('the rate map is linear over the cushion and flat outside it', () => {
  assert.equal(rateMapKbps(0, rates, paper), 235);
  assert.equal(rateMapKbps(90, rates, paper), 235);
  assert.equal(rateMapKbps(153, rates, paper), (235 + 3000) / 2);
  assert.equal(rateMapKbps(216, rates, paper), 3000);
  assert.equal(rateMapKbps(240, rates, paper), 3000);
});

test('within the reservoir the lowest rate is taken, above the cushion the highest', () => {
  assert.equal(choose(0, null), 0);
  assert.equal(choose(90, 7), 0);
  assert.equal(choose(216, 0), 7);
  assert.equal(choose(240, 3), 7);
});

test('the rate stays until the map crosses the next higher or lower one', () => {
  // At 100 s the map gives 454 kbit/s: between 375 (index 1) and 560 (index 2).
  assert.equal(choose(100, 1), 1);
  assert.equal(choose(100, 2), 2);
  // From the lowest it crosses 375, so the highest rate below 454 follows.
  assert.equal(choose(100, 0), 1);
  // From 750 it has crossed 560 from above, so the lowest rate above 454 follows.
  assert.equal(choose(100, 3), 2);
});

test('a fast growing buffer skips rates', () => {
  // At 190 s the map gives 2429 kbit/s; the highest rate below is 2350.
  assert.equal(choose(190, 0), 6);
});

test('reservoir and cushion keep the shares of the paper in a short buffer', () => {
  const sizes = bufferBasedSizes(8, 2);
  assert.equal(sizes.reservoirSeconds, 2.25);
  assert.equal(Number((sizes.reservoirSeconds + sizes.cushionSeconds).toFixed(9)), 5.4);
});

test('with more buffer the choice never falls', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 7 }),
      fc.double({ min: 0, max: 240, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      (previous, level, more) => {
        assert.ok(choose(level + more, previous) >= choose(level, previous));
      },
    ),
  );
});

test('the choice says the numbers behind it', () => {
  const { why, index } = bufferBased.decide({
    bitratesKbps: [20_000, 200_000],
    bufferSeconds: 4,
    previousIndex: 0,
    bufferTargetSeconds: 8,
    chunkSeconds: 2,
    chunkThroughputsKbps: [],
  });
  assert.equal(index, 0);
  assert.match(why, /buffer 4\.00 s, rate map 120000 kbit\/s/);
});
