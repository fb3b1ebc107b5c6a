import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { H2h3Error } from '../model/errors.ts';

/** Pages are generated for a port, so the same one is taken again and again while it is free. */
const preferredPort = 8443;
const tries = 50;

async function isFree(port: number): Promise<boolean> {
  const tcp = createServer();
  const udp = createSocket('udp4');
  try {
    tcp.listen({ port, host: '127.0.0.1', exclusive: true });
    udp.bind({ port, address: '127.0.0.1', exclusive: true });
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
    return true;
  } catch {
    return false; // in use, or not for this user
  } finally {
    tcp.close();
    udp.close();
  }
}

/** Ports that this process has set aside, until it ends. */
const setAside = new Map<number, Server>();

/**
 * Sets a port aside for this process: its server starts later and may start again, and between that a port looks free to
 * other runs. The mark is an abstract socket (unix(7)): it belongs to the network namespace, as the port does, and goes
 * with the process, however that ends. False where another process has it. Systems other than Linux have no such mark.
 */
async function setPortAside(port: number): Promise<boolean> {
  if (process.platform !== 'linux' || setAside.has(port)) return true;
  const mark = createServer((connection) => connection.destroy());
  try {
    mark.listen(`\0h2h3-port-${port}`);
    await once(mark, 'listening');
  } catch {
    return false;
  }
  mark.unref();
  setAside.set(port, mark);
  return true;
}

/**
 * Whether the port is this process's now. The mark comes first: to find out whether a port is free is to listen there for a
 * moment, which must not happen to a port whose own server is about to start.
 */
async function take(port: number): Promise<boolean> {
  const wasOurs = setAside.has(port);
  if (!(await setPortAside(port))) return false;
  if (await isFree(port)) return true;
  if (!wasOurs) {
    setAside.get(port)?.close();
    setAside.delete(port);
  }
  return false;
}

/**
 * A port that is free for TCP and UDP and that no other run has set aside: the one asked for, else 8443 or the next such.
 *
 * @throws H2h3Error `usage` when the port asked for is in use.
 */
export async function choosePort(asked: number | undefined): Promise<number> {
  if (asked !== undefined) {
    if (await take(asked)) return asked;
    throw new H2h3Error('usage', `port ${asked} is in use (TCP or UDP) or not allowed for this user`, {
      next: 'Choose another with --port, or leave it out: h2h3 then finds a free one.',
    });
  }
  for (let port = preferredPort; port < preferredPort + tries; port++) if (await take(port)) return port;
  throw new H2h3Error(
    'unsupported',
    `no free port between ${preferredPort} and ${preferredPort + tries - 1}`,
    {
      next: 'Name one with --port.',
    },
  );
}

/** A port that is free and that nobody has set aside, for a program of the user's. @throws H2h3Error `unsupported` where none is found */
export async function chooseAnyPort(): Promise<number> {
  for (let tried = 0; tried < tries; tried++) {
    const port = await unusedPort();
    if (!setAside.has(port) && (await take(port))) return port;
  }
  throw new H2h3Error('unsupported', `no free port was found in ${tries} tries`);
}

/** One of TCP that the system has to give, and that nothing sets aside. */
export async function unusedPort(): Promise<number> {
  const server = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
