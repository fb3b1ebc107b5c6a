import { isDeepStrictEqual } from 'node:util';
import type { TrialOrder } from './worker-protocol.ts';
import type { WorkerPlace, WorkerProcess } from './worker-process.ts';

/** What a worker is to do, and where. */
export interface PlacedOrder {
  readonly order: TrialOrder;
  readonly place: WorkerPlace;
}

/** A worker whose client is ready, or getting so. */
export interface PreparedWorker extends PlacedOrder {
  readonly worker: WorkerProcess;
}

/**
 * The workers of a run. Next to the one that measures there is at most one whose client is made ready for the next
 * trial, and one that has loaded its modules for the trial after that.
 */
export class WorkerPool {
  readonly #start: (place: WorkerPlace) => WorkerProcess;
  readonly #all = new Set<WorkerProcess>();
  #spare: { readonly place: WorkerPlace; readonly worker: WorkerProcess } | null = null;
  #prepared: PreparedWorker | null = null;

  constructor(start: (place: WorkerPlace) => WorkerProcess) {
    this.#start = start;
  }

  /** Starts loading a worker's modules in the background. */
  load(place: WorkerPlace): void {
    void this.#loading(place);
  }

  #loading(place: WorkerPlace): WorkerProcess {
    if (this.#spare !== null && isDeepStrictEqual(this.#spare.place, place) && isHeld(this.#spare))
      return this.#spare.worker;
    if (this.#spare !== null) void this.release(this.#spare.worker);
    const worker = this.#start(place);
    this.#all.add(worker);
    this.#spare = { place, worker };
    return worker;
  }

  /** Resolves when the spare worker's modules are loaded, or will not be: that is told to its taker. */
  async loaded(): Promise<void> {
    await this.#spare?.worker.ready.catch(() => undefined);
  }

  /** Has a client made ready for the trial that comes next. */
  prepare(placed: PlacedOrder): PreparedWorker {
    const worker = this.#loading(placed.place);
    this.#spare = null;
    worker.prepare(placed.order);
    this.#prepared = { ...placed, worker };
    return this.#prepared;
  }

  /**
   * The worker that was prepared for this very order in this very place, its temporary folder apart; else one that begins
   * with it now. One that was prepared for anything else ends before.
   */
  async take(placed: PlacedOrder): Promise<PreparedWorker> {
    const prepared = this.#prepared;
    if (prepared !== null && isSame(prepared, placed) && isHeld(prepared)) {
      this.#prepared = null;
      return prepared;
    }
    if (prepared !== null) await this.release(prepared.worker);
    const taken = this.prepare(placed);
    this.#prepared = null;
    return taken;
  }

  /** Ends a worker. */
  async release(worker: WorkerProcess): Promise<void> {
    await worker.end();
    this.#all.delete(worker);
  }

  async endAll(): Promise<void> {
    this.#spare = null;
    this.#prepared = null;
    await Promise.all([...this.#all].map((worker) => worker.end()));
    this.#all.clear();
  }
}

const isHeld = ({ worker }: { readonly worker: WorkerProcess }): boolean => worker.isLost?.() !== true;

function isSame(order: PlacedOrder, other: PlacedOrder): boolean {
  const { tempDir } = order.order;
  return isDeepStrictEqual(
    { place: order.place, order: order.order },
    { place: other.place, order: { ...other.order, tempDir } },
  );
}
