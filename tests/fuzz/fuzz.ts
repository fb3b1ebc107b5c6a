/**
 * `npm run fuzz [-- --inputs 750 --seed 1 --reader har]`: gives every reader mutated inputs, each reader in a process of
 * its own with limits of memory and time. Prints a table with how much of each reader the inputs reach; inputs that are
 * faults are kept in `.h2h3/fuzz/`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { projectDir } from '../support/cli.ts';
import { startCoverage, type Coverage } from './reader-coverage.ts';
import type { GroupedReader } from './readers.ts';

const memoryLimitMegabytes = 512;
/** A reader that has not done with an input after this time hangs. */
const silenceLimitMs = 2 * 60_000;
/** As many readers at a time as there are CPUs for. */
const atOnce = 2;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '750' },
    seed: { type: 'string', default: '1' },
    reader: { type: 'string' },
    /** Set by this program for the process of one reader. */
    group: { type: 'string' },
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
  readonly coverage: Coverage;
}

/** In the process of one reader: prints a line of JSON. */
async function fuzzInside(group: string, id: string): Promise<void> {
  const coverageOf = await startCoverage();
  // Loaded after counting began, so that all of them is counted.
  const [{ loadReaders }, { fuzzReader }] = await Promise.all([
    import('./readers.ts'),
    import('./fuzz-reader.ts'),
  ]);
  const reader = (await loadReaders(group)).map((one) => one.reader).find((one) => one.id === id);
  if (!reader) throw new Error(`no reader ${id}`);
  const { accepted, faults, slowestMs } = await fuzzReader(reader, {
    seed,
    to: inputs,
    done: () => void process.stdout.write('.'),
  });
  const folder = join(projectDir, '.h2h3', 'fuzz');
  if (faults.length > 0) mkdirSync(folder, { recursive: true });
  for (const { index, what, input } of faults) {
    const file = join(folder, `${id}-${seed}-${index}`);
    writeFileSync(file, input);
    process.stderr.write(`${file}: ${what}\n`);
  }
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const coverage = await coverageOf(reader.modules);
  const row: Row = { inputs, accepted, faults: faults.length, slowestMs, peakMegabytes, coverage };
  process.stdout.write(`\nresult ${JSON.stringify(row)}\n`);
}

function fuzzOutside({ group, reader: { id } }: GroupedReader): Promise<Row | null> {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${memoryLimitMegabytes}`,
      '--disable-warning=ExperimentalWarning',
      import.meta.filename,
      '--group',
      group,
      '--reader',
      id,
      '--inputs',
      String(inputs),
      '--seed',
      String(seed),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  const silence = setTimeout(() => child.kill('SIGKILL'), silenceLimitMs);
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    silence.refresh();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(silence);
      const line = /^result (.*)$/m.exec(said)?.[1];
      resolve(line === undefined ? null : (JSON.parse(line) as Row));
    });
  });
}

/** Fuzzes readers, some at a time; rows by id. */
async function fuzzAll(readers: readonly GroupedReader[]): Promise<ReadonlyMap<string, Row | null>> {
  const rows = new Map<string, Row | null>();
  const left = [...readers];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      rows.set(next.reader.id, await fuzzOutside(next));
      process.stderr.write(`${rows.size} of ${readers.length} readers: ${next.reader.id}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return rows;
}

const percent = (share: number, of: number): string =>
  of === 0 ? '–' : String(Math.round((100 * share) / of));

function rowOf(id: string, row: Row | null): string[] {
  if (row === null) return [id, String(inputs), '', 'ended by a limit or a crash', '', '', ''];
  const { coverage } = row;
  return [
    id,
    String(row.inputs),
    String(row.accepted),
    String(row.faults),
    row.slowestMs.toFixed(0),
    row.peakMegabytes.toFixed(0),
    `${percent(coverage.reachedLines, coverage.lines)} (${coverage.reachedFunctions} of ${coverage.functions})`,
  ];
}

const head = [
  'reader',
  'inputs',
  'read',
  'faults',
  'slowest (ms)',
  'peak memory (MB)',
  'lines % (functions)',
];

async function main(): Promise<void> {
  if (values.group !== undefined) return fuzzInside(values.group, values.reader ?? '');
  const { loadReaders } = await import('./readers.ts');
  const chosen = (await loadReaders()).filter(({ reader: { id } }) =>
    [undefined, id].includes(values.reader),
  );
  const ids = chosen.map(({ reader: { id } }) => id);
  const rows = await fuzzAll(chosen);
  process.stdout.write(`${formatTable([head, ...ids.map((id) => rowOf(id, rows.get(id) ?? null))])}\n`);
  const done = [...rows.values()].filter((row) => row !== null);
  const faults = done.reduce((sum, row) => sum + row.faults, 0);
  const inLimits = done.every(({ peakMegabytes }) => peakMegabytes <= memoryLimitMegabytes);
  process.stdout.write(
    `${ids.length} readers, ${done.length * inputs} inputs, ${faults} faults, ${ids.length - done.length} ended by a limit or a crash${inLimits ? '' : `, more than ${memoryLimitMegabytes} MB taken`}\n`,
  );
  const ok = ids.length > 0 && done.length === ids.length && faults === 0 && inLimits;
  process.exitCode = ok ? 0 : 1;
}

await main();
