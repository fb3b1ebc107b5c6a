import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { hasErrno } from '../model/errors.ts';
import { trialRecordSchema, type TrialRecord } from '../model/record.ts';

/** Reads what was appended to a journal since the last look, and only that: a run that is measured must not notice. */
export class JournalTail {
  readonly #file: string;
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** New whole records in order; damaged lines are passed over here, reading the journal names them. */
  read(): TrialRecord[] {
    return this.#appended()
      .split('\n')
      .flatMap((line) => {
        const parsed = trialRecordSchema.safeParse(jsonOf(line));
        return parsed.success ? [parsed.data] : [];
      });
  }

  #appended(): string {
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, 'r');
    } catch (thrown) {
      if (hasErrno(thrown, 'ENOENT')) return '';
      throw thrown;
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - this.#offset));
      const length = readSync(descriptor, bytes, 0, bytes.length, this.#offset);
      // Up to the last whole line, so that no character of several bytes is cut in two.
      const end = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
      this.#offset += end;
      return bytes.toString('utf8', 0, end);
    } finally {
      closeSync(descriptor);
    }
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // reading the whole journal warns of it by line number
  }
}
