import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameGroups } from '../../../../reports/html/frame-spreads.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { broadcasts } from '../../../../reports/html/sections/broadcasts.ts';
import { lowestDelays } from '../../../../src/analyse/distributions/frame-distributions.ts';
import type { FrameSpread } from '../../../../src/core/model/frame-spread.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

const spread = (arm: string, more: Partial<FrameSpread> = {}): FrameSpread => ({
  workload: 'video-clock-1s-own-live-delay300ms',
  client: 'chromium',
  network: 'cable',
  server: 'caddy',
  arm,
  trials: 6,
  delayTargetMs: 300,
  shown: 2000,
  late: 3,
  lost: 1,
  seconds: 72,
  stalledSeconds: 0,
  quantilesMs: [310, 330, 500],
  blockIndex: 2,
  samples: [
    [900, 330],
    [933, 331],
  ],
  stalls: [],
  ...more,
});

const dash = spread('h3', { stalledSeconds: 4 });
const moq = spread('h3+player=moqwatch');
const later = (before: FrameSpread, delayTargetMs: number, stalledSeconds: number): FrameSpread => ({
  ...before,
  workload: `video-clock-1s-own-live-delay${delayTargetMs}ms`,
  delayTargetMs,
  stalledSeconds,
});

const sectionOf = (frames: FrameSpread[]): string =>
  broadcasts(reportContext({ ...summaryFixture({}), frames, lowestDelays: lowestDelays(frames) })).text;

test('the arms of a broadcast are drawn together', () => {
  const [group, ...others] = frameGroups(reportContext({ ...summaryFixture({}), frames: [dash, moq] }));
  assert.equal(others.length, 0);
  assert.deepEqual(
    group?.arms.map(({ arm, lost, block }) => [arm, lost, block]),
    [
      ['h3', 1, 'block 3'],
      ['h3+player=moqwatch', 1, 'block 3'],
    ],
  );
});

test('broadcasts of several delays are groups of their own', () => {
  const frames = [dash, moq, later(dash, 600, 0), later(moq, 600, 0)];
  const groups = frameGroups(reportContext({ ...summaryFixture({}), frames }));
  assert.deepEqual(
    groups.map(({ title, arms }) => [/(\d+ ms behind)/.exec(title)?.[1], arms.length]),
    [
      ['300 ms behind', 2],
      ['600 ms behind', 2],
    ],
  );
});

test('the section counts frames and stalled seconds, and has nothing to say of other runs', () => {
  assert.match(sectionOf([dash, moq]), /4 of 72/);
  assert.doesNotMatch(sectionOf([dash, moq]), /from a delay of/);
  assert.equal(sectionOf([]), '');
});

test('of several delays the lowest is named at which fewer than 1 % of seconds stall', () => {
  const text = sectionOf([dash, moq, later(dash, 600, 1), later(moq, 600, 0), later(dash, 1200, 0)]);
  assert.match(
    text,
    /from a delay of 1200 ms on \(tried: 300, 600, 1200 ms\)\. There 0 of 72 seconds stalled/,
  );
  assert.match(text, /from a delay of 300 ms on \(tried: 300, 600 ms/);
});

test('a delay that stalls above one that did not makes the lower one luck', () => {
  assert.match(sectionOf([moq, later(moq, 600, 3), later(moq, 1200, 0)]), /from a delay of 1200 ms on/);
  assert.match(sectionOf([dash, later(dash, 600, 3)]), /1 % of seconds or more at every delay tried/);
});
