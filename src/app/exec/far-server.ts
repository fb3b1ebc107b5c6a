import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listeningSockets } from '../../../harness/network/listening-sockets.ts';
import type { RunningNetwork } from '../../../harness/network/network.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { underLockLimit } from '../../core/system/processes/lock-limit.ts';
import { killLimited, limitForCommand } from '../../core/system/processes/marked-processes.ts';

const readyLimitMs = 60_000;
const pollMs = 20;

/**
 * Starts a server by a command line at the far end of a path, without one on this machine, and waits until it listens on any
 * port. What it says goes to standard error.
 *
 * @param asCaller words that make it the user's own
 * @returns what ends it, with everything that it started
 * @throws H2h3Error `unsupported` where it ends before it listens, or never does
 */
export async function startFarServer(
  command: string,
  network: RunningNetwork,
  asCaller: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const place = network.ends?.far.pid ?? 'self';
  const before = await listeningSockets(place);
  const limit = limitForCommand(environment);
  const [program = '', ...args] = underLockLimit(limit, [
    ...network.serverPrefix,
    ...asCaller,
    '/bin/sh',
    '-c',
    command,
  ]);
  const child = spawn(program, args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...environment },
    // Ctrl-C is for the command at the near end.
    detached: true,
  });
  const end = (): Promise<void> => killLimited(limit);
  const untilMs = performance.now() + readyLimitMs;
  while (performance.now() < untilMs) {
    const now = await listeningSockets(place);
    if ([...now].some((socket) => !before.has(socket))) return end;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new H2h3Error('unsupported', 'the server at the far end ended before it listened', {
        context: { command, got: `exit ${child.exitCode ?? child.signalCode}` },
        next: 'Run the command by itself and look at what it says; it must stay in the foreground.',
      });
    await sleep(pollMs);
  }
  await end();
  throw new H2h3Error(
    'unsupported',
    `the server at the far end listened on no port in ${readyLimitMs / 1000} s`,
    {
      context: { command },
      next: 'Give --far a command that starts a server, such as --far "python3 -m http.server 8000".',
    },
  );
}
