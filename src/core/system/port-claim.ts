/**
 * A program of its own, because it must run where the server will run (inside a network namespace):
 * says whether a port is free for TCP and UDP alike, or picks one, and who holds it when it is taken.
 * Usage: node port-claim.ts ADDRESS [PORT]; one line of JSON on standard output.
 */
import { createSocket } from 'node:dgram';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hasErrno, messageOf } from '../model/errors.ts';

export type PortClaim =
  | { readonly outcome: 'free'; readonly port: number }
  | { readonly outcome: 'taken'; readonly protocol: 'TCP' | 'UDP'; readonly holder: string | null }
  | { readonly outcome: 'failed'; readonly message: string };

const attempts = 20;

/** @param wantedPort 0: picks one */
export async function claimPort(address: string, wantedPort: number): Promise<PortClaim> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const port = await tryTcp(address, wantedPort);
      if (await tryUdp(address, port)) return { outcome: 'free', port };
      if (wantedPort !== 0) return { outcome: 'taken', protocol: 'UDP', holder: await holderOf(port, 'udp') };
    } catch (error) {
      if (!hasErrno(error, 'EADDRINUSE')) return { outcome: 'failed', message: messageOf(error) };
      return { outcome: 'taken', protocol: 'TCP', holder: await holderOf(wantedPort, 'tcp') };
    }
  }
  return { outcome: 'failed', message: `none of ${attempts} ports was free for both TCP and UDP` };
}

/** Binds and lets go; resolves to the port (0 picks one). Node sets no SO_REUSEPORT, so a second server cannot hide. */
function tryTcp(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen({ host, port, exclusive: true }, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port));
    });
  });
}

function tryUdp(address: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => (hasErrno(error, 'EADDRINUSE') ? resolve(false) : reject(error)));
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

/** Process that owns a socket on this port, from /proc; null where that cannot be read. */
async function holderOf(port: number, protocol: 'tcp' | 'udp'): Promise<string | null> {
  const inodes = new Set<string>();
  for (const table of [protocol, `${protocol}6`])
    for (const line of (await readOrEmpty(`/proc/net/${table}`)).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const localPort = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16);
      if (localPort === port && fields[9] !== undefined) inodes.add(`socket:[${fields[9]}]`);
    }
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name)))
    for (const descriptor of await namesIn(`/proc/${pid}/fd`))
      if (inodes.has(await linkTarget(`/proc/${pid}/fd/${descriptor}`)))
        return `${(await readOrEmpty(`/proc/${pid}/comm`)).trim()} (process ${pid})`;
  return null;
}

// Processes end while they are looked at, and those of other users cannot be looked at: nothing is known of them.
const readOrEmpty = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);
const linkTarget = (file: string): Promise<string> => readlink(file).catch(() => '');

if (import.meta.main) {
  const [address = '127.0.0.1', port = '0'] = process.argv.slice(2);
  process.stdout.write(`${JSON.stringify(await claimPort(address, Number(port)))}\n`);
}
