import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
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

type ReaperProcess = ChildProcess & { readonly stdin: Writable };

/** Environment that marks every process of this run. */
export function runEnvironment(runId: string): Record<string, string> {
  return { [runMarkerVariable]: runId };
}

/** A reaper that is killed this often is killed on purpose. */
const mostRestarts = 5;

/**
 * Starts the reaper of this run, in a session of its own so that Ctrl-C in the terminal does not reach it. One that is
 * killed is replaced by another that knows all that it was told.
 */
export function startReaper(runId: string): Reaper {
  const requests: string[] = [];
  let restarts = 0;
  const launch = (): ReaperProcess => {
    const child = spawn(process.execPath, [moduleFile('./reaper.ts', import.meta.url)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...process.env, ...runEnvironment(runId) },
    });
    // A reaper that is gone is no reason to lose the run: writing to it then must not throw.
    child.stdin.on('error', () => undefined);
    child.once('exit', (code) => {
      if (code !== 0 && ++restarts <= mostRestarts) current = launch();
    });
    requests.forEach((request) => child.stdin.write(request));
    return child;
  };
  let current = launch();
  const send = (request: object): void => {
    const line = `${JSON.stringify(request)}\n`;
    requests.push(line);
    current.stdin.write(line);
  };
  return {
    removeAtEnd: (folder) => send({ remove: folder }),
    runAtEnd: (command) => send({ command }),
    finish: async () => {
      for (let asked: ReaperProcess | null = null; asked !== current;) {
        asked = current;
        asked.stdin.end();
        if (asked.exitCode === null && asked.signalCode === null) await once(asked, 'exit');
      }
    },
  };
}
