import { randomBytes } from 'node:crypto';
import type { RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import { loopback } from '../network/loopback.ts';
import type { NetworkProvider } from '../network/network.ts';
import { requireOwnAddress, type ClientPlace } from './client-place.ts';
import type { FarHost } from './far-host.ts';
import { described, type FarLink } from './far-link.ts';
import { listenForMeasurement, type ListenOptions } from './link-listener.ts';

const tokenBytes = 16;

/** Does something while the end where servers listen answers packets, and no server has the port. @throws what `work` throws */
type Answered = <Result>(work: (options: ListenOptions) => Promise<Result>) => Promise<Result>;

/** Between which machines a link is. */
interface LinkEnds {
  /** On which clients are. */
  readonly host: FarHost;
  /** At which servers listen, and where that is, for people. */
  readonly address: string;
  readonly port: number;
  readonly where: string;
}

/** The link from the clients' machine to where servers listen. */
export class LinkFromClient {
  readonly place: LinkEnds;
  readonly answered: Answered;
  #figures: RealLink | undefined;

  constructor(place: LinkEnds, answered: Answered) {
    this.place = place;
    this.answered = answered;
  }

  /** What it carries by itself, measured when it is first asked for. @throws H2h3Error as `measure` */
  async figures(): Promise<RealLink> {
    return (this.#figures ??= await this.measure());
  }

  /** What it does now; no server has the port meanwhile. @throws H2h3Error `unsupported` where servers are not reached from there */
  async measure(): Promise<RealLink> {
    const { host, address, port, where } = this.place;
    return this.answered(async (there) => {
      try {
        return (await host.ask('measureLink', there)).answered;
      } catch (thrown) {
        if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
        throw new H2h3Error('unsupported', `nothing reaches ${address}:${port} ${where} from ${host.host}`, {
          next: `Open this port ${where} for TCP and UDP, or name another with --port. A way that ssh takes through other machines is not enough.`,
          cause: thrown,
        });
      }
    });
  }
}

/** The link to servers of this machine. */
export function linkToHere(place: ClientPlace): LinkFromClient {
  const { host, address, port } = place;
  const answered: Answered = async <Result>(
    work: (options: ListenOptions) => Promise<Result>,
  ): Promise<Result> => {
    requireOwnAddress(host.hello, host.host);
    await place.vacate();
    const options = { address, port, token: randomBytes(tokenBytes).toString('hex') };
    const listener = await listenForMeasurement(options);
    try {
      return await work(options);
    } finally {
      await listener.close();
    }
  };
  return new LinkFromClient({ host, address, port, where: 'here' }, answered);
}

/** The link to servers of another machine, of which this one sees neither end. @param host on which clients are */
export function linkToFar(host: FarHost, link: FarLink): LinkFromClient {
  const { address, machine, place } = link;
  const ends = { host, address, port: place.port, where: `on ${machine}` };
  return new LinkFromClient(ends, (work) => link.answered(work));
}

/** The link as it is, from proxies on a machine of their own to the server behind them. */
export function linkFromProxy(link: LinkFromClient): NetworkProvider {
  return {
    id: liveNetwork,
    title: 'the link between two machines',
    start: async (options) => {
      const figures = await link.figures();
      const here = await loopback.start(options);
      const description = { ...here.description, ...described(figures) };
      return { ...here, description, farAddress: link.place.address };
    },
  };
}

/** The link as it is, from clients on another machine to servers: nothing is set on it. */
export function linkFromClient(link: LinkFromClient): NetworkProvider {
  const asItIs = linkFromProxy(link);
  const { host, address } = link.place;
  return {
    ...asItIs,
    start: async (options) => ({
      ...(await asItIs.start(options)),
      serverAddress: address,
      // What the client's machine loses bears on its load.
      counters: async () => (await host.ask('counters', {})).answered.counters,
    }),
  };
}
