import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { H2h3Error, hasErrno, messageOf } from '../core/model/errors.ts';
import { pathFactsSchema } from '../core/model/network-spec.ts';
import { type TrialEvidence } from '../core/model/derive.ts';
import { expectedLoadSchema } from '../core/model/expected-load.ts';
import type { Har } from '../core/model/har.ts';
import { armProtocolSchema } from '../core/model/protocol.ts';
import { rawTrialSchema, type RawTrial } from '../core/model/raw-trial.ts';
import { preparedWorkloadSchema } from '../core/model/workload.ts';
import { largestInputBytes, readInput } from '../core/system/read-input.ts';
import { storageError } from '../core/system/storage-error.ts';
import { parseJson } from './read-document.ts';

export const harFile = 'page.har.gz';
export const rawFile = 'raw.json.gz';
export const framesFolder = 'frames';

/** What the evidence files say besides the HAR and the frames: enough to derive metrics without the plan or the site. */
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
    pictures: true,
    upload: true,
  }),
  raw: rawTrialSchema,
  path: pathFactsSchema.optional(),
  expected: expectedLoadSchema.optional(),
});

/** Writes what the probes stored of one trial into its folder. @throws H2h3Error `storage`, and ZodError for what is no trial */
export function writeEvidence(
  trialDir: string,
  trial: Pick<TrialEvidence, 'protocol' | 'workload' | 'raw' | 'path' | 'expected'>,
): void {
  keep(join(trialDir, rawFile), JSON.stringify(storedTrialSchema.parse(trial)));
}

/** Writes a HAR that was made after its trial. @throws H2h3Error `storage` */
export function writeHar(trialDir: string, har: Har): void {
  keep(join(trialDir, harFile), JSON.stringify(har));
}

function keep(file: string, text: string): void {
  try {
    writeFileSync(file, gzipSync(text, { level: 4 }));
  } catch (thrown) {
    const fault = storageError(thrown, file);
    if (fault instanceof H2h3Error) throw fault;
    // Something is in the way that is no lack of room.
    throw new H2h3Error('storage', `cannot write ${file}: ${messageOf(thrown)}`, {
      cause: thrown,
      context: { file },
    });
  }
}

/**
 * What a file of a run holds unpacked.
 *
 * @param name of the file, for the error
 * @param maxBytes of what is unpacked
 * @throws H2h3Error `bad-input` when it is damaged, or longer than that unpacked
 */
export function unpackGzip(packed: Uint8Array, name: string, maxBytes = largestInputBytes): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: maxBytes });
  } catch (thrown) {
    const reason = hasErrno(thrown, 'ERR_BUFFER_TOO_LARGE')
      ? `it has more than ${maxBytes} bytes unpacked`
      : `it is damaged (${messageOf(thrown)})`;
    throw damaged(name, `cannot be unpacked: ${reason}`, thrown);
  }
}

function damaged(name: string, how: string, cause?: unknown): H2h3Error {
  return new H2h3Error('bad-input', `${name} ${how}`, {
    context: { file: name },
    next: 'Take the file from where the run was made, or measure again.',
    cause,
  });
}

/** Text that a trial left packed. @throws H2h3Error `bad-input` when there is none, or as `unpackGzip` */
export function readPackedText(file: string, what: string, maxBytes: number): string {
  return unpackGzip(readInput(file, { what, followLink: false }), file, maxBytes).toString('utf8');
}

function readGzipJson(file: string): unknown {
  return parseJson(readPackedText(file, 'evidence of a trial', largestInputBytes), file);
}

/** The HAR of a trial, or null where it left none. @throws H2h3Error `bad-input` when the file is damaged */
export function readHar(trialDir: string): Har | null {
  const file = join(trialDir, harFile);
  if (!existsSync(file)) return null;
  const har = readGzipJson(file);
  if (!isHar(har)) throw damaged(file, 'holds no list of pages and requests');
  return har;
}

/** Only as far as readers lean on it: the file is ours, and may be another's after an accident. */
function isHar(value: unknown): value is Har {
  const log = (value as { log?: { pages?: unknown; entries?: unknown } } | null)?.log;
  return Array.isArray(log?.pages) && Array.isArray(log.entries);
}

/** Of one trial, all together: they are in memory at once. */
const maxFramesBytes = 512 * 1024 * 1024;

/**
 * The frames named in `raw.frames`, in that order.
 *
 * @throws H2h3Error `bad-input` when one is missing, or they are larger together than those of any trial
 */
export function readFrames(trialDir: string, frames: RawTrial['frames']): Uint8Array[] {
  const folder = join(trialDir, framesFolder);
  const files = (frames ?? []).map(({ file }) => join(folder, file));
  const bytes = files.reduce((sum, file) => sum + (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (bytes > maxFramesBytes)
    throw damaged(
      folder,
      `cannot be read: its frames have ${bytes} bytes, more than ${maxFramesBytes} are not taken`,
    );
  return files.map((file) => readInput(file, { followLink: false }));
}

function readStored(trialDir: string): z.infer<typeof storedTrialSchema> {
  const file = join(trialDir, rawFile);
  const stored = storedTrialSchema.safeParse(readGzipJson(file));
  if (stored.success) return stored.data;
  const issue = stored.error.issues[0];
  throw damaged(file, `is no evidence of a trial: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/**
 * What the probes stored of a trial, without its HAR and its pictures.
 *
 * @throws H2h3Error `bad-input` when the file is missing or damaged
 */
export function readRaw(trialDir: string): RawTrial {
  return readStored(trialDir).raw;
}

/** Reads back all that metrics are derived from. @throws H2h3Error `bad-input` when a file is missing or damaged */
export function readEvidence(trialDir: string): TrialEvidence {
  const stored = readStored(trialDir);
  return { ...stored, har: readHar(trialDir), frameImages: readFrames(trialDir, stored.raw.frames) };
}
