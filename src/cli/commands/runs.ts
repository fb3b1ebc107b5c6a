import type { Command } from 'commander';
import type { QueuedRun } from '../../app/workers/queued-runs.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';

interface QueueFlags {
  readonly workers: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 runs list --workers redis://lab:6379
  npx h2h3 runs withdraw 0d3c --workers redis://lab:6379   the run whose name begins so

A run is announced until its coordinator has taken in its last lease. One whose coordinator was killed waits for a day for
\`npx h2h3 run --resume DIR\`, and is then forgotten. What was measured stays in the results. An announcement that cannot be
used keeps no worker from other runs.`;

export const addRunsCommand: AddCommand = (program, context) => {
  const runs = program
    .command('runs')
    .description('runs that machines share over a queue: list them, withdraw one')
    .addHelpText('after', examples);
  addList(runs, context);
  addWithdraw(runs, context);
};

const workersOption = [
  '--workers <url>',
  'Redis or Valkey where the machines meet, such as redis://lab:6379',
] as const;

function addList(runs: Command, context: CommandContext): void {
  runs
    .command('list')
    .description('runs that are announced, with their leases')
    .requiredOption(...workersOption)
    .option('--json', 'print JSON only')
    .action(async ({ workers, json }: QueueFlags) => {
      const { listQueuedRuns } = await import('../../app/workers/queued-runs.ts');
      const found = await listQueuedRuns({ workers }, context);
      if (json === true) context.print(JSON.stringify({ runs: found }));
      else context.print(found.length === 0 ? 'no run is announced' : tableOf(found));
    });
}

function addWithdraw(runs: Command, context: CommandContext): void {
  runs
    .command('withdraw')
    .description('take a run out of the queue; what was measured stays in the results')
    .argument('<id>', 'name of the run, or how it begins')
    .requiredOption(...workersOption)
    .action(async (id: string, { workers }: QueueFlags) => {
      const { withdrawQueuedRun } = await import('../../app/workers/queued-runs.ts');
      const { runId } = await withdrawQueuedRun(id, { workers }, context);
      context.print(`the run ${runId} is withdrawn: its workers end, and none begins it`);
    });
}

const stateWords: Readonly<Record<QueuedRun['state'], string>> = {
  running: 'running',
  waiting: 'coordinator gone',
  expired: 'expired',
  unusable: 'unusable',
};

function tableOf(runs: readonly QueuedRun[]): string {
  return formatTable([
    ['run', 'state', 'h2h3', 'coordinator last heard', 'leases waiting', 'under way', 'to be taken in'],
    ...runs.map(({ runId, state, reason, version, renewedAt, leases }) => [
      runId,
      reason === undefined ? stateWords[state] : `unusable: ${reason}`,
      version ?? '',
      renewedAt ?? '',
      ...[leases?.waiting, leases?.active, leases?.ended].map((count) => String(count ?? '')),
    ]),
  ]);
}
