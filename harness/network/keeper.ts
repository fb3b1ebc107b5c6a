import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Privilege } from './privilege.ts';

const timeoutMs = 20_000;

/** What is held of the whole machine while a path is up. */
export interface HeldMachine {
  /** What was done, or what stands in the way; null where the machine is as it should be. */
  readonly note: string | null;
  readonly stop: () => Promise<void>;
}

/** A shell of the administrator's that has changed something of the whole machine. */
export interface Keeper {
  /** Ends it, and with it what it keeps. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a shell that keeps a setting of the whole machine as long as its standard input lasts, however the run ends.
 *
 * @param keeps what it does first; where that fails the shell ends
 * @returns null where it could not be set
 */
export async function startKeeper(
  { adminPrefix }: Privilege,
  keeps: readonly string[],
): Promise<Keeper | null> {
  const script = [
    'set -e',
    ...keeps,
    "trap 'exit 0' TERM INT HUP",
    'echo held',
    'while read -r ignored; do :; done',
  ].join('\n');
  // Not with the run's marker: what ends the run's leftovers must not keep this from putting things back.
  const [program = 'sh', ...args] = [...adminPrefix, 'sh', '-c', script];
  const shell = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  shell.stdin.on('error', () => undefined); // a shell that ended has put things back
  const ended = once(shell, 'exit');
  const held = await Promise.race([
    once(createInterface({ input: shell.stdout }), 'line', { signal: AbortSignal.timeout(timeoutMs) }),
    ended.then(() => null),
  ]);
  if (held === null) return null;
  return {
    stop: async () => {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      shell.stdin.end();
      await ended;
    },
  };
}
