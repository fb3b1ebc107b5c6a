import type { Har } from '../../src/core/model/har.ts';
import type { LiveAccess } from '../../src/core/model/live-access.ts';
import { cleanerOf, noSecret, withParts } from '../../src/core/model/secrets.ts';

/** Headers by which a log-in is carried, given by anybody: what a live site sets is as secret as what it was given. */
const carriers = /^(cookie|set-cookie|authorization|proxy-authorization|x-csrf-token|x-xsrf-token)$/i;

/** Leaves out of a value what must not be written. */
export type Clean = <T>(value: T) => T;

/**
 * Leaves out of what a browser or a server recorded of a user's page what opens that page: the values of cookies and of the
 * headers that were given, wherever a header is a name and a value, and every known secret wherever it stands.
 *
 * @param headers what was given to the page's origin
 */
export function cleanerOfAccess(headers: LiveAccess['headers'], secrets: readonly string[]): Clean {
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const isCarrier = (name: unknown): boolean =>
    typeof name === 'string' && (carriers.test(name) || given.has(name.toLowerCase()));
  const withoutCarried = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const { name, value } = part as { readonly name?: unknown; readonly value?: unknown };
    if (typeof value === 'string' && isCarrier(name)) return { ...part, value: noSecret };
    return withParts(part, withoutCarried);
  };
  const clean = cleanerOf(secrets);
  return <T>(value: T) => clean(withoutCarried(value)) as T;
}

/** The HAR of a user's page without what opens the page, and without what was posted. */
export function harWithoutSecrets(har: Har, clean: Clean): Har {
  const entries = har.log.entries.map((entry) => {
    const request = { ...entry.request };
    delete request['postData'];
    return {
      ...entry,
      request: { ...request, cookies: [] },
      response: { ...entry.response, cookies: [] },
    };
  });
  return clean({ ...har, log: { ...har.log, entries } });
}
