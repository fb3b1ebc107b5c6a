import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renderHar } from '../../reports/har/render-har.ts';
import { H2h3Error, messageOf } from '../model/errors.ts';
import { readHar } from '../store/evidence.ts';
import { storageError } from '../store/journal.ts';
import type { RunDirectory } from '../store/run-directory.ts';
import { writeWhole } from '../store/write-whole.ts';

/** Folder beside the report with the HARs of the trials that it shows. */
export const harFolder = 'har';

/**
 * Unpacks the HARs of these trials beside the report, where any HAR viewer can open them; those of an earlier report
 * go. Returns what could not be unpacked, a line each.
 */
export function unpackHars(directory: RunDirectory, trialIds: Iterable<string>): string[] {
  const folder = join(directory.path, harFolder);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  const warnings: string[] = [];
  for (const trialId of new Set(trialIds)) {
    try {
      const har = readHar(directory.trialDir(trialId));
      if (har === null) continue;
      mkdirSync(folder, { recursive: true });
      writeWhole(join(folder, `${trialId}.har`), renderHar(har));
    } catch (thrown) {
      if (thrown instanceof H2h3Error) throw thrown;
      warnings.push(`${trialId}: its HAR cannot be unpacked: ${messageOf(thrown)}`);
    }
  }
  return warnings;
}
