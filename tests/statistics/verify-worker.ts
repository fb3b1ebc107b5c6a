import { parentPort } from 'node:worker_threads';
import { errorCells, nightCells, planningCells, spreadCells } from './cells.ts';
import { simulateNights } from './simulate-nights.ts';
import { simulatePlanning } from './simulate-planning.ts';
import { simulateSpread } from './simulate-spread.ts';
import { shareText, simulate } from './simulate.ts';
import type { Task } from './verify-statistics.ts';

/** One line of a table: what was simulated, and its figures. */
function lineOf({ table, index, runs }: Task): string[] {
  if (table === 'errors') return errorLine(index, runs);
  if (table === 'spread') return spreadLine(index, runs);
  return table === 'planning' ? planningLine(index, runs) : nightLine(index, runs);
}

function errorLine(index: number, runs: number): string[] {
  const cell = errorCells[index];
  if (cell === undefined) return [];
  const rates = simulate(cell, runs, index + 1);
  const { verdicts, vetoed, coverage, shownCoverage, intervals, meanBlocks, meanTrials } = rates;
  return [
    cell.name,
    shareText(verdicts.better + verdicts.worse, runs),
    shareText(verdicts.equivalent, runs),
    shareText(verdicts.mixed, runs),
    vetoed === 0 ? '0' : shareText(vetoed, runs),
    shareText(Math.round(coverage * intervals), intervals),
    shareText(Math.round(shownCoverage * intervals), intervals),
    meanBlocks.toFixed(1),
    meanTrials.toFixed(0),
  ];
}

function planningLine(index: number, runs: number): string[] {
  const cell = planningCells[index];
  if (cell === undefined) return [];
  const { needed, decided, covered, open } = simulatePlanning(cell, runs, index + 1);
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  return [
    `${cell.test}, ${cell.noise}`,
    `+${percent(cell.ratio - 1)}, ${cell.spread}, ${cell.comparisons}`,
    `${needed ?? 'more than 200'}`,
    needed === null ? '' : shareText(decided, runs),
    shareText(covered, open),
  ];
}

function nightLine(index: number, runs: number): string[] {
  const cell = nightCells[index];
  if (cell === undefined) return [];
  const { found, placed } = simulateNights(cell, runs, 1);
  const { nights, memory, step } = cell;
  return [
    `${nights}`,
    `${memory}`,
    `${step}`,
    shareText(found, runs),
    step === 0 ? '' : shareText(placed, runs),
  ];
}

function spreadLine(index: number, runs: number): string[] {
  const cell = spreadCells[index];
  if (cell === undefined) return [];
  const found = simulateSpread(cell, runs, index + 1);
  return [
    cell.noise,
    `${cell.blocks}`,
    `${cell.shared}`,
    `${cell.ratio}`,
    ...Object.values(found).map((count) => shareText(count, runs)),
  ];
}

parentPort?.on('message', (task: Task) => parentPort?.postMessage({ task, line: lineOf(task) }));
