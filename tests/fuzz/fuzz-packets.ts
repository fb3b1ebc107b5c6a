/**
 * `npm run fuzz:packets [-- --packets 200000 --seeds 10]`: sends malformed packets through every kind of queue of the path
 * emulator, built with sanitizers, once for each seed. Ends with 1 where anything is found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { noSanitizersReason } from '../support/sanitized-program.ts';
import { buildMalformedPackets, sendMalformedPackets } from './malformed-packets.ts';

const { values } = parseArgs({
  options: {
    packets: { type: 'string', default: '200000' },
    seeds: { type: 'string', default: '10' },
  },
});
const seeds = Number(values.seeds);
const packets = Number(values.packets);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const reason = noSanitizersReason();
if (reason !== false) throw new Error(reason);
const folder = mkdtempSync(join(os.tmpdir(), 'h2h3-packets-'));
try {
  const program = buildMalformedPackets(folder);
  let faults = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const found = sendMalformedPackets(program, seed, packets);
    faults += found.length;
    say(`seed ${seed}, ${packets} packets: ${found.length === 0 ? 'nothing found' : found.join('\n')}`);
  }
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
