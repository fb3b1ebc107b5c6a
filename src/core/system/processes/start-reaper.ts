import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { moduleFile } from '../module-file.ts';
import { endRun, type EndRequest } from './end-run.ts';
import { runMarkerVariable, workerMarkerVariable } from './marked-processes.ts';

export interface Reaper {
  /** Removes this folder when the run is over. */
  removeAtEnd(folder: string): void;
  /** Runs this command when the run is over; the last given runs first. */
  runAtEnd(command: readonly string[]): void;
  /** Processes of the reaper and its deputy. */
  pids(): readonly number[];
  /** Ends the run's leftovers now; resolves when the reaper itself has ended. */
  finish(): Promise<void>;
  /** The run is over and left nothing: nothing is looked for. */
  dismiss(): void;
  /** Lets this process end while the reaper waits, which is then the end of the run. */
  unref(): void;
}

type Watcher = ChildProcess & { readonly stdin: Socket };

/** Environment that marks every process of this run. */
export function runEnvironment(runId: string): Record<string, string> {
  return { [runMarkerVariable]: runId };
}

/** A reaper that is killed this often is killed on purpose. */
const maxRestarts = 5;

/**
 * Gathers what it is told until the other end of its standard input is gone, for whatever reason (normal end, crash, SIGKILL),
 * and hands it to the program that does the work.
 */
const wait = `trap '' INT TERM HUP
requests=
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  requests="$requests$line
"
done
exec "$@" <<END
$requests
END`;

/** @param held an end of a pipe that stays open until this one is gone */
function startWatcher(
  program: string,
  runId: string,
  environment: NodeJS.ProcessEnv,
  held?: Socket,
): Watcher {
  const words = [process.execPath, moduleFile(`./${program}.ts`, import.meta.url), runId];
  const child = spawn('/bin/sh', ['-c', wait, 'h2h3', ...words], {
    // Ctrl-C in the terminal does not reach another session.
    detached: true,
    // A reader of the run's output need not wait for this.
    stdio: ['pipe', 'ignore', 'ignore', held ?? 'ignore'],
    env: environment,
  });
  // A watcher that is gone is no reason to lose the run: writing to it then must not throw.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  return child as Watcher;
}

/** One of the two that watch the run: a killed one is replaced by another that knows all that it was told. */
class Watch {
  readonly #start: () => Watcher;
  readonly #told: string[] = [];
  #current: Watcher;
  #restarts = 0;
  #isUnreferenced = false;

  constructor(start: () => Watcher) {
    this.#start = start;
    this.#current = this.#launch();
  }

  get pid(): number | undefined {
    return this.#current.pid;
  }

  get input(): Socket {
    return this.#current.stdin;
  }

  tell(line: string): void {
    this.#told.push(line);
    this.#current.stdin.write(line);
  }

  unref(): void {
    this.#isUnreferenced = true;
    this.#current.unref();
    this.#current.stdin.unref();
  }

  /** Resolves when it has ended, having done nothing. */
  async dismiss(): Promise<void> {
    this.tell('done\n');
    for (let asked: Watcher | null = null; asked !== this.#current;) {
      asked = this.#current;
      if (asked.pid !== undefined && asked.exitCode === null && asked.signalCode === null)
        await once(asked, 'exit');
    }
  }

  #launch(): Watcher {
    const child = this.#start();
    child.once('exit', (code) => {
      if (code === 0 || ++this.#restarts > maxRestarts) return;
      this.#current = this.#launch();
      if (this.#isUnreferenced) this.unref();
    });
    this.#told.forEach((line) => child.stdin.write(line));
    return child;
  }
}

/** Starts the reaper of this run and its deputy, each in a session of its own. */
export function startReaper(runId: string): Reaper {
  const requests: EndRequest[] = [];
  const unmarked = { ...process.env, [runMarkerVariable]: undefined, [workerMarkerVariable]: undefined };
  // Nothing that ends marked processes ends the deputy.
  const deputy = new Watch(() => startWatcher('deputy', runId, unmarked));
  // It keeps the deputy's input open, which therefore waits for its end too.
  const first = new Watch(() =>
    startWatcher('reaper', runId, { ...process.env, ...runEnvironment(runId) }, deputy.input),
  );
  const both = [deputy, first];
  const send = (request: EndRequest): void => {
    requests.push(request);
    for (const watch of both) watch.tell(`${JSON.stringify(request)}\n`);
  };
  const dismiss = (): Promise<unknown> => Promise.all(both.map((watch) => watch.dismiss()));
  return {
    removeAtEnd: (folder) => send({ remove: folder }),
    runAtEnd: (command) => send({ command }),
    pids: () => both.flatMap((watch) => watch.pid ?? []),
    dismiss: () => void dismiss(),
    unref: () => both.forEach((watch) => watch.unref()),
    finish: async () => {
      await endRun(runId, requests, { spared: first.pid === undefined ? [] : [first.pid] });
      await dismiss();
    },
  };
}
