import { existsSync } from 'node:fs';
import { withCurrentNamesOf } from '../core/factors/former-names.ts';
import { withReasonCodes } from '../core/model/before-codes.ts';
import { jsonOf } from '../core/model/bounded-json.ts';
import { trialRecordSchema, type TrialRecord } from '../core/model/record.ts';
import { readLines } from './read-lines.ts';

/** Reads what was appended to a journal since the last look, and only that: a run that is measured must not notice. */
export class JournalTail {
  readonly #file: string;
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * New whole records in order; damaged lines are passed over here, reading the journal names them.
   *
   * @throws H2h3Error `bad-input` as `readLines`
   */
  read(): TrialRecord[] {
    if (!existsSync(this.#file)) return [];
    const records: TrialRecord[] = [];
    for (const { text, endOffset, whole } of readLines(this.#file, this.#offset)) {
      // A line without its end may be written further; one that is far too long is none of ours.
      if (!whole && text !== null) break;
      this.#offset = endOffset;
      const parsed = trialRecordSchema.safeParse(withCurrentNamesOf(text ?? '', jsonOf(text ?? '')).value);
      if (parsed.success) records.push(withReasonCodes(parsed.data));
    }
    return records;
  }
}
