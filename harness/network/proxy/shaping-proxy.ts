import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { NetworkSpec } from '../../../src/core/model/network-spec.ts';
import { at, carry } from './carry.ts';
import { readProxyRequest, type ProxyRequest } from './proxy-request.ts';
import { SharedLink } from './shared-link.ts';

/** A proxy that is up. */
export interface ShapingProxy {
  /** On 127.0.0.1, for SOCKS5 and for CONNECT of HTTP. */
  readonly port: number;
  /** Payload of TCP, and connections, since it was started. */
  counters(): Record<string, number>;
  stop(): Promise<void>;
}

/** The two directions of the link. */
interface Link {
  readonly up: SharedLink;
  readonly down: SharedLink;
}

/**
 * Starts a SOCKS5 and HTTP proxy whose connections share a link of this rate and delay, each way. Opening a connection takes a
 * round trip, as TCP's own does. Nothing is lost, and no sender has to find out what the link carries.
 */
export async function startShapingProxy(spec: NetworkSpec): Promise<ShapingProxy> {
  const roundTripMs = spec.up.delayMs + spec.down.delayMs;
  const link = { up: new SharedLink(spec.up, roundTripMs), down: new SharedLink(spec.down, roundTripMs) };
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.setNoDelay(true);
    // Its end says all that there is to say: the other end of the connection is closed too.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    takeRequest(client, (request) => {
      connections += 1;
      passOn(client, request, { link, keep });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counters: () => ({ receivedBytes: link.down.bytes, sentBytes: link.up.bytes, connections }),
    stop: async () => {
      server.close();
      open.forEach((socket) => socket.destroy());
      await once(server, 'close');
    },
  };
}

/** Reads what a client asks for, which costs it no time: that is between it and this machine. */
function takeRequest(client: Socket, take: (request: ProxyRequest) => void): void {
  let came = Buffer.alloc(0);
  let greeted = false;
  const leave = (): void => void client.end();
  const read = (chunk: Buffer): void => {
    came = Buffer.concat([came, chunk]);
    const step = readProxyRequest(came, greeted);
    if (step.type === 'more') return;
    if (step.type === 'answer') {
      greeted = true;
      client.write(step.data);
      came = Buffer.alloc(0);
      return read(step.rest);
    }
    client.off('data', read).off('end', leave).pause();
    if (step.type === 'no') turnAway(client, step.data);
    else take(step.request);
  };
  client.on('data', read).on('end', leave);
}

/** Says so, and reads on until the client has gone. */
const turnAway = (client: Socket, answer: Buffer): void => void client.resume().end(answer);

/** Opens the other half of a connection across the link. */
function passOn(
  client: Socket,
  { host, port, rest, accepted, refused }: ProxyRequest,
  { link, keep }: { readonly link: Link; readonly keep: (socket: Socket) => void },
): void {
  const back = (then: () => void): void => at(link.down.send(0, performance.now()), then);
  at(link.up.send(0, performance.now()), () => {
    if (client.destroyed) return;
    const server = connect({ host, port, allowHalfOpen: true });
    keep(server);
    client.once('close', () => server.destroy());
    const refuse = (): void => back(() => turnAway(client, refused));
    server.once('error', refuse);
    server.once('connect', () => {
      server.off('error', refuse);
      back(() => {
        client.write(accepted);
        carry(client, server, link.up);
        carry(server, client, link.down);
        if (rest.length > 0) client.unshift(rest);
        client.resume();
      });
    });
  });
}
