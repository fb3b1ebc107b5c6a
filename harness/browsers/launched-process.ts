import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const tailCharacters = 4000;

/** The process that a launcher library starts: what it writes on stderr is wanted also when the launch fails. */
export class LaunchedProcess {
  #child: ChildProcess | undefined;
  #tail = '';

  /**
   * Runs `launch` and watches the first process that it starts. Node announces every new process on the channel
   * `child_process` (https://nodejs.org/api/diagnostics_channel.html#processes); libraries hand theirs out late
   * or never.
   */
  async during<T>(launch: () => Promise<T>): Promise<T> {
    const onProcess = (message: unknown): void => {
      this.#child ??= (message as { process: ChildProcess }).process;
      setImmediate(() => this.#readTail());
    };
    subscribe('child_process', onProcess);
    try {
      return await launch();
    } finally {
      unsubscribe('child_process', onProcess);
    }
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Calls `listener` when the process has ended by itself or was killed. */
  onExit(listener: () => void): void {
    this.#child?.once('exit', listener);
  }

  /** The last lines that the process wrote on stderr. */
  stderrTail(): string {
    return this.#tail.trim();
  }

  #readTail(): void {
    const stream = this.#child?.stderr;
    if (!stream || stream.listeners('data').includes(this.#append)) return;
    stream.on('data', this.#append);
  }

  readonly #append = (chunk: Buffer): void => {
    this.#tail = (this.#tail + chunk.toString('utf8')).slice(-tailCharacters);
  };
}
