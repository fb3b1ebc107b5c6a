import { H2h3Error } from '../../core/model/errors.ts';
import { shellWord } from '../../core/model/command-words.ts';
import type { PlanFlags } from './plan-flags.ts';

/** An address where a preset could stand: what it is taken for. */
export interface TakenAddress<Flags extends PlanFlags> {
  readonly source: string | undefined;
  readonly flags: Flags;
  /** Said to the user; undefined where nothing was taken for anything. */
  readonly said?: string;
}

const nearby =
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|[^.]+|.+\.(?:local|internal|test))$/;

/** Whether a host is no one's but this machine's and its neighbours': then an app is meant. */
export const isNearby = (hostname: string): boolean => nearby.test(hostname);

/**
 * `h2h3 run https://shop.example/` is --url, and `h2h3 run http://localhost:3000` is --app.
 *
 * @throws H2h3Error `usage` for an address of the Internet without TLS
 */
export function addressAsSource<Flags extends PlanFlags>(
  source: string | undefined,
  flags: Flags,
): TakenAddress<Flags> {
  const url = source !== undefined && /^https?:\/\//i.test(source) ? URL.parse(source) : null;
  if (source === undefined || url === null) return { source, flags };
  if (url.protocol === 'https:')
    return {
      source: undefined,
      flags: { ...flags, url: [...(flags.url ?? []), source] },
      said: `${url.host} is measured with the server that it has (--url)`,
    };
  if (!isNearby(url.hostname))
    throw new H2h3Error(
      'usage',
      `${source} is an address without TLS, and browsers speak HTTP/2 and HTTP/3 over TLS only`,
      {
        next: `Did you mean https://${url.host}${url.pathname}? If an app listens there, say so: --app ${shellWord(source)}.`,
      },
    );
  return {
    source: undefined,
    flags: { ...flags, app: [...(flags.app ?? []), source] },
    said: `${url.host} is measured as an app behind servers of h2h3 (--app)`,
  };
}
