import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { NetworkDescription, RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { liveNetwork } from '../../src/core/model/live-names.ts';
import { loopback } from '../network/loopback.ts';
import type { NetworkProvider } from '../network/network.ts';
import type { FarPlace } from './far-place.ts';
import type { ListenOptions } from './link-listener.ts';
import { measureLink } from './link-measurement.ts';

const tokenBytes = 16;
/** A moment in which one of the machines was busy must not be what the link is held to. */
const maxMeasurements = 3;

/** The link between two machines, by itself. */
export class FarLink {
  readonly place: FarPlace;
  #figures: RealLink | undefined;

  constructor(place: FarPlace) {
    this.place = place;
  }

  /** Of the machine at its end, and its name. */
  get address(): string {
    return this.place.address;
  }

  get machine(): string {
    return this.place.host.host;
  }

  /**
   * What it carries, measured when it is first asked for, and again where that was not enough.
   *
   * @throws H2h3Error `unsupported` where the other machine is not reached by it
   */
  async figures(isEnough: (figures: RealLink) => boolean = () => true): Promise<RealLink> {
    let figures = this.#figures ?? (await this.measure());
    this.#figures = figures;
    for (let made = 1; made < maxMeasurements && !isEnough(figures); made++) {
      figures = await this.measure();
      this.#figures = figures;
    }
    return figures;
  }

  /** What it does now. @throws H2h3Error `unsupported` where the other machine is not reached by it */
  measure(): Promise<RealLink> {
    return this.answered(measureLink);
  }

  /**
   * Does something while the other end answers packets at the address and port of servers, which none of them has meanwhile.
   *
   * @throws what `work` throws
   */
  async answered<Result>(work: (options: ListenOptions) => Promise<Result>): Promise<Result> {
    const { place } = this;
    const { host, address, port } = place;
    requireReachable(address, host.host);
    await place.vacate();
    const options = { address, port, token: randomBytes(tokenBytes).toString('hex') };
    await host.ask('measure', options);
    try {
      return await work(options);
    } finally {
      // One that is not reached any more stops by itself.
      if (host.lost() === undefined) await host.ask('measured', {});
    }
  }
}

/** @throws H2h3Error `unsupported` */
function requireReachable(address: string, host: string): void {
  if (isIPv4(address) && !address.startsWith('127.')) return;
  const why = isIPv4(address) ? 'it is this machine itself' : `ssh reached it over IPv6 (${address})`;
  throw new H2h3Error('unsupported', `${host} cannot have the server: ${why}`, {
    next: 'Name the IPv4 address of another machine.',
  });
}

/** The link as it is: nothing is set on it. */
export function realLink(link: FarLink): NetworkProvider {
  return {
    id: liveNetwork,
    title: 'the link between two machines',
    start: async (options) => {
      const figures = await link.figures();
      const near = await loopback.start(options);
      const { address } = link.place;
      return {
        ...near,
        description: { ...near.description, ...described(figures) },
        serverAddress: address,
        farAddress: address,
      };
    },
  };
}

const threeDigits = (value: number): string => String(Number(value.toPrecision(3)));

/** `0.21 ms round trip, 941 Mbit/s down and 938 Mbit/s up over TCP`. */
export function linkWords({ roundTripMs, upMbps, downMbps }: RealLink): string {
  return `${threeDigits(roundTripMs)} ms round trip, ${threeDigits(downMbps)} Mbit/s down and ${threeDigits(upMbps)} Mbit/s up over TCP`;
}

/** What datagrams told; none where they were not measured. */
export function datagramNotes({ udp, routers }: RealLink): string[] {
  const between = routers === undefined ? [] : [routerWords(routers)];
  if (udp === undefined) return between;
  const { askedMbps, roundTripMs, up, down } = udp;
  const lost = ({ lossPercent }: typeof up): string => `${threeDigits(lossPercent)} %`;
  const overtaken = Math.max(up.overtakenPercent, down.overtakenPercent);
  const order = overtaken === 0 ? '' : `, and ${threeDigits(overtaken)} % were overtaken`;
  return [
    `the link over UDP: ${threeDigits(roundTripMs)} ms round trip; at ${threeDigits(askedMbps)} Mbit/s ${lost(down)} of datagrams were lost down and ${lost(up)} up${order}`,
    ...between,
  ];
}

function routerWords(routers: number | null): string {
  if (routers === null) return 'how many routers are between both machines is not known: no datagram told';
  if (routers === 0) return 'no router is between both machines';
  return routers === 1 ? 'a router is between both machines' : `${routers} routers are between both machines`;
}

/** What was measured, as the environment has it. */
export function described(
  figures: RealLink,
): Pick<NetworkDescription, 'id' | 'backend' | 'description' | 'realLink' | 'notes'> {
  return {
    id: liveNetwork,
    backend: 'real',
    description: `link between two machines, ${linkWords(figures)}`,
    realLink: figures,
    notes: datagramNotes(figures),
  };
}
