import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { FarChannel, type Answer } from './far-channel.ts';
import type { ClockOffset } from './far-clock.ts';
import { ensureFarProgram } from './far-program.ts';
import type { Asked, FarCall, FarHello } from './far-protocol.ts';
import { openSsh, type SshConnection } from './ssh-connection.ts';

export interface FarHostOptions {
  /** As the user named it. */
  readonly host: string;
  /** Of the servers that are to be started there; absent: none is. */
  readonly port?: number;
  /** Whether clients are to be started there. Default: no. */
  readonly startsClients?: boolean;
  /** A folder of this run that nobody else can enter; sockets go below it, so its path is short. */
  readonly folder: string;
  /** Environment of every process of the run (carries the marker by which the reaper finds them). */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes the step that it is at. */
  readonly say: (title: string) => void;
  /** Takes what a reader of the run must know. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Session {
  readonly connection: SshConnection;
  readonly channel: FarChannel;
  readonly hello: FarHello;
  readonly clock: ClockOffset;
}

const reconnectLimitMs = 60_000;
const reconnectEveryMs = 2_000;

/** The other machine of a run, with this very h2h3 running on it. */
export class FarHost {
  readonly host: string;
  readonly #options: FarHostOptions;
  #session: Session;
  #sessions = 1;
  readonly #dead = new Map<number, string>();

  private constructor(options: FarHostOptions, session: Session, dead: Map<number, string>) {
    this.host = options.host;
    this.#options = options;
    this.#session = session;
    this.#dead = dead;
  }

  /** @throws H2h3Error `unsupported` or `usage` that says why it cannot be used and what to do; nothing is left running then */
  static async open(options: FarHostOptions): Promise<FarHost> {
    const dead = new Map<number, string>();
    return new FarHost(options, await openSession(options, dead), dead);
  }

  /** What it said of itself when the run, or the connection of now, began. */
  get hello(): FarHello {
    return this.#session.hello;
  }

  /** Of its clock, when the connection of now began. */
  get clock(): ClockOffset {
    return this.#session.clock;
  }

  /** Grows with each new connection: what was started over an earlier one runs no more. */
  get session(): number {
    return this.#sessions;
  }

  /** Why it is not reached any more; undefined while it is. */
  lost(): H2h3Error | undefined {
    return this.#session.channel.lost();
  }

  /** What of a server of the present connection has died, for people; undefined while all of it runs. */
  deadOf(server: number): string | undefined {
    return this.#dead.get(server);
  }

  /** @throws H2h3Error as `FarChannel.ask` */
  ask<Call extends FarCall>(call: Call, asked: Asked<Call>, limitMs?: number): Promise<Answer<Call>> {
    return this.#session.channel.ask(call, asked, limitMs);
  }

  /**
   * Where the connection was lost: connects again, for a minute at the most.
   *
   * @throws H2h3Error where that comes to nothing
   */
  async requireConnected(): Promise<void> {
    const lost = this.lost();
    if (lost === undefined) return;
    this.#options.tell(`${lost.message}. Connecting again`);
    const { runId } = this.hello;
    await this.close();
    const endMs = performance.now() + reconnectLimitMs;
    for (;;) {
      try {
        this.#dead.clear();
        this.#session = await openSession(this.#options, this.#dead, runId);
        this.#sessions++;
        return;
      } catch (thrown) {
        // A full disk stays full for a minute.
        if (!(thrown instanceof H2h3Error) || thrown.code === 'storage') throw thrown;
        if (this.#options.signal.aborted) throw new H2h3Error('interrupted', 'the run was interrupted');
        if (performance.now() >= endMs)
          throw new H2h3Error('process-failed', `${lost.message}, and ${thrown.message}`, {
            next: 'See to the connection, then continue with `npx h2h3 run --resume DIR`.',
            cause: thrown,
          });
        await sleep(reconnectEveryMs);
      }
    }
  }

  /** Ends what runs over there. */
  async close(): Promise<void> {
    const { channel, connection } = this.#session;
    await channel.close();
    await connection.close();
  }
}

/** @param earlier what an earlier connection of this run had started there, which may not know yet that it is over */
async function openSession(
  options: FarHostOptions,
  dead: Map<number, string>,
  earlier?: string,
): Promise<Session> {
  const { host, port, startsClients = false, environment, say } = options;
  // A socket that a killed ssh has left is in nobody's way.
  const folder = mkdtempSync(join(options.folder, 'far-'));
  const connection = await openSsh({ host, folder, environment });
  let channel: FarChannel | undefined;
  try {
    const script = await ensureFarProgram({ connection, folder, say });
    const died = (server: number, part: string): void => void dead.set(server, part);
    channel = new FarChannel(connection.start(script), host, { died, progress: say });
    const { answered: hello, clock } = await channel.begin();
    if (earlier !== undefined) await channel.ask('takeOver', { runId: earlier });
    // A machine that is this one is refused by what measures the link.
    if ((port !== undefined || startsClients) && !hello.address.startsWith('127.'))
      await channel.ask('claim', { address: hello.address, port });
    return { connection, channel, hello, clock };
  } catch (thrown) {
    await channel?.close();
    await connection.close();
    throw thrown;
  }
}
