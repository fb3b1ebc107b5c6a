import { H2h3Error } from '../../src/core/model/errors.ts';
import { resolverUrl, type ResolverOptions, type RunningResolver } from '../testbed/resolver.ts';
import { farPart } from './far-part.ts';
import type { FarPlace } from './far-place.ts';

/** Starts resolvers next to the servers of the other machine, each at a port of its own there. */
export function farResolvers(place: FarPlace): (options: ResolverOptions) => Promise<RunningResolver> {
  return async ({ hosts, address, addressV6, lateMs, lossPercent }) => {
    const { host } = place;
    if (addressV6 !== undefined)
      throw new H2h3Error('unsupported', `${host.host} is reached over IPv4, and names lead to IPv6 too`);
    const { answered } = await host.ask('start', {
      role: 'resolver',
      hosts: [...hosts],
      address,
      lateMs: { ...lateMs },
      ...(lossPercent === undefined ? {} : { lossPercent }),
    });
    const { server, port } = answered;
    const { deadPart, requireReached, stop } = farPart(server, 'the resolver', host);
    return {
      urlFor: (visit) => resolverUrl({ address, port }, visit),
      port,
      // It is no process of this machine.
      pid: 0,
      deadBehind: deadPart,
      alive: () => deadPart() === undefined,
      questionsSince: async (epochMs) => {
        requireReached();
        const { offsetMs } = (await host.ask('ping', {})).clock;
        const asked = await host.ask('questions', { server, sinceEpochMs: epochMs + offsetMs });
        return asked.answered.questions.map((question) => ({
          ...question,
          atEpochMs: question.atEpochMs - offsetMs,
        }));
      },
      stop,
    };
  };
}
