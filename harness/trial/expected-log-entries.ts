import type { RawTrial } from '../../src/model/raw-trial.ts';
import type { PreparedWorkload } from '../../src/model/workload.ts';

/** Media requests that the page reports as finished, as `host` + path with query: the access log must hold each. */
export function expectedLogEntries(
  raw: Pick<RawTrial, 'session'>,
  workload: Pick<PreparedWorkload, 'loggedHosts'>,
): string[] {
  const session = raw.session;
  if (!session) return [];
  const urls =
    session.kind === 'video'
      ? session.chunks.map((chunk) => chunk.url)
      : [
          ...session.streams.flatMap(({ url, handover, resumption }) =>
            (handover !== undefined && handover.brokenBytes > 0) || resumption !== undefined
              ? [url, url]
              : [url],
          ),
          ...(session.contest?.requests ?? []).flatMap(({ url, protocol }) => (protocol === '' ? [] : [url])),
        ];
  return urls.flatMap((text) => {
    const url = URL.parse(text);
    return url && workload.loggedHosts.includes(url.hostname)
      ? [`${url.hostname}${url.pathname}${url.search}`]
      : [];
  });
}
