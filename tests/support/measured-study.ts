import assert from 'node:assert/strict';
import { publishedResults } from '../../src/analyse/studies/published-results.ts';
import { measuredRun } from '../../src/analyse/studies/study-run.ts';
import type { PublishedFigure, PublishedResult } from '../../src/core/model/published.ts';
import type { StudyCell } from '../../src/core/model/study-run.ts';
import { generateRun } from './generated-run.ts';
import { plannedStudyRun } from './planned-study-run.ts';

/** A published result; tests alter it. */
export const figure: PublishedFigure = {
  study: 'Somebody et al. 2024',
  experiment: 'a download',
  metric: 'throughputMbps',
  figure: '20 % lower',
  machine: 'a fast one',
  source: 'figure 9',
  expects: 'worse',
};

/** Two workloads over two networks, HTTP/2 and HTTP/3. */
export const { plan } = generateRun({
  workloads: [
    { id: 'small', kind: 'download' },
    { id: 'large', kind: 'download' },
  ],
  networks: ['slow', 'fast'],
});

/** Rates of 100, times what a place and an arm have of these factors. */
export function measured(
  of: Partial<PublishedFigure>,
  factor: (cell: StudyCell, block: number) => number | null,
  alter: (cell: StudyCell) => StudyCell = (cell) => cell,
): PublishedResult {
  const planned = plannedStudyRun(plan, {
    value: (cell, metric, block) => {
      if (metric !== 'throughputMbps' && metric !== 'connectMs') return null;
      const by = factor(cell, block);
      return by === null
        ? null
        : 100 * by * (1 + 0.002 * ((block * 7 + cell.arm.length + cell.workload.length) % 5));
    },
  });
  const run = { ...planned, cells: planned.cells.map(alter) };
  const [result] = publishedResults([{ ...figure, ...of }], measuredRun(run));
  assert.ok(result !== undefined);
  return result;
}

/** A factor of HTTP/3 alone. */
export const ofH3 = (factor: number) => (cell: StudyCell) => (cell.arm === 'h3' ? factor : 1);
