import { randomBytes } from 'node:crypto';
import type { RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import { loopback } from '../network/loopback.ts';
import type { NetworkProvider } from '../network/network.ts';
import { requireOwnAddress, type ClientPlace } from './client-place.ts';
import { described } from './far-link.ts';
import { listenForMeasurement, type ListenOptions } from './link-listener.ts';

const tokenBytes = 16;

/** A network is started, and checked with the link, while this machine listens. */
const listenLimitMs = 10 * 60_000;

/** The link from the clients' machine to this one. */
export class LinkFromClient {
  readonly place: ClientPlace;
  #figures: RealLink | undefined;

  constructor(place: ClientPlace) {
    this.place = place;
  }

  /** What it carries by itself, measured when it is first asked for. @throws H2h3Error as `measure` */
  async figures(): Promise<RealLink> {
    return (this.#figures ??= await this.measure());
  }

  /** What it does now; no server has the port meanwhile. @throws H2h3Error `unsupported` where this machine is not reached from there */
  async measure(): Promise<RealLink> {
    const { host, address, port } = this.place;
    return this.answered(async (there) => {
      try {
        return (await host.ask('measureLink', there)).answered;
      } catch (thrown) {
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
        throw new H2h3Error('unsupported', `nothing reaches ${address}:${port} here from ${host.host}`, {
          next: 'Open this port here for TCP and UDP, or name another with --port. A way that ssh takes through other machines is not enough.',
          cause: thrown,
        });
      }
    });
  }

  /** Does something while this end answers packets at the address and port of servers. @throws what `work` throws */
  async answered<Result>(work: (options: ListenOptions) => Promise<Result>): Promise<Result> {
    const { host, address, port } = this.place;
    requireOwnAddress(host.hello, host.host);
    await this.place.vacate();
    const options = { address, port, token: randomBytes(tokenBytes).toString('hex') };
    const listener = await listenForMeasurement(options, listenLimitMs);
    try {
      return await work(options);
    } finally {
      await listener.close();
    }
  }
}

/** The link as it is, from clients on the other machine to servers on this one: nothing is set on it. */
export function linkFromClient(link: LinkFromClient): NetworkProvider {
  return {
    id: liveNetwork,
    title: 'the link between two machines',
    start: async (options) => {
      const figures = await link.figures();
      const here = await loopback.start(options);
      const { host, address } = link.place;
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
