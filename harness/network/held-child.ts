import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Whether it has not ended yet. */
export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/**
 * Ends a process that lives as long as its standard input.
 *
 * @param limitMs it is killed where it still runs after so long; default: it is waited for
 */
export async function endWithInput(child: ChildProcess, limitMs?: number): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs);
  await ended;
  clearTimeout(timer);
}
