import { closeSync, existsSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderRunIndex } from '../../../reports/html/index/render-run-index.ts';
import { readRuns, runIndexFile, writeRuns } from '../../store/run-index.ts';
import { openRegularFile } from '../../core/system/read-input.ts';
import { writeWhole } from '../../core/system/write-whole.ts';

/** The page that `h2h3 history` writes next to the list. */
const historyPage = 'history.html';
/** Every page of h2h3 says so in its head. */
const ownMark = '<meta name="generator" content="h2h3">';
const headBytes = 16_384;

/**
 * Whether a folder is one of runs, so that a list of them may be written into it unasked: `results` of the working
 * directory, or one that has such a list. Any other folder that a run lies in is the user's.
 */
export function isResultsFolder(folder: string): boolean {
  return resolve(folder) === resolve('results') || existsSync(join(folder, runIndexFile));
}

function isForeign(file: string): boolean {
  if (!existsSync(file)) return false;
  const descriptor = openRegularFile(file);
  if (descriptor === null) return true;
  try {
    const head = Buffer.alloc(headBytes);
    return !head.toString('utf8', 0, readSync(descriptor, head, 0, headBytes, 0)).includes(ownMark);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes `index.html` into the folder that holds the runs, and returns its path; null where a file of somebody
 * else has that name, which is left alone.
 */
export async function publishIndex(parent: string): Promise<string | null> {
  const file = join(parent, 'index.html');
  if (isForeign(file)) return null;
  const runs = readRuns(parent);
  const hasHistory = existsSync(join(parent, historyPage));
  writeWhole(file, await renderRunIndex(runs, hasHistory ? { historyPage } : {}));
  writeRuns(parent, runs);
  return file;
}
