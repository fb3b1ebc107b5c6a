import { H2h3Error } from '../../src/core/model/errors.ts';
import type { FarHost } from './far-host.ts';

/** What was started on the other machine, over the connection of then. */
export interface FarPart {
  /** @throws H2h3Error `process-failed` where it is not reached any more */
  readonly requireReached: () => void;
  /** What of it runs no more, for people; undefined while all of it does. */
  readonly deadPart: () => string | undefined;
  /** Ends it; what is not reached any more ends by itself. */
  readonly stop: () => Promise<void>;
}

/**
 * @param number by which the far end knows it
 * @param name of all of it, such as `the server`
 */
export function farPart(number: number, name: string, host: FarHost): FarPart {
  const { session } = host;
  let isStopped = false;
  const isReached = (): boolean => host.session === session && host.lost() === undefined;
  return {
    requireReached: () => {
      const lost = host.lost();
      if (lost !== undefined) throw lost;
      if (host.session !== session)
        throw new H2h3Error('process-failed', `the connection to ${host.host} was another one`);
    },
    deadPart: () => {
      if (!isReached()) return `the connection to ${host.host}`;
      const part = isStopped ? name : host.deadOf(number);
      return part === undefined ? undefined : `${part} on ${host.host}`;
    },
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      if (!isReached()) return;
      await host.ask('stop', { server: number }).catch((thrown: unknown) => {
        if (host.lost() === undefined) throw thrown;
      });
    },
  };
}
