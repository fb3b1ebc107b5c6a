import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import type { NetworkDescription } from '../../src/core/model/environment.ts';
import { loopback } from '../network/loopback.ts';
import type { NetworkProvider } from '../network/network.ts';
import type { FarHost } from './far-host.ts';
import { measureLink, type LinkFigures } from './link-measurement.ts';

const tokenBytes = 16;

/**
 * The link between two machines as it is: nothing is set on it. What it carries is measured when it is first used, and not again: later
 * a server has the port.
 */
export function realLink(host: FarHost, port: number): NetworkProvider {
  let figures: LinkFigures | undefined;
  return {
    id: liveNetwork,
    title: 'the link between two machines',
    start: async (options) => {
      const { address } = host.hello;
      requireReachable(address, host.host);
      figures ??= await measured(host, port);
      const near = await loopback.start(options);
      return {
        ...near,
        description: { ...near.description, ...described(figures) },
        serverAddress: address,
        farAddress: address,
      };
    },
  };
}

async function measured(host: FarHost, port: number): Promise<LinkFigures> {
  const { address } = host.hello;
  const token = randomBytes(tokenBytes).toString('hex');
  await host.ask('measure', { address, port, token });
  return measureLink({ address, port, token });
}

/** @throws H2h3Error `unsupported` */
function requireReachable(address: string, host: string): void {
  if (isIPv4(address) && !address.startsWith('127.')) return;
  const why = isIPv4(address) ? 'it is this machine itself' : `ssh reached it over IPv6 (${address})`;
  throw new H2h3Error('unsupported', `${host} cannot have the server: ${why}`, {
    next: 'Name the IPv4 address of another machine.',
  });
}

const threeDigits = (value: number): string => String(Number(value.toPrecision(3)));

/** What was measured, as the environment has it. */
export function described(
  figures: LinkFigures,
): Pick<NetworkDescription, 'id' | 'backend' | 'description' | 'realLink'> {
  const { roundTripMs, upMbps, downMbps } = figures;
  return {
    id: liveNetwork,
    backend: 'real',
    description: `link between two machines, ${threeDigits(roundTripMs)} ms round trip, ${threeDigits(downMbps)} Mbit/s down and ${threeDigits(upMbps)} Mbit/s up over TCP`,
    realLink: figures,
  };
}
