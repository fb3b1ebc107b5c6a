import type { ServerLogEntry } from '../../src/model/raw-trial.ts';
import type { Session } from '../../src/model/session.ts';

/** The session with what the server's log says of resumptions that the client itself tells nothing of. */
export function resumedByLog(session: Session | null, log: readonly ServerLogEntry[] | null): Session | null {
  if (session?.kind !== 'download' || log === null) return session;
  const streams = session.streams.map((stream) => {
    if (stream.resumption?.resumed !== null) return stream;
    const resumed = newestOf(stream.url, log)?.resumed ?? null;
    return { ...stream, resumption: { ...stream.resumption, resumed } };
  });
  return { ...session, streams };
}

/** The measured request came after the one that brought the ticket. */
function newestOf(url: string, log: readonly ServerLogEntry[]): ServerLogEntry | undefined {
  const { hostname, pathname, search } = new URL(url);
  return log
    .filter(
      ({ host, path }) => path === pathname + search && host.replace(/:\d+$/, '').toLowerCase() === hostname,
    )
    .toSorted((a, b) => b.startEpochMs - a.startEpochMs)[0];
}
