/**
 * `npm run torture [-- --instants 200 --seed 1]`: kills random processes of runs over loopback and over a shaped path,
 * resumes them, and prints what was killed and what was wrong. Takes about 6 s an instant.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { torture, victims, victimsOverLoopback } from './torture-run.ts';

const { values } = parseArgs({
  options: {
    instants: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    network: { type: 'string', multiple: true, default: ['loopback', 'fiber-300'] },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'h2h3-torture-'));
const rows: string[][] = [];
const faults: string[] = [];
try {
  const missing = await namespaceLack();
  const networks = values.network.filter((network) => network === 'loopback' || missing === null);
  if (missing !== null) process.stdout.write(`only loopback: ${missing}\n`);
  for (const network of networks) {
    mkdirSync(join(folder, network));
    const result = await torture({
      run: [
        '--workload',
        'download-1mb',
        '--client',
        'embedded',
        '--repetitions',
        '12',
        '--exploratory',
        '--network',
        network,
      ],
      victims: network === 'loopback' ? victimsOverLoopback : victims,
      instants: Math.ceil(Number(values.instants) / networks.length),
      seed: Number(values.seed),
      folder: join(folder, network),
    });
    const kills = victims.map((victim) => String(result.kills[victim] ?? 0));
    rows.push([network, ...kills, String(result.completedRuns), String(result.faults.length)]);
    faults.push(...result.faults);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
process.stdout.write(`${formatTable([['network', ...victims, 'runs completed', 'faults'], ...rows])}\n`);
faults.forEach((fault) => process.stdout.write(`${fault}\n`));
process.exitCode = faults.length === 0 ? 0 : 1;
