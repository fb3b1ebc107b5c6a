import type { RunningServer } from '../servers/server.ts';

/** The one address and port that a machine has for the servers of a run: one of them runs at a time. */
export class OnePlace {
  #running: RunningServer | undefined;

  /** Ends what has the port; it is started anew when it is needed again. */
  async vacate(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  taken(by: RunningServer): RunningServer {
    this.#running = by;
    return by;
  }
}
