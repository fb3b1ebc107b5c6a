import { requireSteady, type ClockOffset } from './far-clock.ts';
import type { FarHost } from './far-host.ts';

/** The clock of the machine on which clients run: what is known of a trial is told by it. */
export class ClientClock {
  readonly #host: FarHost;
  #offset: ClockOffset;

  constructor(host: FarHost) {
    this.#host = host;
    this.#offset = host.clock;
  }

  /** By how much it is ahead of that of this machine, ms. */
  get aheadMs(): number {
    return this.#offset.offsetMs;
  }

  nowEpochMs(): number {
    return Date.now() + this.aheadMs;
  }

  /** Looks at it as a trial begins. @throws H2h3Error as `FarHost.ask` */
  async mark(): Promise<void> {
    this.#offset = (await this.#host.ask('ping', {})).clock;
  }

  /** @throws H2h3Error `process-failed` where it was set since `mark`, and as `FarHost.ask` */
  async requireSteady(): Promise<void> {
    requireSteady(this.#host.host, this.#offset, (await this.#host.ask('ping', {})).clock);
  }
}
