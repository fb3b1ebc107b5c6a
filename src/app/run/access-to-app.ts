import { publicOrigin, sharedDomain, type AppHost, type AppRoute } from '../../core/model/app-under-test.ts';
import type { LiveAccess } from '../../core/model/live-access.ts';

const ownMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The same app, by any name of this machine. */
function isSamePlace(a: URL, b: URL): boolean {
  const isNamedAlike =
    a.hostname === b.hostname || (ownMachine.includes(a.hostname) && ownMachine.includes(b.hostname));
  return isNamedAlike && a.port === b.port;
}

function isHostOf({ origin }: AppHost, domain: string): boolean {
  const { hostname } = new URL(origin);
  const bare = domain.replace(/^\./, '');
  return bare === hostname || (ownMachine.includes(bare) && ownMachine.includes(hostname));
}

/**
 * What opens an app, for browsers that know it by its public names: cookies and local storage that were kept at the app's own
 * address, by a script that logged in there or by the user, are given to those.
 */
export function accessToApp<Access extends Pick<LiveAccess, 'state'> | undefined>(
  access: Access,
  { hosts, port }: Pick<AppRoute, 'port'> & { readonly hosts: readonly AppHost[] },
): Access {
  if (access === undefined || hosts.length === 0) return access;
  const shared = sharedDomain({ hosts: [...hosts] });
  const domain = hosts.length > 1 ? `.${shared}` : shared;
  const { cookies, origins } = access.state;
  return {
    ...access,
    state: {
      cookies: cookies.map((cookie) =>
        hosts.some((host) => isHostOf(host, cookie.domain)) ? { ...cookie, domain } : cookie,
      ),
      origins: origins.map((saved) => {
        const at = URL.parse(saved.origin);
        const host = hosts.find(({ origin }) => at !== null && isSamePlace(new URL(origin), at));
        return host === undefined ? saved : { ...saved, origin: publicOrigin(host, port) };
      }),
    },
  };
}
