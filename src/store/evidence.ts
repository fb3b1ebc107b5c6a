import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Har } from '../model/har.ts';
import { rawTrialSchema, type RawTrial } from '../model/raw-trial.ts';
import { storageError } from './journal.ts';

export const harFile = 'page.har.gz';
export const rawFile = 'raw.json.gz';
export const framesFolder = 'frames';

/** Writes what the probes stored of one trial into its folder. */
export function writeRawTrial(trialDir: string, raw: RawTrial): void {
  const file = join(trialDir, rawFile);
  try {
    writeFileSync(file, gzipSync(JSON.stringify(raw), { level: 4 }));
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}

function readGzipJson(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

export interface StoredEvidence {
  readonly raw: RawTrial;
  readonly har: Har | null;
  readonly frameImages: readonly Uint8Array[];
}

/** The HAR of a trial, or null where it left none. */
export function readHar(trialDir: string): Har | null {
  const file = join(trialDir, harFile);
  return existsSync(file) ? (readGzipJson(file) as Har) : null;
}

/** The frames named in `raw.frames`, in that order. */
export function readFrames(trialDir: string, frames: RawTrial['frames']): Uint8Array[] {
  return (frames ?? []).map((frame) => readFileSync(join(trialDir, framesFolder, frame.file)));
}

/** Reads back all that metrics are derived from. @throws when a file is missing or damaged. */
export function readEvidence(trialDir: string): StoredEvidence {
  const raw = rawTrialSchema.parse(readGzipJson(join(trialDir, rawFile)));
  return { raw, har: readHar(trialDir), frameImages: readFrames(trialDir, raw.frames) };
}
