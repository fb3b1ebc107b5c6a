import { once } from 'node:events';
import { connect } from 'node:net';
import { ownPortsIn } from './own-ports.ts';

/** The kernel refuses at once where nothing listens; a server that is slow to accept listens. */
const answerTimeoutMs = 1000;

/**
 * What to say of ports that are led across a path while no server listens at them over TCP: what the command asks there is reset, with
 * no word of why. A path leads to 127.0.0.1.
 */
export async function listenerWords(ports: readonly number[]): Promise<string[]> {
  const words = await Promise.all(
    ports.map(async (port) => {
      if (await listens('127.0.0.1', port)) return [];
      return (await listens('::1', port))
        ? [
            `the server at localhost:${port} listens on ::1 alone, and the path leads to 127.0.0.1. Have it listen there, too`,
          ]
        : [
            `nothing listens at localhost:${port} over TCP yet. A server at this end is started before the command`,
          ];
    }),
  );
  return words.flat();
}

/**
 * What to say of servers of this machine that a command names while no path leads to them: behind a network `localhost` is the
 * command's own end, where it is refused. A server that the command starts there itself does not listen here yet.
 */
export async function unledWords({
  command,
  localPorts,
}: {
  readonly command: readonly string[];
  /** Ports that are led across the path. */
  readonly localPorts: readonly number[];
}): Promise<string[]> {
  const unled = ownPortsIn(command).filter((port) => !localPorts.includes(port));
  const words = await Promise.all(
    unled.map(async (port) =>
      (await listens('127.0.0.1', port)) || (await listens('::1', port))
        ? [
            `the server at localhost:${port} of this machine is not across the network: the command asks its own end. Add --local ${port}`,
          ]
        : [],
    ),
  );
  return words.flat();
}

async function listens(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerTimeoutMs) });
    return true;
  } catch {
    // Refused, no such address, or no answer in time.
    return false;
  } finally {
    socket.destroy();
  }
}
