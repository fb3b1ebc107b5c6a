import {
  publicOrigin,
  sharedDomain,
  type AppHost,
  type AppRoute,
} from '../../src/core/model/app-under-test.ts';
import { withoutPort } from '../../src/core/model/wire-address.ts';

export type Header = readonly [name: string, value: string];

/** Names by which the programs of one machine call it. */
const ownMachine = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'];
/** Headers of an answer that hold addresses. */
const withAddresses =
  /^(?:location|content-location|link|refresh|access-control-allow-origin|content-security-policy(?:-report-only)?)$/i;

/** Addresses as an app writes them, and as browsers know them. */
export class AppAddresses {
  readonly #route: AppRoute;
  readonly #known: readonly { readonly host: AppHost; readonly pattern: RegExp }[];

  constructor(route: AppRoute) {
    this.#route = route;
    this.#known = route.hosts.map((host) => ({ host, pattern: patternOf(host) }));
  }

  /** The host that a request is for, by its `Host`. */
  hostNamed(name: string): AppHost | undefined {
    const bare = withoutPort(name);
    return this.#route.hosts.find(({ host }) => host === bare);
  }

  /** What the app is asked by. */
  askedHost(host: AppHost): string {
    const { ownHost, port } = this.#route;
    if (ownHost === undefined) return new URL(publicOrigin(host, port)).host;
    return ownHost === 'own' ? new URL(host.origin).host : ownHost;
  }

  /** A text with the app's own addresses replaced by those of browsers. */
  toPublic(text: string): string {
    return this.#known.reduce(
      (left, { host, pattern }) =>
        left.replaceAll(pattern, (_, scheme: string) => {
          const { host: place } = new URL(publicOrigin(host, this.#route.port));
          const safe = scheme === '' ? '' : scheme.startsWith('ws') ? 'wss:' : 'https:';
          return `${safe}//${place}`;
        }),
      text,
    );
  }

  /** Where a browser says that it comes from, as an app expects it that is asked by a host of its own. */
  toApp(text: string): string {
    if (this.#route.ownHost === undefined) return text;
    return this.#route.hosts.reduce(
      (left, host) => left.replaceAll(publicOrigin(host, this.#route.port), `http://${this.askedHost(host)}`),
      text,
    );
  }

  /** A header of an answer as browsers must see it. */
  answerHeader([name, value]: Header): Header {
    if (/^set-cookie$/i.test(name)) return [name, this.#cookie(value)];
    return withAddresses.test(name) ? [name, this.toPublic(value)] : [name, value];
  }

  /** Cookies of `localhost` hold for every port of it: of an app with several hosts they hold for all. */
  #cookie(value: string): string {
    return value.replace(/;\s*domain=\.?([^;\s]+)/i, (whole, domain: string) =>
      this.#isOwnName(domain) ? `; Domain=${sharedDomain(this.#route)}` : whole,
    );
  }

  #isOwnName(domain: string): boolean {
    return this.#route.hosts.some(({ origin }) => namesOf(origin).includes(domain.toLowerCase()));
  }
}

function namesOf(origin: string): readonly string[] {
  const { hostname } = new URL(origin);
  return ownMachine.includes(hostname) ? ownMachine : [hostname];
}

/** The app's own origin under each name of its machine, and its public one under any port. */
function patternOf({ host, origin }: AppHost): RegExp {
  const { port } = new URL(origin);
  const ports = port === '' ? '(?::80)?' : `:${port}`;
  const own = namesOf(origin).map((name) => RegExp.escape(name) + ports);
  const known = `${RegExp.escape(host)}(?::\\d+)?`;
  return new RegExp(`((?:https?|wss?):|)//(?:${[...own, known].join('|')})(?![\\w.:-])`, 'gi');
}
