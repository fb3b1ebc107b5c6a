import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import type { DownloadSession, Session } from '../../src/core/model/session.ts';
import { wireAddressOf, withoutPort } from '../../src/core/model/wire-address.ts';

type Resumption = NonNullable<DownloadSession['streams'][number]['resumption']>;

/**
 * The session with what the server's log says of resumptions that the client itself tells nothing of.
 *
 * @param asked what the arm says of resumption
 */
export function resumedByLog(
  session: Session | null,
  log: readonly ServerLogEntry[] | null,
  asked?: Resumption['asked'],
): Session | null {
  if (session?.kind !== 'download' || log === null) return session;
  const streams = session.streams.map((stream) => {
    const { resumption, url } = stream;
    if (resumption === undefined) return stream;
    const entry = newestOf(url, log);
    const told = {
      ...(asked === undefined ? {} : { asked }),
      resumed: resumption.resumed ?? entry?.resumed ?? null,
      earlyData: resumption.earlyData ?? entry?.earlyData ?? null,
    };
    return { ...stream, resumption: { ...resumption, ...told } };
  });
  return { ...session, streams };
}

/** The measured request came after the one that brought the ticket. */
function newestOf(url: string, log: readonly ServerLogEntry[]): ServerLogEntry | undefined {
  const wanted = wireAddressOf(url);
  return log
    .filter(({ host, path }) => path === wanted.path && withoutPort(host) === wanted.host)
    .toSorted((a, b) => b.startEpochMs - a.startEpochMs)[0];
}
