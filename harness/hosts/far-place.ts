import type { FarHost } from './far-host.ts';
import { OnePlace } from './one-place.ts';
import { SentContent } from './sent-content.ts';

/** What the servers of a run share on the other machine: it has one address and one port. */
export class FarPlace extends OnePlace {
  readonly host: FarHost;
  readonly port: number;
  readonly content = new SentContent();

  constructor(host: FarHost, port: number) {
    super();
    this.host = host;
    this.port = port;
  }

  /** Of the far machine, as its `sshd` was reached. */
  get address(): string {
    return this.host.hello.address;
  }
}
