import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  fstatSync,
  writeSync,
} from 'node:fs';
import { messageOf } from '../model/errors.ts';
import { storageError } from '../system/storage-error.ts';
import { trialRecordSchema, type TrialRecord } from '../model/record.ts';

export interface JournalContent {
  /** One record a trial, in order of writing; the first where a trial stands twice. */
  readonly records: readonly TrialRecord[];
  /** Lines that could not be read, named by number; all others are kept. */
  readonly warnings: readonly string[];
}

function parseLine(line: string, number: number, file: string): { record?: TrialRecord; warning?: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (thrown) {
    return {
      warning: `${file}:${number}: not a whole line of JSON (${messageOf(thrown)}); the line is left out`,
    };
  }
  const parsed = trialRecordSchema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown form';
  return { warning: `${file}:${number}: not a trial record (${where}); the line is left out` };
}

/** Reads a journal; damaged lines become warnings and cost nothing else. */
export function readJournal(file: string): JournalContent {
  if (!existsSync(file)) return { records: [], warnings: [] };
  const records = new Map<string, TrialRecord>();
  const warnings: string[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { record, warning } = parseLine(line, index + 1, file);
    if (warning !== undefined) warnings.push(warning);
    if (!record) continue;
    if (records.has(record.trialId))
      warnings.push(`${file}:${index + 1}: trial ${record.trialId} stands twice; the first is kept`);
    else records.set(record.trialId, record);
  }
  return { records: [...records.values()], warnings };
}

function endsWithinLine(descriptor: number): boolean {
  const size = fstatSync(descriptor).size;
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

/** A symbolic link in the place of the journal leads to a file that is none. */
const appendOwn = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;

/**
 * Appends one line and syncs it to the disk. A line cut short by a crash is ended first, so that it damages
 * no other.
 *
 * @throws H2h3Error `storage` when the disk is full or may not be written.
 */
export function appendRecord(file: string, record: TrialRecord): void {
  try {
    const descriptor = openSync(file, appendOwn);
    try {
      const start = endsWithinLine(descriptor) ? '\n' : '';
      const bytes = Buffer.from(`${start}${JSON.stringify(record)}\n`);
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}
