import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { errorCells, nightCells, planningCells, spreadCells } from './cells.ts';
import { spreadTests } from './simulate-spread.ts';

/** One cell of a table to simulate. */
export interface Task {
  readonly table: 'errors' | 'planning' | 'nights' | 'spread';
  readonly index: number;
  readonly runs: number;
}

interface Answer {
  readonly task: Task;
  readonly line: readonly string[];
}

const headings: Readonly<Record<Task['table'], readonly string[]>> = {
  errors: [
    'cell',
    'any better or worse',
    'any equivalent',
    'any mixed',
    'withheld for losses',
    'coverage of 95 %',
    'coverage of the interval shown',
    'mean blocks',
    'mean trials',
  ],
  planning: [
    'test, noise',
    'truth, spread, comparisons',
    'blocks needed',
    'decided with so many',
    'range of eight blocks holds them',
  ],
  nights: [
    'nights',
    'autocorrelation',
    'step, standard deviations',
    'any change',
    'change within a night of the step',
  ],
  spread: ['noise', 'blocks', 'shared by a block', 'spread', ...Object.keys(spreadTests)],
};

const sizes: Readonly<Record<Task['table'], number>> = {
  errors: errorCells.length,
  planning: planningCells.length,
  nights: nightCells.length,
  spread: spreadCells.length,
};
const allTables = ['errors', 'planning', 'nights', 'spread'] as const;

/**
 * Runs of each cell, and the tables that are wanted: `verify:statistics -- 250 errors nights`. Any other word names the cells of
 * error rates that have it: `verify:statistics -- 1000 audience`.
 */
const [runsArgument = '1000', ...wanted] = process.argv.slice(2);
const runs = Number(runsArgument);
const isTable = (word: string): boolean => allTables.some((table) => table === word);
const names = wanted.filter((word) => !isTable(word));
const tables = allTables.filter(
  (table) => wanted.length === 0 || wanted.includes(table) || (table === 'errors' && names.length > 0),
);
const isWanted = ({ table, index }: Task): boolean =>
  table !== 'errors' || names.every((name) => errorCells[index]?.name.includes(name) === true);
const tasks = tables.flatMap((table) =>
  Array.from({ length: sizes[table] }, (_, index): Task => ({ table, index, runs })).filter(isWanted),
);

/** All cells on all CPUs, each in a worker that takes the next one when it is done. */
async function simulateAll(): Promise<Map<Task, readonly string[]>> {
  const lines = new Map<Task, readonly string[]>();
  const left = [...tasks];
  const work = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let now: Task | undefined;
      const next = (): void => {
        now = left.shift();
        if (now === undefined) resolve();
        else worker.postMessage(now);
      };
      worker.on('error', reject);
      worker.on('message', ({ line }: Answer) => {
        if (now !== undefined) lines.set(now, line);
        process.stderr.write(`${lines.size} of ${tasks.length}: ${line.slice(0, 4).join(' | ')}\n`);
        next();
      });
      next();
    });
  const workers = Array.from(
    { length: Math.min(availableParallelism(), tasks.length) },
    () => new Worker(new URL('./verify-worker.ts', import.meta.url)),
  );
  await Promise.all(workers.map(work));
  await Promise.all(workers.map((worker) => worker.terminate()));
  return lines;
}

const row = (fields: readonly string[]): string => `| ${fields.join(' | ')} |\n`;
const lines = await simulateAll();
for (const table of tables) {
  process.stdout.write(row(headings[table]) + row(headings[table].map(() => '---')));
  for (const task of tasks) if (task.table === table) process.stdout.write(row(lines.get(task) ?? []));
  process.stdout.write('\n');
}
