import { connect } from 'node:net';
import { udpPortsHere } from '../../../harness/network/listening-sockets.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { afterEvents } from '../../core/system/after-events.ts';
import { ownPortsIn } from './own-ports.ts';

/** The kernel refuses at once where nothing listens; a server that is slow to accept listens. */
const answerTimeoutMs = 1000;

/**
 * Ports of this machine that are led across a path, and at which nothing answers: what is asked there would be reset, with no word
 * of why. Over TCP a server is reached at 127.0.0.1 or ::1, over UDP at 127.0.0.1.
 *
 * @throws H2h3Error `unsupported` where there are any
 */
export async function requireListeners(ports: readonly number[]): Promise<void> {
  const answers = await Promise.all(ports.map(async (port) => (await listensHere(port)) || hearsUdp(port)));
  const unheard = ports.filter((_, index) => answers[index] === false);
  if (unheard.length === 0) return;
  throw new H2h3Error('unsupported', `nothing listens at localhost:${unheard.join(', localhost:')}`, {
    next: 'Start the server of this machine first. One that the command starts itself is at its own end, not across the network.',
  });
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
      (await listensHere(port))
        ? [
            `the server at localhost:${port} of this machine is not across the network: the command asks its own end. Add --local ${port}`,
          ]
        : [],
    ),
  );
  return words.flat();
}

const listensHere = async (port: number): Promise<boolean> =>
  (await listens('127.0.0.1', port)) || (await listens('::1', port));

const hearsUdp = async (port: number): Promise<boolean> => (await udpPortsHere()).has(port);

/** False: it is refused, there is no such address, or there is no answer in time. */
function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isAnswered: boolean): void => {
      forget();
      socket.destroy();
      resolve(isAnswered);
    };
    const forget = afterEvents(answerTimeoutMs, () => end(false));
    socket.once('connect', () => end(true)).on('error', () => end(false));
  });
}
