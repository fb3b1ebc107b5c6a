import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { runEnvironment, startReaper, type Reaper } from '../../src/core/system/processes/start-reaper.ts';

const runId = `${process.pid}-test-${randomBytes(8).toString('hex')}`;
const folders: string[] = [];
let reaper: Reaper | undefined;

/**
 * Variables for whatever a test starts. When the process of the test is gone, also where it was killed, so is everything
 * that has them, and the test's temporary folders.
 */
export function testEnvironment(): Readonly<Record<string, string>> {
  if (reaper === undefined) {
    reaper = startReaper(runId);
    reaper.unref();
    for (const folder of folders) reaper.removeAtEnd(folder);
  }
  return runEnvironment(runId);
}

/** This process's own variables with those. */
export function markedEnvironment(): Record<string, string> {
  return { ...(process.env as Record<string, string>), ...testEnvironment() };
}

/** Has a folder removed when the process of the test is gone. */
export function removeWithTest(folder: string): void {
  // A test that starts nothing has no reaper.
  if (folders.length === 0) process.once('exit', removeAll);
  folders.push(folder);
  reaper?.removeAtEnd(folder);
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
