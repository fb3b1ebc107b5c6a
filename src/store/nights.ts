import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { NightEvent } from '../core/model/history.ts';
import { appendLine } from '../core/system/append-line.ts';
import { readInput } from '../core/system/read-input.ts';
import { makeFolder } from '../core/system/storage-error.ts';

const nightEventSchema = z.object({
  night: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  event: z.enum(['begin', 'end']),
  at: z.string(),
  folder: z.string().nullable(),
  exitCode: z.number().nullable(),
  note: z.string(),
});

const fileOf = (resultsDir: string): string => join(resultsDir, 'nights.jsonl');

/** Notes that a night began or ended; a night that began and never ended has crashed. @throws H2h3Error `storage` */
export function appendNightEvent(resultsDir: string, event: NightEvent): void {
  makeFolder(resultsDir);
  appendLine(fileOf(resultsDir), JSON.stringify(event));
}

/** Every event in order; lines that cannot be read are left out and counted. */
export function readNightEvents(resultsDir: string): { events: NightEvent[]; damagedLines: number } {
  const file = fileOf(resultsDir);
  if (!existsSync(file)) return { events: [], damagedLines: 0 };
  const events: NightEvent[] = [];
  let damagedLines = 0;
  for (const line of readInput(file).toString().split('\n')) {
    if (line.trim() === '') continue;
    try {
      events.push(nightEventSchema.parse(JSON.parse(line)));
    } catch {
      damagedLines++; // cut short by a crash; the next line stands by itself
    }
  }
  return { events, damagedLines };
}
