import type { Har, HarHeader } from '../../src/model/har.ts';
import type { LiveAccess } from '../../src/model/live-access.ts';
import { noSecret, valueWithoutSecrets } from '../../src/model/secrets.ts';

/** Headers by which a log-in is carried, given by anybody: what a live site sets is as secret as what it was given. */
const carriers = /^(cookie|set-cookie|authorization|proxy-authorization|x-csrf-token|x-xsrf-token)$/i;

/**
 * The HAR of a live page without what opens the page: values of cookies and of the headers that were given, what was
 * posted, and every known secret wherever it stands.
 *
 * @param headers what was given to the page's origin
 */
export function harWithoutSecrets(har: Har, headers: LiveAccess['headers'], secrets: readonly string[]): Har {
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const clean = (headers: readonly HarHeader[]): HarHeader[] =>
    headers.map((header) =>
      carriers.test(header.name) || given.has(header.name.toLowerCase())
        ? { ...header, value: noSecret }
        : header,
    );
  const entries = har.log.entries.map((entry) => {
    const request = { ...entry.request };
    delete request['postData'];
    return {
      ...entry,
      request: { ...request, headers: clean(request.headers), cookies: [] },
      response: { ...entry.response, headers: clean(entry.response.headers), cookies: [] },
    };
  });
  return valueWithoutSecrets({ ...har, log: { ...har.log, entries } }, secrets);
}
