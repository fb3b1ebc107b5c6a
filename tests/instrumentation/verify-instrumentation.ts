/**
 * Sees that timed trials tell what recorded ones tell, and raise no alarm of their own:
 *
 *     npm run verify:instrumentation [-- --part counts|alike] [--client embedded,firefox] [--folder DIR]
 *
 * `counts`: 28 sites, timed and recorded over both protocols, have as many objects and hosts each way. `alike`: of two equal arms,
 * loading the pages of the preset `web` and a page that the CPU limits, no primary comparison finds a difference.
 * Both take about half an hour; the folder is kept where it is named, and finished runs in it are not made again.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pageWorkloads, replicaWorkloads } from '../../sites/index.ts';
import { type Summary } from '../../src/core/model/summary.ts';
import { readRecords, readSummary, startCli } from '../support/cli.ts';
import { countsApart, differencesFound } from '../support/instrumentation-checks.ts';

const parts = ['counts', 'alike'] as const;
const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: [...parts] },
    client: { type: 'string', default: 'embedded,firefox' },
    folder: { type: 'string' },
  },
});
const siteCount = 28;
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-instrumentation-'));
const folder = values.folder ?? temporary;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Every real page, and replicas of all sizes. */
function sites(): string[] {
  const pages = pageWorkloads().map(({ id }) => id);
  const bySize = replicaWorkloads().toSorted((a, b) => (a.facts.wireBytes ?? 0) - (b.facts.wireBytes ?? 0));
  const wanted = siteCount - pages.length;
  const replicas = Array.from(
    { length: wanted },
    (_, at) => bySize[Math.floor((at * bySize.length) / wanted)],
  );
  return [...pages, ...replicas.flatMap((replica) => replica?.id ?? [])];
}

/** The replica whose scripts work most for its size: what it takes is the CPU's time, over either protocol. */
function busiest(): string {
  const share = ({ facts }: ReturnType<typeof replicaWorkloads>[number]): number =>
    (facts.syntheticDelayMs ?? 0) / (facts.objectCount ?? Infinity);
  return replicaWorkloads().toSorted((a, b) => share(b) - share(a))[0]?.id ?? '';
}

/** Where a run lies that is over. @throws Error where it cannot be made */
async function run(name: string, words: readonly string[]): Promise<string> {
  const out = join(folder, name);
  if (existsSync(join(out, 'summary.json'))) return out;
  const startMs = performance.now();
  const begun = existsSync(join(out, 'plan.json'));
  const { child, result } = startCli(begun ? ['run', '--resume', out] : ['run', ...words, '--out', out]);
  child.stderr?.pipe(process.stderr);
  const { code, stdout } = await result;
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1);
  say(`${stdout}\n${name}: ended with ${code} after ${minutes} min, load ${os.loadavg()[0]?.toFixed(1)}`);
  return out;
}

function summaryOf(out: string): Summary {
  return readSummary(out);
}

async function counts(client: string): Promise<string[]> {
  const chosen = sites();
  const once = ['--repetitions', '1', '--recorded', 'all', '--exploratory'];
  const out = await run(`counts-${client}`, [
    '--sites',
    chosen.join(','),
    '--client',
    client,
    '--arms',
    'h2,h3',
    ...once,
  ]);
  const records = readRecords(out);
  const apart = countsApart(records);
  say(`${client}: ${records.length} loads of ${chosen.length} sites, ${apart.length} differences`);
  return apart;
}

async function alike(client: string): Promise<string[]> {
  const pages = {
    web: ['web'],
    busy: ['--sites', busiest(), '--set', 'cpu=50%', '--repetitions', '8', '--recorded', '1'],
  };
  const found: string[] = [];
  for (const [name, words] of Object.entries(pages))
    for (const protocol of ['h2', 'h3'])
      found.push(
        ...(await alarmsOf(`alike-${name}-${protocol}-${client}`, [
          ...words,
          '--client',
          client,
          '--arms',
          `${protocol},${protocol}`,
        ])),
      );
  return found;
}

async function alarmsOf(name: string, words: readonly string[]): Promise<string[]> {
  const summary = summaryOf(await run(name, words));
  const primaries = summary.comparisons.filter(({ primary }) => primary);
  say(
    `${name}: ${primaries.map(({ workload, blocks, verdict }) => `${workload}, ${blocks} blocks: ${verdict}`).join('; ')}`,
  );
  if (primaries.length === 0) return [`${name} has no primary comparison`];
  return differencesFound(summary).map((line) => `${name}: ${line}`);
}

const wrong: string[] = [];
try {
  for (const client of values.client.split(',')) {
    if (values.part.includes('counts')) wrong.push(...(await counts(client)));
    if (values.part.includes('alike')) wrong.push(...(await alike(client)));
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
say(wrong.length === 0 ? 'no difference' : wrong.join('\n'));
process.exitCode = wrong.length === 0 ? 0 : 1;
