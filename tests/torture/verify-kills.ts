/**
 * `npm run verify:kills [-- --kills 50 --seed 1 --client embedded]`: three hosts in network namespaces and folders of their own share
 * runs over a real Valkey; workers, coordinator and Valkey are killed at random moments and started again. Takes about 10 s a kill.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killWorkers } from './kill-workers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    client: { type: 'string', default: 'embedded' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'h2h3-kills-'));
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })];
try {
  const { kills, runs, measured, lost, faults } = await killWorkers(
    { after: (cleanUp) => void cleanUps.unshift(cleanUp as () => unknown) },
    {
      run: [
        '--workload',
        'download-1mb',
        '--network',
        'loopback',
        '--client',
        values.client,
        '--repetitions',
        '24',
      ],
      lostAfter: '20s',
      hosts: ['lab-1', 'lab-2', 'lab-3'],
      kills: Number(values.kills),
      seed: Number(values.seed),
      maxWaitMs: 12_000,
      folder,
      say,
    },
  );
  say(
    `killed: ${Object.entries(kills)
      .map(([party, count]) => `${party} ${count}`)
      .join(', ')}`,
  );
  say(`${runs} runs, ${measured} trials measured, ${lost} leases lost, ${faults.length} faults`);
  faults.forEach(say);
  process.exitCode = faults.length === 0 && measured > 0 ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
