import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureFile, failureScreenshotFile } from '../../../src/core/model/journey-failure.ts';
import type { SeenFailure } from './look-at-failure.ts';

/** Writes into a folder what the page of a script showed when the script failed. @returns its files by their names as artifacts */
export function writeFailure(
  folder: string,
  { failure, screenshot }: SeenFailure,
): Readonly<Record<string, string>> {
  writeFileSync(join(folder, failureFile), `${JSON.stringify(failure, null, 1)}\n`);
  if (screenshot === null) return { failure: failureFile };
  writeFileSync(join(folder, failureScreenshotFile), screenshot);
  return { failure: failureFile, failureScreenshot: failureScreenshotFile };
}
