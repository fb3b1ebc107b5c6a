import { randomBytes } from 'node:crypto';
import type { RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import { loopback } from '../network/loopback.ts';
import type { NetworkProvider } from '../network/network.ts';
import { requireOwnAddress, type ClientPlace } from './client-place.ts';
import { described } from './far-link.ts';
import { listenForMeasurement } from './link-listener.ts';

const tokenBytes = 16;

/**
 * What the link from the clients' machine to this one does now; no server has the port meanwhile.
 *
 * @throws H2h3Error `unsupported` where this machine is not reached from there
 */
export async function measureFromClient(place: ClientPlace): Promise<RealLink> {
  const { host, address, port } = place;
  requireOwnAddress(address, host.host);
  await place.vacate();
  const options = { address, port, token: randomBytes(tokenBytes).toString('hex') };
  const listener = await listenForMeasurement(options);
  try {
    return (await host.ask('measureLink', options)).answered;
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    throw new H2h3Error('unsupported', `nothing reaches ${address}:${port} here from ${host.host}`, {
      next: 'Open this port here for TCP and UDP, or name another with --port. A way that ssh takes through other machines is not enough.',
      cause: thrown,
    });
  } finally {
    await listener.close();
  }
}

/** The link as it is, from clients on the other machine to servers on this one: nothing is set on it. */
export function linkFromClient(place: ClientPlace): NetworkProvider {
  let figures: RealLink | undefined;
  return {
    id: liveNetwork,
    title: 'the link between two machines',
    start: async (options) => {
      figures ??= await measureFromClient(place);
      const here = await loopback.start(options);
      const { host, address } = place;
      return {
        ...here,
        description: { ...here.description, ...described(figures) },
        serverAddress: address,
        farAddress: address,
        // What the client's machine loses bears on its load.
        counters: async () => (await host.ask('counters', {})).answered.counters,
      };
    },
  };
}
