/**
 * `npm run fuzz [-- --inputs 2000 --seed 1 --reader har]`: gives every reader mutated inputs, each reader in a process of
 * its own with limits of memory and time. Prints a table; inputs that are faults are kept in `.h2h3/fuzz/`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { projectDir } from '../support/cli.ts';
import { fuzzReader } from './fuzz-reader.ts';
import { readers } from './readers.ts';

const memoryLimitMegabytes = 512;
const readerLimitMs = 10 * 60_000;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    reader: { type: 'string' },
    /** Set by this program for the process of one reader. */
    inside: { type: 'boolean', default: false },
  },
});
const inputs = Number(values.inputs);
const seed = Number(values.seed);

interface Row {
  readonly inputs: number;
  readonly accepted: number;
  readonly faults: number;
  readonly slowestMs: number;
  readonly peakMegabytes: number;
}

/** In the process of one reader: prints a line of JSON. */
async function fuzzInside(id: string): Promise<void> {
  const reader = readers.find((one) => one.id === id);
  if (!reader) throw new Error(`no reader ${id}`);
  const { accepted, faults, slowestMs } = await fuzzReader(reader, { seed, to: inputs });
  const folder = join(projectDir, '.h2h3', 'fuzz');
  if (faults.length > 0) mkdirSync(folder, { recursive: true });
  for (const { index, what, input } of faults) {
    const file = join(folder, `${id}-${seed}-${index}`);
    writeFileSync(file, input);
    process.stderr.write(`${file}: ${what}\n`);
  }
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const row: Row = { inputs, accepted, faults: faults.length, slowestMs, peakMegabytes };
  process.stdout.write(`\nresult ${JSON.stringify(row)}\n`);
}

function fuzzOutside(id: string): Promise<Row | null> {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${memoryLimitMegabytes}`,
      '--disable-warning=ExperimentalWarning',
      import.meta.filename,
      ...['--inside', '--reader', id, '--inputs', String(inputs), '--seed', String(seed)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: readerLimitMs, killSignal: 'SIGKILL' },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const line = /^result (.*)$/m.exec(said)?.[1];
      resolve(line === undefined ? null : (JSON.parse(line) as Row));
    });
  });
}

async function main(): Promise<void> {
  if (values.inside) return fuzzInside(values.reader ?? '');
  const chosen = readers.filter(({ id }) => values.reader === undefined || id === values.reader);
  const rows: string[][] = [];
  let ok = chosen.length > 0;
  for (const { id } of chosen) {
    const row = await fuzzOutside(id);
    ok &&= row !== null && row.faults === 0;
    rows.push(
      row === null
        ? [id, String(inputs), '', 'ended by a limit or a crash', '', '']
        : [
            ...[id, String(row.inputs), String(row.accepted), String(row.faults)],
            ...[row.slowestMs.toFixed(0), row.peakMegabytes.toFixed(0)],
          ],
    );
  }
  process.stdout.write(
    `${formatTable([['reader', 'inputs', 'read', 'faults', 'slowest (ms)', 'peak memory (MB)'], ...rows])}\n`,
  );
  process.exitCode = ok ? 0 : 1;
}

await main();
