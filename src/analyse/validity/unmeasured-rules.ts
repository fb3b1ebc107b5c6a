import { protocolOf, type ArmProtocol } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { Session } from '../../core/model/session.ts';
import { invalid, type Finding } from './finding.ts';
import { wireAddressOf, withoutPort } from '../../core/model/wire-address.ts';

/**
 * Most bytes that came of a write which the server did not count because it was cut off in its midst: Caddy copies
 * 32 KiB at once, and HTTP/2 sends them in frames of 16 KiB (seen: 16 384 bytes more received than logged).
 */
const uncountedBytes = 32_768;

interface UnmeasuredRequest {
  readonly url: string;
  readonly bytes: number;
  /** Whether the client broke it off, or may have. */
  readonly isCut?: true;
  /** Undefined: the arm's; empty: no answer came, and the server may not even have heard of it. */
  readonly protocol?: string;
}

/** What is left of a server's log when all is taken out that was no part of the measured transfer. */
export interface MeasuredLog {
  readonly log: readonly ServerLogEntry[] | null;
  readonly findings: readonly Finding[];
}

/**
 * The server's log also has requests of competing flows, those that ended with the client's address, and those that gave a
 * session's ticket.
 * Each must be there, over its protocol, with at least the bytes that came (of one that was broken off, all but those of
 * the last write); it is then taken out, so that the measured transfer is proven as any other.
 */
export function withoutUnmeasured(
  arm: ArmProtocol,
  session: Session | null,
  log: readonly ServerLogEntry[] | null,
): MeasuredLog {
  const requests = unmeasuredRequests(session);
  if (log === null || requests.length === 0) return { log, findings: [] };
  const left = [...log];
  const findings = requests.flatMap((request) => {
    const protocol = request.protocol ?? arm;
    const entry = firstOf(
      left.filter((candidate) => isOf(request, candidate) && candidate.bytes >= minLogged(request)),
    );
    if (entry === undefined)
      return protocol === ''
        ? []
        : [
            invalid(
              'not-logged',
              `${request.url}, which ran at the same time, is not in the server's log with its bytes`,
            ),
          ];
    left.splice(left.indexOf(entry), 1);
    return protocol === '' || protocol === 'auto' || protocolOf(entry.protocol) === protocolOf(protocol)
      ? []
      : [
          invalid(
            'wrong-protocol',
            `${request.url}, which ran at the same time, came over ${entry.protocol}, expected ${protocol}`,
          ),
        ];
  });
  return { log: left, findings };
}

function unmeasuredRequests(session: Session | null): readonly UnmeasuredRequest[] {
  if (session?.kind !== 'download') return [];
  const broken = (session.streams ?? []).flatMap(({ url, handover }) =>
    handover === undefined || handover.brokenBytes === 0
      ? []
      : [{ url, bytes: handover.brokenBytes, isCut: true as const }],
  );
  const before = (session.streams ?? []).flatMap(({ url, resumption }) =>
    resumption === undefined || resumption.isRecorded === true
      ? []
      : [{ url, bytes: resumption.ticketBytes }],
  );
  const competing = (session.contest?.requests ?? []).map((request) => ({
    ...request,
    isCut: true as const,
  }));
  return [...before, ...broken, ...competing];
}

function minLogged({ bytes, isCut }: UnmeasuredRequest): number {
  return isCut === true ? bytes - uncountedBytes : bytes;
}

function isOf({ url }: UnmeasuredRequest, entry: ServerLogEntry): boolean {
  const { host, path } = wireAddressOf(url);
  return entry.path === path && withoutPort(entry.host) === host;
}

/** A request that was cut off began before the one that took its place. */
function firstOf(entries: readonly ServerLogEntry[]): ServerLogEntry | undefined {
  return entries.toSorted((a, b) => a.startEpochMs - b.startEpochMs)[0];
}
