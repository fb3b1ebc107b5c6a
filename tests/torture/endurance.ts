/**
 * `npm run endurance [-- --trials 200 --network loopback]`: one long run, and what of it grows with every trial: memory,
 * descriptors and temporary files of the process that runs it, and time a trial. Prints a table of ten parts.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { readRecords, readRunFile, startCli } from '../support/cli.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '200' },
    network: { type: 'string', default: 'loopback' },
  },
});
const arms = 2;
const sampleEveryMs = 250;
const parts = 10;

interface Sample {
  /** Trials that were journalled by then. */
  readonly trials: number;
  readonly memoryMegabytes: number;
  readonly descriptors: number;
  readonly temporaryFiles: number;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? NaN;
}

function sampleOf(pid: number, runDir: string): Sample | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = readdirSync(tmpdir()).filter((name) => name.startsWith(`h2h3-${pid}-`));
    const files = own.flatMap((name) =>
      readdirSync(join(tmpdir(), name), { recursive: true, encoding: 'utf8' }),
    );
    return {
      trials: readRunFile(runDir, 'journal.jsonl').split('\n').length - 1,
      memoryMegabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      temporaryFiles: own.length + files.length,
    };
  } catch {
    return null; // the journal is not there yet, or the run has just ended
  }
}

const folder = mkdtempSync(join(tmpdir(), 'h2h3-endurance-'));
const runDir = join(folder, 'run');
try {
  const options = ['--workload', 'download-1mb', '--client', 'embedded', '--network', values.network];
  const blocks = Math.ceil(Number(values.trials) / arms);
  const cli = startCli([
    'run',
    ...options,
    '--repetitions',
    String(blocks),
    '--exploratory',
    '--out',
    runDir,
  ]);
  let isRunning = true;
  const ended = cli.result.finally(() => (isRunning = false));
  const samples: Sample[] = [];
  while (isRunning) {
    const sample = sampleOf(cli.child.pid ?? 0, runDir);
    if (sample !== null) samples.push(sample);
    await Promise.race([sleep(sampleEveryMs), ended]);
  }
  const { code, stderr } = await ended;
  if (code !== 0) process.stderr.write(stderr.slice(-2000));
  const records = readRecords(runDir);
  const size = Math.ceil(records.length / parts);
  const rows = Array.from({ length: parts }, (_, part) => {
    const from = part * size;
    const to = Math.min(records.length, (part + 1) * size);
    const then = samples.filter(({ trials }) => trials >= from && trials < to);
    const begun = records.slice(from, to).map(({ startedAt }) => Date.parse(startedAt));
    return {
      from,
      to,
      memoryMegabytes: median(then.map((one) => one.memoryMegabytes)),
      descriptors: median(then.map((one) => one.descriptors)),
      temporaryFiles: median(then.map((one) => one.temporaryFiles)),
      trialMs: median(begun.slice(1).map((startMs, index) => startMs - (begun[index] ?? NaN))),
    };
  });
  const header = ['trials', 'memory (MB)', 'descriptors', 'temporary files', 'time a trial (ms)'];
  const lines = rows.map((row) => [
    `${row.from + 1}–${row.to}`,
    row.memoryMegabytes.toFixed(0),
    String(row.descriptors),
    String(row.temporaryFiles),
    row.trialMs.toFixed(0),
  ]);
  const ok = records.filter(({ status }) => status === 'ok').length;
  process.stdout.write(
    `${formatTable([header, ...lines])}\n${ok} of ${records.length} trials ok, exit ${code}\n`,
  );
  process.exitCode = code ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
