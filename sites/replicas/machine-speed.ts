import os from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { writeWhole } from '../../src/core/system/write-whole.ts';
import { scriptTurn } from './page/script-turn.ts';
import { readKept } from '../../src/core/system/read-input.ts';
import { makeFolder } from '../../src/core/system/storage-error.ts';

/**
 * Of the time of a turn in Chromium that which is not layout (26 turns in a millisecond where this engine, the same, did
 * 240 without layout). On another machine layout is as much faster as the rest.
 */
const shareOfCalculation = 0.11;
const turnsATry = 50;
const tries = 200;

const speedSchema = z.object({ machine: z.string(), turnsPerMs: z.number().positive() });

/**
 * Turns of scripts' work, layout included, that a whole CPU of this machine does in a millisecond. Measured once and kept
 * in the cache, so that a replica has the same bytes in each run.
 */
export function turnsPerMsOf(cacheDir: string): number {
  const file = join(cacheDir, 'replicas', 'machine-speed.json');
  const machine = `${os.cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}, ${shareOfCalculation}`;
  // What is no JSON is measured anew.
  const kept = speedSchema.safeParse(jsonOf(readKept(file, 'the speed of this machine') ?? ''));
  if (kept.success && kept.data.machine === machine) return kept.data.turnsPerMs;
  const turnsPerMs = Math.round(10 * calculationsPerMs() * shareOfCalculation) / 10;
  makeFolder(join(cacheDir, 'replicas'));
  writeWhole(file, `${JSON.stringify({ machine, turnsPerMs })}\n`);
  return turnsPerMs;
}

/** The best of many short tries: whatever else the machine does falls between them. */
function calculationsPerMs(): number {
  let best = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    const startMs = performance.now();
    for (let turn = 0; turn < turnsATry; turn++) scriptTurn(turn);
    best = Math.max(best, turnsATry / (performance.now() - startMs));
  }
  return best;
}
