/**
 * `port-listener.ts PORT…`, started at the far end of a path: opens each port of its loopback for TCP and for UDP, hands both
 * sockets to the process that started it, and ends. Sockets stay in the namespace in which they were made, so the process that
 * holds them is at both ends at once.
 */
import type { SendHandle } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasErrno } from '../../src/model/errors.ts';
import type { PortMessage } from './local-ports.ts';

const address = '127.0.0.1';

function send(message: PortMessage, handle?: SendHandle): void {
  process.send?.(message, handle);
}

/** Both sockets of a port, or that something listens there already. */
async function open(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, address);
  try {
    await once(server, 'listening');
  } catch (thrown) {
    if (!hasErrno(thrown, 'EADDRINUSE')) throw thrown;
    return send({ port, kind: 'taken' });
  }
  const socket = createSocket('udp4');
  socket.bind({ port, address, exclusive: true });
  await once(socket, 'listening');
  send({ port, kind: 'tcp' }, server);
  send({ port, kind: 'udp' }, socket);
}

// Two processes that hold a listening socket would each accept some of its connections.
process.once('message', () => process.exit(0));
for (const word of process.argv.slice(2)) await open(Number(word));
