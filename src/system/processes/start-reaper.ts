import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runMarkerVariable } from './marked-processes.ts';
import { moduleFile } from '../module-file.ts';

export interface Reaper {
  /** Removes this folder when the run is over. */
  removeAtEnd(folder: string): void;
  /** Runs this command when the run is over; the last given runs first. */
  runAtEnd(command: readonly string[]): void;
  /** Ends the run's leftovers now; resolves when the reaper itself has ended. */
  finish(): Promise<void>;
}

/** Environment that marks every process of this run. */
export function runEnvironment(runId: string): Record<string, string> {
  return { [runMarkerVariable]: runId };
}

/** Starts the reaper of this run, in a session of its own so that Ctrl-C in the terminal does not reach it. */
export function startReaper(runId: string): Reaper {
  const child = spawn(process.execPath, [moduleFile('./reaper.ts', import.meta.url)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...runEnvironment(runId) },
  });
  const ended = once(child, 'exit');
  // A reaper that is gone is no reason to lose the run: writing to it then must not throw.
  child.stdin.on('error', () => undefined);
  const send = (request: object): void => void child.stdin.write(`${JSON.stringify(request)}\n`);
  return {
    removeAtEnd: (folder) => send({ remove: folder }),
    runAtEnd: (command) => send({ command }),
    finish: async () => {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
}
