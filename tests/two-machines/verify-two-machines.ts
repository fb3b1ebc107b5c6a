/**
 * `npm run verify:two-machines [-- --server-host lab@10.0.0.2 --repetitions 12 --network cable …]`: one plan with the server on this
 * machine and with it on another, which must agree in every direction that both decide, and an arm against itself on two machines, which
 * must be silent. Without `--server-host` the other is a machine in a box, which takes root. About 8 s a block.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import type { Comparison } from '../../src/core/model/summary.ts';
import { readRecords, readSummary, runCli } from '../support/cli.ts';
import { boxLack, startBox } from '../support/machine-in-a-box.ts';

const { values } = parseArgs({
  options: {
    'server-host': { type: 'string' },
    client: { type: 'string', default: 'embedded' },
    network: { type: 'string', default: 'cable' },
    workload: { type: 'string', default: 'download-1mb' },
    sites: { type: 'string', default: 'page-landing,page-agency' },
    repetitions: { type: 'string', default: '12' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { workload, sites, network, client, repetitions } = values;
const plan =
  `run --workload ${workload} --sites ${sites} --network ${network} --client ${client} --repetitions ${repetitions} --no-sequential --recorded 0`.split(
    ' ',
  );

type Run = readonly Comparison[];

const isDirection = ({ verdict }: Comparison): boolean => verdict === 'better' || verdict === 'worse';
const nameOf = ({ workload, network, metric, instrumentation }: Comparison): string =>
  [workload, network, metric, instrumentation].join(' ');

/** @throws Error where the run did not end well, or lost a trial */
async function measured(
  out: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Run> {
  const { code, stderr } = await runCli([...plan, ...words, '--out', out], environment);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  const lost = readRecords(out).filter(({ status }) => status !== 'ok');
  say(`${words.join(' ')}: ${readRecords(out).length} trials, ${lost.length} lost`);
  return readSummary(out).comparisons;
}

/** What both runs decide, and which way. */
function agreement(here: Run, there: Run): readonly (readonly [string, string, string, string])[] {
  return here.filter(isDirection).flatMap((one) => {
    const other = there.find((each) => nameOf(each) === nameOf(one));
    if (other === undefined || !isDirection(other)) return [];
    const same = other.verdict === one.verdict ? 'same' : 'OPPOSITE';
    return [[nameOf(one), one.verdict, other.verdict, same] as const];
  });
}

async function verify(
  folder: string,
  host: string,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const there = ['--server-host', host];
  const one = await measured(join(folder, 'one'), ['--arms', 'h2,h3'], environment);
  const two = await measured(join(folder, 'two'), ['--arms', 'h2,h3', ...there], environment);
  const aa = await measured(join(folder, 'aa'), ['--arms', 'h3,h3', ...there], environment);
  const rows = agreement(one, two);
  say(formatTable([['comparison', 'one machine', 'two machines', ''], ...rows]));
  const decided = (run: Run): number => run.filter(isDirection).length;
  const opposite = rows.filter((row) => row.at(-1) !== 'same').length;
  const alarms = aa.filter(({ primary }) => primary).filter(isDirection);
  say(
    `${decided(one)} directions decided on one machine, ${decided(two)} on two, ${rows.length} on both, ${opposite} opposite`,
  );
  say(
    `an arm against itself on two machines: ${alarms.length} of ${aa.filter(({ primary }) => primary).length} primary comparisons decided`,
  );
  return rows.length > 0 && opposite === 0 && alarms.length === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'h2h3-two-machines-'));
try {
  const host = values['server-host'];
  const lack = host === undefined ? boxLack() : null;
  if (lack !== null) throw new Error(lack);
  mkdirSync(join(folder, 'box'));
  const box = host === undefined ? await startBox(join(folder, 'box')) : undefined;
  try {
    process.exitCode = (await verify(folder, host ?? box?.host ?? '', box?.environment ?? {})) ? 0 : 1;
  } finally {
    await box?.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
