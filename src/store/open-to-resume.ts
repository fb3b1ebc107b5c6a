import { join } from 'node:path';
import { maxJournalBytes } from './read-lines.ts';
import { readInput } from '../core/system/read-input.ts';
import { jsonOf } from '../core/model/bounded-json.ts';
import { minOf } from '../core/model/min-of.ts';
import { isLeftByBudget, trialRecordSchema } from '../core/model/record.ts';
import { writeWhole } from '../core/system/write-whole.ts';
import { sweepLeftovers } from './leftovers.ts';
import { openRunDirectory, type RunDirectory } from './run-directory.ts';
import { lockRunDirectory } from './run-lock.ts';

/**
 * Opens a run to resume it; what killed processes left half written goes. Trials that the end of a time budget left out are open again: their lines go, so that
 * no trial stands twice in the journal. Of a sequential run the plan keeps where it had ended, because its error was spent
 * there. The plan is written first: what is killed between the two is done again, to the same end.
 *
 * @throws H2h3Error as `openRunDirectory`, and when another process runs in the folder
 */
export function openToResume(path: string): RunDirectory {
  const directory = openRunDirectory(path);
  sweepLeftovers(directory.path);
  const { records } = directory.journal();
  const left = records.filter(isLeftByBudget);
  if (left.length === 0) return directory;
  const release = lockRunDirectory(directory.path, process.pid);
  try {
    const { plan } = directory;
    if (plan.interims !== undefined) {
      const end = minOf(left.map(({ blockIndex }) => blockIndex));
      const ends = [...new Set([...(plan.ends ?? []), end])].sort((a, b) => a - b);
      directory.write('plan.json', `${JSON.stringify({ ...plan, ends }, null, 1)}\n`);
    }
    const file = join(directory.path, 'journal.jsonl');
    const open = new Set(left.map(({ trialId }) => trialId));
    const kept = readInput(file, { what: 'a journal', limitBytes: maxJournalBytes, followLink: false })
      .toString('utf8')
      .split('\n')
      .filter((line) => !isOpenTrial(line, open));
    writeWhole(file, kept.join('\n'));
  } finally {
    release();
  }
  return openRunDirectory(path);
}

/** Lines that cannot be read stay as they are. */
function isOpenTrial(line: string, open: ReadonlySet<string>): boolean {
  const record = trialRecordSchema.safeParse(jsonOf(line));
  return record.success && record.data.status === 'not-run' && open.has(record.data.trialId);
}
