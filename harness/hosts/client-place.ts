import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { ClientClock } from './client-clock.ts';
import type { FarHost } from './far-host.ts';
import type { FarHello } from './far-protocol.ts';
import { OnePlace } from './one-place.ts';

/** Where clients of another machine find the servers of this one. */
export class ClientPlace extends OnePlace {
  readonly host: FarHost;
  readonly port: number;
  readonly clock: ClientClock;
  /** Of this machine, as the far `sshd` was reached from it at first: a later connection does not move the servers to another. */
  readonly address: string;

  constructor(host: FarHost, port: number) {
    super();
    this.host = host;
    this.port = port;
    this.clock = new ClientClock(host);
    this.address = host.hello.nearAddress;
  }
}

/**
 * @param addresses of the other machine, and of this one, as the far `sshd` sees both
 * @param own all of this machine
 * @throws H2h3Error `unsupported` where clients do not reach servers at the address, or are on this machine
 */
export function requireOwnAddress(
  { address: far, nearAddress: address }: Pick<FarHello, 'address' | 'nearAddress'>,
  host: string,
  own: readonly string[] = ownAddresses(),
): void {
  const why = !isIPv4(address)
    ? `ssh reached it over IPv6 (from ${address})`
    : own.includes(far)
      ? 'it is this machine itself'
      : own.includes(address)
        ? undefined
        : `it sees this machine at ${address}, which is another's address`;
  if (why === undefined) return;
  throw new H2h3Error('unsupported', `${host} cannot have the client: ${why}`, {
    next: 'Name another machine that reaches this one over IPv4, without translation of addresses between both.',
  });
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));
