import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { pathFactsSchema } from '../model/network-spec.ts';
import { type TrialEvidence } from '../model/derive.ts';
import { expectedLoadSchema } from '../model/expected-load.ts';
import type { Har } from '../model/har.ts';
import { armProtocolSchema } from '../model/protocol.ts';
import { rawTrialSchema, type RawTrial } from '../model/raw-trial.ts';
import { preparedWorkloadSchema } from '../model/workload.ts';
import { largestInputBytes, readInput } from '../system/read-input.ts';
import { storageError } from '../system/storage-error.ts';

export const harFile = 'page.har.gz';
export const rawFile = 'raw.json.gz';
export const framesFolder = 'frames';

/** What the evidence files say beside the HAR and the frames: enough to derive metrics without the plan or the site. */
const storedTrialSchema = z.object({
  protocol: armProtocolSchema,
  workload: preparedWorkloadSchema.pick({
    id: true,
    kind: true,
    driver: true,
    entry: true,
    loggedHosts: true,
    replay: true,
    live: true,
    app: true,
    view: true,
    vmaf: true,
  }),
  raw: rawTrialSchema,
  path: pathFactsSchema.optional(),
  expected: expectedLoadSchema.optional(),
});

/** Writes what the probes stored of one trial into its folder. @throws H2h3Error `storage` */
export function writeEvidence(
  trialDir: string,
  trial: Pick<TrialEvidence, 'protocol' | 'workload' | 'raw' | 'path' | 'expected'>,
): void {
  const file = join(trialDir, rawFile);
  try {
    writeFileSync(file, gzipSync(JSON.stringify(storedTrialSchema.parse(trial)), { level: 4 }));
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}

/** Writes a HAR that was made after its trial. @throws H2h3Error `storage` */
export function writeHar(trialDir: string, har: Har): void {
  const file = join(trialDir, harFile);
  try {
    writeFileSync(file, gzipSync(JSON.stringify(har), { level: 4 }));
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}

/** Text that a trial left packed. @throws when there is none, it is damaged, or it is longer than that unpacked */
export function readPackedText(file: string, what: string, mostBytes: number): string {
  return gunzipSync(readInput(file, { what, followLink: false }), { maxOutputLength: mostBytes }).toString(
    'utf8',
  );
}

function readGzipJson(file: string): unknown {
  return JSON.parse(readPackedText(file, 'evidence of a trial', largestInputBytes));
}

/** The HAR of a trial, or null where it left none. @throws when the file is damaged */
export function readHar(trialDir: string): Har | null {
  const file = join(trialDir, harFile);
  if (!existsSync(file)) return null;
  const har = readGzipJson(file);
  if (!isHar(har)) throw new Error(`${harFile} holds no list of pages and requests`);
  return har;
}

/** Only as far as readers lean on it: the file is ours, and may be another's after an accident. */
function isHar(value: unknown): value is Har {
  const log = (value as { log?: { pages?: unknown; entries?: unknown } } | null)?.log;
  return Array.isArray(log?.pages) && Array.isArray(log.entries);
}

/** The frames named in `raw.frames`, in that order. */
export function readFrames(trialDir: string, frames: RawTrial['frames']): Uint8Array[] {
  return (frames ?? []).map((frame) =>
    readInput(join(trialDir, framesFolder, frame.file), { followLink: false }),
  );
}

/** What the probes stored of a trial, without its HAR and its pictures. @throws when the file is missing or damaged. */
export function readRaw(trialDir: string): RawTrial {
  return storedTrialSchema.parse(readGzipJson(join(trialDir, rawFile))).raw;
}

/** Reads back all that metrics are derived from. @throws when a file is missing or damaged. */
export function readEvidence(trialDir: string): TrialEvidence {
  const stored = storedTrialSchema.parse(readGzipJson(join(trialDir, rawFile)));
  return { ...stored, har: readHar(trialDir), frameImages: readFrames(trialDir, stored.raw.frames) };
}
