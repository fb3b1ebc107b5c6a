import { join } from 'node:path';
import { benchRow, rowsOrReason, type BenchRow } from '../../../harness/bench/bench-row.ts';
import { turnedRounds } from '../../../harness/bench/turned-rounds.ts';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { replicaWorkloads } from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { PreparedWorkload, Workload } from '../../core/model/workload.ts';
import { closeCpuShares, openCpuShares } from '../preflight/open-cpu-shares.ts';
import { prepareContextOf } from '../run/prepare-run.ts';
import { plannedTrial, withRunner, type RunnerBenchOptions } from './bench-runner.ts';

const group = 'replica work';
const protocol = 'h2';
const halfCpu = '50%';

interface Round {
  readonly wholeMs: number;
  readonly halfMs: number;
}

/**
 * How long the main thread is busy with the scripts of the replica that works most for its size, besides what they were
 * planned to take: on a whole CPU, which shows whether this machine was judged right, and on half of one, which shows that it is
 * work and not time. One round before them is not counted.
 */
export async function replicaWork(
  options: RunnerBenchOptions,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  const replica = busiestReplica();
  const plannedMs = plannedMsOf(replica);
  const workload = await replica.prepare(prepareContextOf(options.setup, options.port));
  const rows: BenchRow[] = [];
  for (const client of clients.filter(({ family }) => family === 'chromium')) {
    const subject = `${replica.id}, ${client.id}`;
    const measure = async (): Promise<BenchRow[]> =>
      rowsOf(subject, plannedMs, await roundsWith(options, client, workload));
    rows.push(...(await rowsOrReason({ group, subject, quantity: 'long tasks' }, options.signal, measure)));
  }
  return rows;
}

function busiestReplica(): Workload {
  const share = (replica: Workload): number => plannedMsOf(replica) / (replica.facts.objectCount ?? Infinity);
  const [most] = replicaWorkloads().toSorted((a, b) => share(b) - share(a));
  if (most === undefined) throw new H2h3Error('internal', 'no replica ships');
  return most;
}

const plannedMsOf = ({ facts }: Workload): number => facts.syntheticDelayMs ?? 0;

async function roundsWith(
  options: RunnerBenchOptions,
  client: ClientIdentity,
  workload: PreparedWorkload,
): Promise<Round[]> {
  const { setup, tempDir, repetitions, progress, serverProvider, signal } = options;
  const runDir = join(tempDir, `replica-work-${client.id}`);
  const cpuShares = await openCpuShares(
    [{ factors: { protocol, cpu: halfCpu } }],
    `bench-${process.pid}`,
    setup,
  );
  let count = 0;
  try {
    return await withRunner(options, { client, workload, runDir, cpuShares }, async (runner) => {
      const busyMs = async (cpu: string | undefined): Promise<number> => {
        signal.throwIfAborted();
        const factors = { protocol, ...(cpu === undefined ? {} : { cpu }) } as const;
        const server = serverProvider.id;
        const trial = plannedTrial(count++, {
          client,
          workload,
          server,
          factors,
          instrumentation: 'uninstrumented',
        });
        const outcome = await runner.run({ trial }, []);
        const tasks = outcome.kind === 'measured' ? outcome.raw.timings?.longTasks : undefined;
        if (!Array.isArray(tasks)) throw new H2h3Error('process-failed', 'the browser told no long tasks');
        return tasks.reduce((sum, { durationMs }) => sum + durationMs, 0);
      };
      const cpus = [undefined, halfCpu];
      const rounds = { counted: repetitions, warmUps: 1 };
      const samples = await turnedRounds(cpus, rounds, (cpu, words) => {
        progress(`${client.id}, ${workload.id}, ${words}`);
        return busyMs(cpu);
      });
      const [whole = [], half = []] = cpus.map((cpu) => samples.get(cpu));
      return whole.map((wholeMs, round) => ({ wholeMs, halfMs: half[round] ?? Number.NaN }));
    });
  } finally {
    await closeCpuShares(cpuShares);
  }
}

function rowsOf(subject: string, plannedMs: number, rounds: readonly Round[]): BenchRow[] {
  const row = (quantity: string, unit: string, valueOf: (round: Round) => number): BenchRow =>
    benchRow({ group, subject, quantity, unit, values: rounds.map(valueOf) });
  return [
    row(`long tasks, ${plannedMs} ms planned`, 'ms', ({ wholeMs }) => wholeMs),
    row('against what was planned', '×', ({ wholeMs }) => wholeMs / plannedMs),
    row('with half a CPU against a whole one', '×', ({ wholeMs, halfMs }) => halfMs / wholeMs),
  ];
}
