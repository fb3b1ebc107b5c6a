import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { readInput } from '../core/system/read-input.ts';
import { writeWhole } from '../core/system/write-whole.ts';
import { makeFolder } from '../core/system/storage-error.ts';

const baselineSchema = z.object({
  /** What it is the baseline of: `chromium`, `firefox`, or a name of the user's. */
  name: z.string(),
  /** A client, server or player of one version: `chromium@153.0.0`, `nginx@1.26.3`, `dashjs@5.2.1`. */
  client: z.string(),
  version: z.string(),
  build: z.string(),
  acceptedAt: z.string(),
  /** The run that it was accepted on; null: by decision alone. */
  run: z.string().nullable(),
  note: z.string(),
});
export type Baseline = z.infer<typeof baselineSchema>;

const baselinesSchema = z.object({ schemaVersion: z.literal(1), accepted: z.array(baselineSchema) });

const fileOf = (resultsDir: string): string => join(resultsDir, 'baselines.json');

/** Every baseline ever accepted, oldest first. @throws H2h3Error `bad-input` for a damaged file, which stays as it is */
export function readBaselines(resultsDir: string): Baseline[] {
  const file = fileOf(resultsDir);
  if (!existsSync(file)) return [];
  try {
    return baselinesSchema.parse(JSON.parse(readInput(file).toString())).accepted;
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${file} holds no baselines: ${messageOf(thrown)}`, {
      cause: thrown,
      context: { file },
      next: 'Correct it, or move it away and accept the baselines again (npx h2h3 baseline accept).',
    });
  }
}

/** The baseline in force of that name, or null. */
export function currentBaseline(resultsDir: string, name: string): Baseline | null {
  return readBaselines(resultsDir).findLast((baseline) => baseline.name === name) ?? null;
}

/** Adds one to the list; earlier ones stay in it. @throws H2h3Error `storage` */
export function acceptBaseline(resultsDir: string, baseline: Baseline): void {
  const accepted = [...readBaselines(resultsDir), baseline];
  makeFolder(resultsDir);
  writeWhole(fileOf(resultsDir), `${JSON.stringify({ schemaVersion: 1, accepted }, null, 1)}\n`);
}
