import { protocolOf, type ArmProtocol } from '../../model/protocol.ts';
import type { ServerLogEntry } from '../../model/raw-trial.ts';
import type { Session } from '../../model/session.ts';
import { invalid, type Finding } from './finding.ts';

interface Beside {
  readonly url: string;
  readonly bytes: number;
  /** Undefined: the arm's; empty: no answer came, and the server may not even have heard of it. */
  readonly protocol?: string;
}

/** What is left of a server's log when all is taken out that was no part of the measured transfer. */
export interface MeasuredLog {
  readonly log: readonly ServerLogEntry[] | null;
  readonly findings: readonly Finding[];
}

/**
 * Requests of rivals, those that ended with the client's address, and those that gave a session's ticket stand in the
 * server's log beside the measured one.
 * Each must be there, over its protocol, with at least the bytes that came; it is then taken out, so that the measured
 * transfer is proven as any other.
 */
export function besidesMeasured(
  arm: ArmProtocol,
  session: Session | null,
  log: readonly ServerLogEntry[] | null,
): MeasuredLog {
  const requests = besides(session);
  if (log === null || requests.length === 0) return { log, findings: [] };
  const left = [...log];
  const findings = requests.flatMap((request) => {
    const protocol = request.protocol ?? arm;
    const entry = firstOf(left.filter((one) => isOf(request, one) && one.bytes >= request.bytes));
    if (entry === undefined)
      return protocol === ''
        ? []
        : [invalid(`${request.url}, which ran beside, is not in the server's log with its bytes`)];
    left.splice(left.indexOf(entry), 1);
    return protocol === '' || protocol === 'auto' || protocolOf(entry.protocol) === protocolOf(protocol)
      ? []
      : [invalid(`${request.url}, which ran beside, came over ${entry.protocol}, expected ${protocol}`)];
  });
  return { log: left, findings };
}

function besides(session: Session | null): readonly Beside[] {
  if (session?.kind !== 'download') return [];
  const broken = (session.streams ?? []).flatMap(({ url, handover }) =>
    handover === undefined || handover.brokenBytes === 0 ? [] : [{ url, bytes: handover.brokenBytes }],
  );
  const before = (session.streams ?? []).flatMap(({ url, resumption }) =>
    resumption === undefined ? [] : [{ url, bytes: resumption.ticketBytes }],
  );
  return [...before, ...broken, ...(session.contest?.requests ?? [])];
}

function isOf({ url }: Beside, entry: ServerLogEntry): boolean {
  const { hostname, pathname, search } = new URL(url);
  return entry.path === pathname + search && entry.host.replace(/:\d+$/, '').toLowerCase() === hostname;
}

/** A request that was cut off began before the one that took its place. */
function firstOf(entries: readonly ServerLogEntry[]): ServerLogEntry | undefined {
  return entries.toSorted((a, b) => a.startEpochMs - b.startEpochMs)[0];
}
