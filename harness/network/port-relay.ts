import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { connect, type Server, type Socket } from 'node:net';

/** Of sockets that pass datagrams: as much as a browser asks for. */
const bufferBytes = 1024 * 1024;
/** A flow of datagrams that is silent for so long is forgotten. */
const idleMs = 120_000;

/**
 * Passes each connection that a server in another namespace accepts on to this machine's own `localhost:port`, over IPv4 or
 * IPv6. @returns what ends it
 */
export function passStreams(server: Server, port: number): () => void {
  const open = new Set<Socket>();
  // Not to be had otherwise of a server that came by a message: each direction ends by itself.
  Object.assign(server, { allowHalfOpen: true });
  server.on('connection', (near) => {
    const far = connect({ host: 'localhost', port, allowHalfOpen: true });
    join(near, far);
    for (const socket of [near, far]) {
      open.add(socket.setNoDelay(true));
      socket.once('close', () => open.delete(socket));
    }
  });
  return () => {
    server.close();
    open.forEach((socket) => socket.destroy());
  };
}

/** What one side ends or breaks is ended or broken on the other. */
function join(near: Socket, far: Socket): void {
  near.pipe(far).pipe(near);
  // A server that is not there looks as it does without a path: the connection is reset.
  near.on('error', () => far.resetAndDestroy());
  far.on('error', () => near.resetAndDestroy());
}

/** Passes datagrams to this machine's `127.0.0.1:port` and their answers back. @returns what ends it */
export function passDatagrams(near: DatagramSocket, port: number): () => void {
  const flows = new Map<string, { readonly far: DatagramSocket; readonly timer: NodeJS.Timeout }>();
  const flowOf = (address: string, fromPort: number): DatagramSocket => {
    const key = `${address}:${fromPort}`;
    const known = flows.get(key);
    if (known !== undefined) {
      known.timer.refresh();
      return known.far;
    }
    const far = createSocket({ type: 'udp4', recvBufferSize: bufferBytes, sendBufferSize: bufferBytes });
    const timer = setTimeout(() => {
      flows.delete(key);
      far.close();
    }, idleMs).unref();
    far.on('message', (answer) => {
      timer.refresh();
      near.send(answer, fromPort, address);
    });
    // A datagram that cannot be passed on is lost, as datagrams may be.
    far.on('error', () => undefined);
    flows.set(key, { far, timer });
    return far;
  };
  near.setRecvBufferSize(bufferBytes);
  near.on('message', (bytes, from) => flowOf(from.address, from.port).send(bytes, port, '127.0.0.1'));
  near.on('error', () => undefined);
  return () => {
    near.close();
    for (const { far, timer } of flows.values()) {
      clearTimeout(timer);
      far.close();
    }
  };
}
