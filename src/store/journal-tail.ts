import { closeSync } from 'node:fs';
import { hasErrno } from '../model/errors.ts';
import { trialRecordSchema, type TrialRecord } from '../model/record.ts';
import { openRegularFile } from '../system/read-input.ts';
import { readLines } from './read-lines.ts';

/** Reads what was appended to a journal since the last look, and only that: a run that is measured must not notice. */
export class JournalTail {
  readonly #file: string;
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** New whole records in order; damaged lines are passed over here, reading the journal names them. */
  read(): TrialRecord[] {
    let descriptor: number | null;
    try {
      descriptor = openRegularFile(this.#file);
    } catch (thrown) {
      if (hasErrno(thrown, 'ENOENT')) return [];
      throw thrown;
    }
    if (descriptor === null) return [];
    try {
      return this.#appended(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #appended(descriptor: number): TrialRecord[] {
    const records: TrialRecord[] = [];
    for (const { text, endOffset, whole } of readLines(descriptor, this.#offset)) {
      // A line without its end may be written further; one that is far too long is none of ours.
      if (!whole && text !== null) break;
      this.#offset = endOffset;
      const parsed = trialRecordSchema.safeParse(jsonOf(text ?? ''));
      if (parsed.success) records.push(parsed.data);
    }
    return records;
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // reading the whole journal warns of it by line number
  }
}
