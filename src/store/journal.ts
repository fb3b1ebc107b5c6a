import { existsSync, statSync } from 'node:fs';
import { formerNamesNotice, withCurrentNamesOf } from '../core/factors/former-names.ts';
import { withReasonCodes } from '../core/model/before-codes.ts';
import { messageOf } from '../core/model/errors.ts';
import { appendLine } from '../core/system/append-line.ts';
import { readLines } from './read-lines.ts';
import { trialRecordSchema, type TrialRecord } from '../core/model/record.ts';

export interface JournalContent {
  /** One record a trial, in order of writing; the first where a trial stands twice. */
  readonly records: readonly TrialRecord[];
  /** Lines that could not be read, named by number; all others are kept. */
  readonly warnings: readonly string[];
}

interface ParsedLine {
  readonly record?: TrialRecord;
  readonly warning?: string;
  /** Names of before of factors that it has. */
  readonly former?: readonly string[];
}

function parseLine(line: string, number: number, file: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (thrown) {
    return {
      warning: `${file}:${number}: not a whole line of JSON (${messageOf(thrown)}); the line is left out`,
    };
  }
  const current = withCurrentNamesOf(line, value);
  const parsed = trialRecordSchema.safeParse(current.value);
  if (parsed.success) return { record: withReasonCodes(parsed.data), former: current.former };
  const issue = parsed.error.issues[0];
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown form';
  return { warning: `${file}:${number}: not a trial record (${where}); the line is left out` };
}

/**
 * Reads a journal; damaged lines become warnings and cost nothing else.
 *
 * @throws H2h3Error `bad-input` as `readLines`
 */
export function readJournal(file: string): JournalContent {
  return existsSync(file) ? recordsOf(file) : { records: [], warnings: [] };
}

/** Reads a journal again only when the file is no longer what it was: one of 120 000 trials takes seconds. */
export function journalReader(file: string): () => JournalContent {
  let last: { readonly identity: string; readonly content: JournalContent } | null = null;
  return () => {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    const identity = stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
    if (identity === '' || last?.identity !== identity) last = { identity, content: readJournal(file) };
    return last.content;
  };
}

/** Of a file that is no journal every line is damaged; more warnings than this say nothing new. */
const maxLineWarnings = 100;

function recordsOf(file: string): JournalContent {
  const records = new Map<string, TrialRecord>();
  const warnings: string[] = [];
  const formerNames = new Set<string>();
  let number = 0;
  for (const { text } of readLines(file)) {
    number++;
    if (text?.trim() === '') continue;
    const {
      record,
      warning,
      former = [],
    }: ParsedLine = text === null
      ? { warning: `${file}:${number}: far too long for a record; the line is left out` }
      : parseLine(text, number, file);
    former.forEach((name) => formerNames.add(name));
    if (warning !== undefined) warnings.push(warning);
    if (!record) continue;
    if (records.has(record.trialId))
      warnings.push(`${file}:${number}: trial ${record.trialId} stands twice; the first is kept`);
    else records.set(record.trialId, record);
  }
  warnings.unshift(...formerNamesNotice([...formerNames]));
  const more = warnings.length - maxLineWarnings;
  return {
    records: [...records.values()],
    warnings:
      more > 0 ? [...warnings.slice(0, maxLineWarnings), `${file}: ${more} more lines left out`] : warnings,
  };
}

/**
 * Appends one record as `appendLine` does.
 *
 * @throws H2h3Error `storage` when the disk is full or may not be written.
 */
export function appendRecord(file: string, record: TrialRecord): void {
  appendLine(file, JSON.stringify(record));
}
