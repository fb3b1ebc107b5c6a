import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { harFolder } from '../../../reports/html/sections/har-links.ts';
import { renderHar } from '../../../reports/har/render-har.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { readHar } from '../../store/evidence.ts';
import { storageError } from '../../core/system/storage-error.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { writeWhole } from '../../core/system/write-whole.ts';

export interface Unpacked<T> {
  readonly hars: readonly T[];
  /** What could not be unpacked, a line each. */
  readonly warnings: readonly string[];
}

/**
 * Unpacks the HARs of these trials next to the report, where any HAR viewer can open them; those of an earlier report
 * go. Returns the trials that have one.
 */
export function unpackHars<T extends { readonly trialId: string }>(
  directory: RunDirectory,
  trials: Iterable<T>,
): Unpacked<T> {
  const folder = join(directory.path, harFolder);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (thrown) {
    throw storageError(thrown, folder);
  }
  const warnings: string[] = [];
  const hars: T[] = [];
  for (const trial of trials) {
    const { trialId } = trial;
    try {
      if (basename(trialId) !== trialId) throw new Error('its name would lead out of the folder');
      const har = readHar(directory.trialDir(trialId));
      if (har === null) continue;
      mkdirSync(folder, { recursive: true });
      writeWhole(join(folder, `${trialId}.har`), renderHar(har));
      hars.push(trial);
    } catch (thrown) {
      if (thrown instanceof H2h3Error && thrown.code === 'storage') throw thrown;
      warnings.push(`${trialId}: its HAR cannot be unpacked: ${messageOf(thrown)}`);
    }
  }
  return { hars, warnings };
}
