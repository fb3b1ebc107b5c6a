import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridCells } from '../../../src/analyse/summary/grid-cells.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Comparison } from '../../../src/core/model/summary.ts';
import { definedNetworks, expandGrid, withGrid } from '../../../src/plan/expand-grid.ts';
import { planFileSchema } from '../../../src/plan/plan-file.ts';

const file = planFileSchema.parse({
  grid: { rateMbps: [5, 100], rttMs: [36], lossPercent: [0, 1], size: ['10kb', '1mb'], count: [1, 10] },
});

test('a grid crosses every rate, round trip and loss, and every size and count', () => {
  const { networks, workloads } = expandGrid(file.grid ?? assert.fail());
  assert.deepEqual(
    networks.map(({ id }) => id),
    ['grid-5mbit-36ms-0pct', 'grid-5mbit-36ms-1pct', 'grid-100mbit-36ms-0pct', 'grid-100mbit-36ms-1pct'],
  );
  assert.deepEqual(workloads, ['download-10kb', 'download-10kb-x10', 'download-1mb', 'download-1mb-x10']);
  const [slow, , fast] = networks;
  assert.equal(slow?.up.delayMs, 18);
  assert.equal(slow?.down.queueBytes, 30_000);
  assert.equal(fast?.down.queueBytes, 450_000);
});

test('a grid takes the place of networks and workloads and is exploratory', () => {
  const expanded = withGrid(file);
  assert.equal(expanded.networks.length, 4);
  assert.equal(expanded.workloads.length, 4);
  assert.equal(expanded.exploratory, true);
  assert.equal(definedNetworks(file).length, 4);
});

test('sizes, rates and losses that cannot be are refused', () => {
  for (const grid of [
    { rateMbps: [] },
    { rateMbps: [-1] },
    { rateMbps: [1], lossPercent: [101] },
    { rateMbps: [1], size: ['big'] },
    { rateMbps: [1], count: [0] },
  ])
    assert.equal(planFileSchema.safeParse({ grid }).success, false, JSON.stringify(grid));
});

test('a cell tells by how much the candidate is better, and whether that is significant', () => {
  const { grid } = expandGrid(file.grid ?? assert.fail());
  const comparison = {
    workload: 'download-1mb',
    network: 'grid-5mbit-36ms-1pct',
    client: 'chromium',
    server: 'caddy',
    metric: 'throughputMbps',
    primary: true,
    higherIsBetter: true,
    ratio: 1.25,
    adjustedPValue: 0.01,
    baseline: { arm: 'h2' },
    candidate: { arm: 'h3' },
  } as Comparison;
  const cells = gridCells(
    { grid } as Plan,
    [
      comparison,
      { ...comparison, workload: 'download-10kb', higherIsBetter: false, adjustedPValue: 0.2 },
      { ...comparison, primary: false },
    ],
    0.05,
  );
  assert.deepEqual(
    cells?.map(({ betterPercent, significant, rateMbps, lossPercent, sizeBytes, count }) => [
      betterPercent,
      significant,
      rateMbps,
      lossPercent,
      sizeBytes,
      count,
    ]),
    [
      [25, true, 5, 1, 1e6, 1],
      [-25, false, 5, 1, 1e4, 1],
    ],
  );
  assert.equal(gridCells({} as Plan, [comparison], 0.05), undefined);
});
