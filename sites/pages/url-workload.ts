import { H2h3Error } from '../../src/core/model/errors.ts';
import type { LiveOptions } from '../../src/core/model/live-address.ts';
import type { PreparedWorkload, Workload } from '../../src/core/model/workload.ts';
import { hostWithPort } from '../../src/core/model/live-address.ts';
import { shownAddress } from '../../src/core/model/user-information.ts';
import { visitRemote } from './visit-remote.ts';

/**
 * A live address as a page workload: nothing is served, the browser goes there. Preparing it asks the address once.
 *
 * @throws H2h3Error `usage` unless it is an https address.
 */
export function urlWorkload(url: string, options: LiveOptions = {}): Workload {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'https:') {
    throw new H2h3Error('usage', `Not an address that can be measured: ${shownAddress(url)}`, {
      context: { expected: 'https://host[:port]/path' },
      next: /^[\w-]+:\/\//.test(url)
        ? 'Browsers speak HTTP/2 and HTTP/3 over TLS only: give an https address.'
        : `Did you mean https://${shownAddress(url)}?`,
    });
  }
  if (parsed.username !== '' || parsed.password !== '')
    throw new H2h3Error('usage', `An address with a name and a password is not measured: ${parsed.host}`, {
      next: 'The plan and every report would show them. Give the address without them.',
    });
  const id = `url-${parsed.host}${parsed.pathname}${parsed.search}`
    .replaceAll(/[^a-z0-9.-]+/gi, '-')
    .replace(/-$/, '');
  const facts = { source: parsed.href };
  const prepared: Omit<PreparedWorkload, 'live'> = {
    id,
    kind: 'page',
    title: parsed.href,
    roots: [],
    entry: { url: parsed.href },
    driver: 'load',
    quietMs: 1_000,
    deadlineMs: 60_000,
    loggedHosts: [],
    mediaBufferMegabytes: 0,
    facts,
  };
  return {
    id,
    kind: 'page',
    title: parsed.href,
    facts,
    expectedTrialMs: 6_000,
    prepare: async ({ signal, access }) => {
      const { remote, acceptedKeys } = await visitRemote(parsed, options, signal, access);
      const { connectTo = [], block = [] } = options;
      // Other hosts that answer over HTTP/3 are known when the page was loaded once.
      const h3Hosts = [hostWithPort(parsed)];
      return { ...prepared, live: { remote, h3Hosts, acceptedKeys: [...acceptedKeys], connectTo, block } };
    },
  };
}
