import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { runEnvironment } from '../../src/system/processes/start-reaper.ts';

const runId = `${process.pid}-test-${randomBytes(8).toString('hex')}`;
const reaperFile = join(import.meta.dirname, '../../src/system/processes/reaper.ts');
const folders: string[] = [];
let reaper: (ChildProcess & { readonly stdin: Writable }) | undefined;

function removeAtEnd(folder: string): void {
  reaper?.stdin.write(`${JSON.stringify({ remove: folder })}\n`);
}

/**
 * Variables for whatever a test starts. When the process of the test is gone, also where it was killed, so is everything
 * that has them, and the test's temporary folders.
 */
export function testEnvironment(): Readonly<Record<string, string>> {
  if (reaper === undefined) {
    const env = { ...process.env, ...runEnvironment(runId) };
    reaper = spawn(process.execPath, [reaperFile], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    });
    reaper.unref();
    (reaper.stdin as Socket).unref();
    folders.forEach(removeAtEnd);
  }
  return runEnvironment(runId);
}

/** This process's own variables with those. */
export function markedEnvironment(): Record<string, string> {
  return { ...(process.env as Record<string, string>), ...testEnvironment() };
}

/** Has a folder removed when the process of the test is gone. */
export function removeWithTest(folder: string): void {
  folders.push(folder);
  removeAtEnd(folder);
}
