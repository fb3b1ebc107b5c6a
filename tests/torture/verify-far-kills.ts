/**
 * `npm run verify:far-kills [-- --strikes 20 --seed 1 --role clients]`: a machine in a box has the servers of runs, or the clients; ssh,
 * the far program, what it started, the link, the coordinator and the far disk are struck at random moments, and runs are resumed. Takes
 * about 20 s a strike, and root.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { boxLack, startBox } from '../support/machine-in-a-box.ts';
import { farStrikeNames, strikeFarRuns } from './far-strikes.ts';

const { values } = parseArgs({
  options: {
    strikes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    role: { type: 'string', default: 'servers' },
    client: { type: 'string', default: 'embedded' },
    repetitions: { type: 'string', default: '20' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shellWords = (text: string): string[] => text.split(' ');
const lack = boxLack();
if (lack !== null) throw new Error(lack);
const folder = mkdtempSync(join(tmpdir(), 'h2h3-far-kills-'));
try {
  for (const name of ['box', 'runs']) mkdirSync(join(folder, name));
  const box = await startBox(join(folder, 'box'));
  try {
    const { kills, completedRuns, faults } = await strikeFarRuns(box, {
      run: shellWords(
        `--workload download-1mb --client ${values.client} --repetitions ${values.repetitions} --exploratory --quick-start --recorded 0`,
      ),
      names: farStrikeNames,
      role: values.role === 'clients' ? 'clients' : 'servers',
      instants: Number(values.strikes),
      seed: Number(values.seed),
      folder: join(folder, 'runs'),
    });
    say(formatTable([['struck', 'times'], ...Object.entries(kills).map(([name, n]) => [name, String(n)])]));
    say(`${completedRuns} runs complete, ${faults.length} faults`);
    faults.forEach(say);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await box.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
