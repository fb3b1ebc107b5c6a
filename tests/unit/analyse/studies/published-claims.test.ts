import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedResults } from '../../../../src/analyse/studies/published-results.ts';
import { measuredRun } from '../../../../src/analyse/studies/study-run.ts';
import type { PublishedFigure, PublishedResult } from '../../../../src/core/model/published.ts';
import type { StudyCell } from '../../../../src/core/model/study-run.ts';
import { figure, measured, ofH3, plan } from '../../../support/measured-study.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

test('a change that was published as a range is judged by that range and the margin around it', () => {
  const minor = {
    expects: 'within',
    size: { percent: [-11, 0] },
    networks: ['slow'],
    workloads: ['small'],
  } satisfies Partial<PublishedFigure>;
  const at = (factor: number): PublishedResult => measured(minor, ofH3(factor));
  assert.equal(at(1).agreement, 'same', 'an end of the range is in it');
  assert.equal(at(0.95).agreement, 'same');
  assert.equal(at(1.3).agreement, 'other');
  assert.equal(at(0.7).agreement, 'other');
  const noisy = (cell: StudyCell, block: number): number =>
    cell.arm === 'h3' ? (block % 2 === 0 ? 0.8 : 1.2) : 1;
  const open = measured(minor, noisy);
  assert.equal(open.agreement, 'undecided');
  assert.match(open.price ?? '', /blocks/);
});

test('a claim about a level compares it with a constant, and no other arm has a say', () => {
  const half = {
    compare: ['h3', 'h3'],
    than: 50,
    networks: ['slow'],
    workloads: ['small'],
  } satisfies Partial<PublishedFigure>;
  const above = measured({ ...half, expects: 'better' }, ofH3(0.8));
  assert.equal(above.agreement, 'same');
  assert.match(above.ours[0]?.text ?? '', /^HTTP\/3 against 50 Mbit\/s: \+6\d %/);
  assert.equal(measured({ ...half, expects: 'better' }, ofH3(0.3)).agreement, 'other');
});

test('a claim says at how many of its conditions it was run, what it costs if at none, and is not judged by another question', () => {
  const run = plannedStudyRun(plan, { value: (cell) => (cell.arm === 'h3' ? 130 : 100) });
  const onlySlow = { ...run, cells: run.cells.filter(({ network }) => network === 'slow') };
  const scales = [
    { scale: 'quick', cells: onlySlow.cells, arms: run.arms, timeOver: () => '1 min' },
    {
      scale: 'standard',
      cells: run.cells,
      arms: run.arms,
      timeOver: (networks: readonly string[]) => `${networks.length} h`,
    },
  ];
  const [some, none, other] = publishedResults(
    [
      { ...figure, expects: 'better' },
      { ...figure, expects: 'better', networks: ['fast'] },
      { ...figure, expects: 'better', instead: 'another server' },
    ],
    measuredRun(onlySlow),
    scales,
  );
  assert.deepEqual([some?.agreement, some?.part], ['same', { here: 2, all: 4 }]);
  assert.deepEqual(
    [none?.agreement, none?.price],
    ['not measured', '--scale standard --network fast, about 1 h'],
  );
  assert.deepEqual(
    [other?.agreement, other?.ours.length, other?.price],
    ['not measured', 2, 'no scale has it'],
  );
  assert.ok(other?.ours.every(({ outcome }) => outcome === 'none'));
});
