import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { claimPort } from '../../src/core/system/port-claim.ts';
import { silenceLimitMs } from './far-protocol.ts';

/** What a run that is gone has left here takes notice after that silence, and some seconds to end. */
const leftLimitMs = silenceLimitMs + 7_000;
const lookEveryMs = 250;
const usualMark = 'h2h3-serves-another-machine';

export interface PlaceOptions {
  /** For how long it is waited. Default: 15 s. */
  readonly limitMs?: number;
  /** By which runs know that the machine is held. */
  readonly mark?: string;
}

/** Why nothing can be started yet, and what to do about it. */
interface Holder {
  readonly reason: string;
  readonly next: string;
}

/**
 * Has this machine and the port of servers for this process, for as long as that lives. It waits until an earlier run's servers
 * are gone; two runs at once would disturb each other.
 *
 * @param port undefined where no server is to start
 * @throws H2h3Error `unsupported` that says who has them
 */
export async function takePlace(
  address: string,
  port: number | undefined,
  { limitMs = leftLimitMs, mark = usualMark }: PlaceOptions = {},
): Promise<void> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const holder = (await takeMachine(mark)) ?? (port === undefined ? null : await takePort(address, port));
    if (holder === null) return;
    if (performance.now() >= endMs) throw new H2h3Error('unsupported', holder.reason, { next: holder.next });
    await sleep(lookEveryMs);
  }
}

/** The machine as it is held by this process. */
let held: Server | undefined;

/** By an abstract socket (unix(7)), which goes with the process, however that ends. Null: the machine is this process's now. */
async function takeMachine(mark: string): Promise<Holder | null> {
  if (held !== undefined) return null;
  const server = createServer((connection) => connection.destroy());
  try {
    server.listen(`\0${mark}`);
    await once(server, 'listening');
  } catch (thrown) {
    if (!hasErrno(thrown, 'EADDRINUSE')) throw thrown;
    return {
      reason: 'another run of h2h3 has its servers or clients there',
      next: 'Wait until that has ended, or name another machine.',
    };
  }
  server.unref();
  held = server;
  return null;
}

/** Null: the port is this process's now. */
async function takePort(address: string, port: number): Promise<Holder | null> {
  const taken = (holder: string): Holder => ({
    reason: `port ${port} is in use: ${holder} has it`,
    next: 'Wait until that has ended, or choose another port with --port.',
  });
  try {
    await choosePort(port);
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'usage') return taken('a program or a run of h2h3');
    throw thrown;
  }
  const claim = await claimPort(address, port);
  if (claim.outcome === 'free') return null;
  if (claim.outcome === 'taken') return taken(claim.holder ?? 'another process');
  throw new H2h3Error('unsupported', `nothing can listen on ${address}: ${claim.message}`);
}
