import { startWorker, type WorkerProcess } from './worker-process.ts';

/**
 * At most one worker waits with its modules loaded, so that a trial does not pay for Node's start. It is
 * replaced when the next trial needs another namespace or other CPUs.
 */
export class WorkerPool {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #all = new Set<WorkerProcess>();
  #spare: { readonly key: string; readonly worker: WorkerProcess } | null = null;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  #start(prefix: readonly string[]): WorkerProcess {
    const worker = startWorker(prefix, this.#environment);
    this.#all.add(worker);
    return worker;
  }

  /** Starts loading the next worker in the background. */
  prepare(prefix: readonly string[]): void {
    const key = prefix.join('\u0000');
    if (this.#spare?.key === key) return;
    void this.#spare?.worker.end();
    this.#spare = { key, worker: this.#start(prefix) };
  }

  /** A worker that waits for its order. @throws H2h3Error `process-failed` when it will not start. */
  async take(prefix: readonly string[]): Promise<WorkerProcess> {
    this.prepare(prefix);
    const worker = this.#spare?.worker ?? this.#start(prefix);
    this.#spare = null;
    await worker.ready;
    return worker;
  }

  /** Ends a worker that was taken. */
  async release(worker: WorkerProcess): Promise<void> {
    await worker.end();
    this.#all.delete(worker);
  }

  async endAll(): Promise<void> {
    this.#spare = null;
    await Promise.all([...this.#all].map((worker) => worker.end()));
    this.#all.clear();
  }
}
