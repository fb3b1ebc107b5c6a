import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** All of 127.0.0.0/8 is this machine's. */
const otherLoopback = '127.0.0.77';

/** The local address that the system takes for a destination; nothing is sent. */
export async function localAddressTowards({
  address,
  port,
}: {
  readonly address: string;
  readonly port: number;
}): Promise<string> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    const connected = once(socket, 'connect');
    socket.connect(port, address);
    await connected;
    return socket.address().address;
  } finally {
    socket.close();
  }
}

/** Another address of the interface that has this one. @throws Error where there is none */
export function otherAddress(local: string): string {
  if (local.startsWith('127.')) return otherLoopback;
  const near = Object.values(networkInterfaces()).find((those) =>
    those?.some(({ address }) => address === local),
  );
  const other = near?.find(({ address }) => address !== local && isIPv6(address) === isIPv6(local));
  if (other === undefined) throw new Error(`there is no second address besides ${local} to continue from`);
  return other.address;
}
