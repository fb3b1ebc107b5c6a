import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import { linkCourses } from '../../../../src/analyse/distributions/link-courses.ts';

const course = { direction: 'down', stepMs: 50, mbps: [1, 2], schedule: [] };
const record = (status: string, linkCourse?: typeof course) => ({ status, metrics: { linkCourse } });

function tableOf(h2: readonly unknown[], h3: readonly unknown[], step?: string): TrialTable {
  const byBlock = (records: readonly unknown[]) => new Map(records.map((one, block) => [block, one]));
  const condition = { workload: 'download-1mb', client: 'embedded', network: 'lift' };
  const recordsByArm = new Map([
    ['h2', byBlock(h2)],
    ['h3', byBlock(h3)],
  ]);
  return { conditions: [{ condition, blocks: [0, 1], recordsByArm, step }] } as unknown as TrialTable;
}

test('the first block is told in which every arm has its course', () => {
  const whole = record('ok', course);
  const { linkCourses: [told, ...more] = [] } = linkCourses(
    tableOf([whole, whole], [record('failed', course), whole]),
  );
  assert.deepEqual([told?.blockIndex, told?.arms.map(({ arm }) => arm), more], [1, ['h2', 'h3'], []]);
});

test('nothing is told of links without a schedule, nor of the steps of a journey', () => {
  const still = record('ok');
  assert.deepEqual(linkCourses(tableOf([still], [still])), {});
  const whole = record('ok', course);
  assert.deepEqual(linkCourses(tableOf([whole], [whole], 'search')), {});
});
