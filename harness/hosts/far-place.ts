import type { ClientClock } from './client-clock.ts';
import type { FarHost } from './far-host.ts';
import { OnePlace } from './one-place.ts';
import { SentContent } from './sent-content.ts';

/** What the servers of a run share on the other machine: it has one address and one port. */
export class FarPlace extends OnePlace {
  readonly host: FarHost;
  readonly port: number;
  readonly content = new SentContent();
  readonly #clientClock: Pick<ClientClock, 'aheadMs'> | undefined;

  /** @param clientClock of the machine on which clients are; absent: they are on this one */
  constructor(host: FarHost, port: number, clientClock?: Pick<ClientClock, 'aheadMs'>) {
    super();
    this.host = host;
    this.port = port;
    this.#clientClock = clientClock;
  }

  /** By how much its clock is ahead of that of clients, ms. */
  get aheadOfClientMs(): number {
    return this.host.clock.offsetMs - (this.#clientClock?.aheadMs ?? 0);
  }

  /** Of the far machine, as its `sshd` was reached. */
  get address(): string {
    return this.host.hello.address;
  }
}
