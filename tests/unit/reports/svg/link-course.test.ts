import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkCourseSvg, stretchWords } from '../../../../reports/svg/link-course.ts';
import type { LinkCourses } from '../../../../src/core/model/link-courses.ts';

const schedule: LinkCourses['arms'][number]['schedule'] = [
  { fromMs: 1000, toMs: 2000, outage: true },
  { fromMs: 3000, toMs: 4000, delayMs: 60, lossPercent: 1 },
];
const courses: LinkCourses = {
  workload: 'download-1mb',
  client: 'embedded',
  network: 'lift',
  blockIndex: 0,
  arms: ['h2', 'h3<x>'].map((arm) => ({
    arm,
    direction: 'down',
    stepMs: 1000,
    mbps: [10, 0, 8, 4],
    schedule,
  })),
};

test('each arm has a row with its rate over what was in force, on one time axis', () => {
  const svg = linkCourseSvg(courses, (arm) => `arm ${arm}`);
  assert.equal(svg.match(/class="lc-rate"/g)?.length, 2);
  assert.equal(svg.match(/class="lc-out"/g)?.length, 2);
  assert.equal(svg.match(/class="lc-set"/g)?.length, 2);
  assert.match(svg, /arm h3&lt;x&gt;/);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
  // The outage is a quarter of the time, after the first quarter.
  assert.match(svg, /class="lc-out" x="214\.5" y="0" width="168\.5"/);
});

test('delay and loss have rows of their own, with what was planned as lines', () => {
  const measured = { delayMs: [20, null, 21, 65], lossPercent: [0, 100, 0, 1] };
  const arms = courses.arms.map((arm) => ({ ...arm, ...measured }));
  const svg = linkCourseSvg({ ...courses, arms }, String);
  assert.equal(svg.match(/class="lc-rate"/g)?.length, 6);
  assert.equal(svg.match(/>delay, ms</g)?.length, 2);
  assert.equal(svg.match(/>loss, %</g)?.length, 2);
  // The delay that is set for the last second, and all or one of a hundred lost.
  assert.equal(svg.match(/class="lc-plan"/g)?.length, 4);
  assert.equal(svg.match(/class="lc-out"/g)?.length, 6);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
});

test('what is in force is said in words', () => {
  assert.deepEqual(schedule.map(stretchWords), [
    '1 to 2 s: nothing passes',
    '3 to 4 s: 60 ms one way, 1 % loss',
  ]);
});

test('a course of nothing is drawn without a fault', () => {
  const none = { ...courses, arms: courses.arms.map((arm) => ({ ...arm, mbps: [0] })) };
  assert.doesNotMatch(linkCourseSvg(none, String), /NaN|Infinity/);
});
