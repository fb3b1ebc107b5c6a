import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import { moduleFile } from '../../../src/core/system/module-file.ts';
import { killTree } from '../../../src/core/system/processes/kill-tree.ts';
import { underLockLimit } from '../../../src/core/system/processes/lock-limit.ts';
import { killLimited, limitForCommand } from '../../../src/core/system/processes/marked-processes.ts';
import type { LogInAnswer, LogInOrder } from './log-in-script.ts';
import { nextOfScript } from '../script-fault.ts';
import { directEnvironment } from '../../../src/core/system/processes/trial-environment.ts';

export interface LogInOptions {
  /** Variables that every process of the run has. */
  readonly environment: Readonly<Record<string, string>>;
  /** Longest time that the script may take, ms. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Has the user's script log in; nothing of it is left running.
 *
 * @throws H2h3Error `bad-input` naming the script for one that throws, does not end, or leaves nothing to be logged in by
 */
export async function logIn(
  order: LogInOrder,
  { environment, limitMs, signal }: LogInOptions,
): Promise<Extract<LogInAnswer, { kind: 'done' }>> {
  const program = moduleFile('./log-in-program.ts', import.meta.url);
  const env = { ...directEnvironment(), ...environment };
  const limit = limitForCommand(env);
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', program];
  const [command = '', ...args] = underLockLimit(limit, words);
  const child = spawn(command, args, {
    // What the script prints may hold secrets.
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    env,
    detached: true,
  });
  const wrong = (why: string, unsetVariable?: string): H2h3Error =>
    new H2h3Error('bad-input', `the log-in script ${order.scriptFile} ${why}`, {
      next: nextOfScript(unsetVariable),
    });
  let isLate = false;
  const end = (): void => void (child.pid !== undefined && killTree(child.pid));
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  signal.addEventListener('abort', end, { once: true });
  const input = child.stdio[0] as Writable;
  input.on('error', () => undefined); // a program that died is told by its end
  input.write(`${JSON.stringify(order)}\n`);
  try {
    const said = await text(child.stdio[3] as Readable);
    if (signal.aborted) throw new H2h3Error('interrupted', 'interrupted while logging in');
    if (isLate) throw wrong(`did not end within ${limitMs / 1000} s`);
    if (said === '') throw wrong('ended the process that it ran in');
    const answer = JSON.parse(said) as LogInAnswer;
    if (answer.kind === 'failed') throw wrong(`failed: ${answer.message}`, answer.unsetVariable);
    const { cookies, origins } = answer.state;
    if (cookies.length + origins.length === 0)
      throw wrong('left neither a cookie nor local storage: not logged in');
    return answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    if (child.pid !== undefined) await killTree(child.pid);
    await killLimited(limit);
  }
}
