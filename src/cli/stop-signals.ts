import { exitCodes } from '../core/model/exit-codes.ts';
import type { TerminalProgress } from './progress.ts';

/** Signals closer than this are one: terminal, npm and launcher all pass Ctrl-C on. */
const sameSignalMs = 1_000;

/** Aborts on Ctrl-C, on SIGTERM, and when the launcher is gone; a second Ctrl-C ends at once. */
export class StopSignals {
  readonly #controller = new AbortController();
  readonly #progress: TerminalProgress;
  #stoppedAtMs = 0;
  #take: ((signal: NodeJS.Signals) => void) | null = null;

  constructor(progress: TerminalProgress) {
    this.#progress = progress;
    process.on('SIGINT', () => this.#receive('SIGINT', () => this.#stopOrExit('interrupted')));
    process.on('SIGTERM', () => this.#receive('SIGTERM', () => this.#stopOrExit('asked to end')));
    process.on('SIGHUP', () => this.#receive('SIGHUP', () => this.#stop('terminal gone')));
    if (!process.connected) return;
    process.on('disconnect', () => this.#stop('launcher gone'));
    process.channel?.unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Gives signals to `take` instead, until the returned function is called. Without the launcher all ends in any case. */
  readonly pass = (take: (signal: NodeJS.Signals) => void): (() => void) => {
    this.#take = take;
    return () => (this.#take = null);
  };

  #receive(signal: NodeJS.Signals, stop: () => void): void {
    if (this.#take === null) stop();
    else this.#take(signal);
  }

  #stop(what: string): void {
    if (this.signal.aborted) return;
    this.#stoppedAtMs = performance.now();
    this.#progress.say(`${what}: ending browsers and servers …`);
    this.#controller.abort();
  }

  #stopOrExit(what: string): void {
    const insists = this.signal.aborted && performance.now() - this.#stoppedAtMs > sameSignalMs;
    if (insists) process.exit(exitCodes.interrupted);
    this.#stop(what);
  }
}
