import { open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ifAbsent } from '../../src/core/model/errors.ts';
import { protocolOf } from '../../src/core/model/protocol.ts';
import type { ServerLogEntry } from '../../src/core/model/raw-trial.ts';
import { withoutPort } from '../../src/core/model/wire-address.ts';

/** A server that gets no CPU writes late; what never comes costs its trial alone so long. */
const timeoutMs = 3000;
const pollMs = 10;

/** A format of log lines that are JSON: names, each with the server's own word for its value, quoted where that is text. */
export function jsonLogFormat(fields: readonly (readonly [name: string, value: string])[]): string {
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** The field of a log entry that names its connection; none without a port. */
export function connectionOf(clientPort: string | undefined): Pick<ServerLogEntry, 'connection'> {
  return clientPort === undefined || clientPort === '' ? {} : { connection: clientPort };
}

/** A request as servers log it, each by its own names. */
export interface LoggedAsk {
  readonly host: string;
  readonly uri: string;
  readonly method: string;
  /** As the server names it. */
  readonly protocol: string;
  readonly port: string | undefined;
  /** The client's IP address; absent where the server does not say. */
  readonly client?: string | undefined;
  readonly priority?: string | null | undefined;
}

/** The fields of a log entry that say what was asked, and how. */
export function askedOf({
  host,
  uri,
  method,
  protocol,
  port,
  client,
  priority,
}: LoggedAsk): Pick<
  ServerLogEntry,
  'host' | 'path' | 'method' | 'protocol' | 'connection' | 'family' | 'priority'
> {
  return {
    host: withoutPort(host),
    path: uri,
    method,
    protocol: protocolOf(protocol) ?? protocol,
    ...connectionOf(port),
    ...familyOf(client),
    ...priorityOf(priority),
  };
}

/** The field of a log entry that names the version of IP; none for what is no address. */
function familyOf(address = ''): Pick<ServerLogEntry, 'family'> {
  // What came over IPv4 to a socket of both (RFC 4291, 2.5.5.2).
  const version = isIP(address.replace(/^::ffff:(?=.*\.)/, ''));
  return version === 4 || version === 6 ? { family: version } : {};
}

/** The field of a log entry that says what the answer announced; none where it announced nothing. */
export function announcedOf(contentLength: string | undefined): Pick<ServerLogEntry, 'announcedBytes'> {
  return contentLength !== undefined && /^\d+$/.test(contentLength)
    ? { announcedBytes: Number(contentLength) }
    : {};
}

/** The field of a log entry that has the request's `Priority`; none where it had none. */
function priorityOf(field: string | null | undefined): Pick<ServerLogEntry, 'priority'> {
  return field === undefined || field === null || field === '' || field === '-' ? {} : { priority: field };
}

/** Present length of the log in bytes; 0 while there is none. */
export async function logLength(file: string): Promise<number> {
  return (await stat(file).catch(ifAbsent(null)))?.size ?? 0;
}

/**
 * Entries after byte `offset`, each line read by `parseLine`. Waits up to 3 s until each of `awaited` (`host` + path with query, as often as it is
 * listed) is there.
 */
export async function readAccessLog(
  file: string,
  parseLine: (line: string) => ServerLogEntry | undefined,
  offset: number,
  awaited: readonly string[],
): Promise<ServerLogEntry[]> {
  const deadline = performance.now() + timeoutMs;
  const counts = new Map<string, number>();
  for (const name of awaited) counts.set(name, (counts.get(name) ?? 0) + 1);
  const entries: ServerLogEntry[] = [];
  let position = offset;
  for (;;) {
    const fresh = await readWholeLines(file, position);
    position = fresh.end;
    for (const entry of fresh.lines.map(parseLine)) {
      if (entry === undefined) continue;
      entries.push(entry);
      countDown(counts, entry.host + entry.path);
    }
    if (counts.size === 0 || performance.now() >= deadline) return entries;
    await sleep(pollMs);
  }
}

function countDown(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 0) - 1;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}

/** Lines that have their end; an unfinished last one is left for the next reading. */
async function readWholeLines(file: string, position: number): Promise<{ lines: string[]; end: number }> {
  const length = await logLength(file);
  if (length <= position) return { lines: [], end: position };
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(length - position);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    const text = buffer.toString('utf8', 0, end);
    return { lines: text.split('\n').filter((line) => line !== ''), end: position + end };
  } finally {
    await handle.close();
  }
}
