import type { RunningServer } from '../servers/server.ts';
import type { FarHost } from './far-host.ts';
import { SentContent } from './sent-content.ts';

/** What the servers of a run share on the other machine: it has one address and one port, so one of them runs at a time. */
export class FarPlace {
  readonly host: FarHost;
  readonly port: number;
  readonly content = new SentContent();
  #running: RunningServer | undefined;

  constructor(host: FarHost, port: number) {
    this.host = host;
    this.port = port;
  }

  /** Of the far machine, as its `sshd` was reached. */
  get address(): string {
    return this.host.hello.address;
  }

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
