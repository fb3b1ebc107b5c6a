import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { hasErrno } from '../../src/model/errors.ts';
import { protocolOf } from '../../src/model/protocol.ts';
import type { ServerLogEntry } from '../../src/model/raw-trial.ts';

const patienceMs = 1000;
const pollMs = 10;

/** What Caddy writes for each response that ended (https://caddyserver.com/docs/logging#json-logs). */
const caddyLineSchema = z.object({
  /** Epoch seconds at which the entry was written, that is at the response's end. */
  ts: z.number(),
  request: z.object({
    proto: z.string(),
    method: z.string(),
    host: z.string(),
    uri: z.string(),
    tls: z.object({ resumed: z.boolean() }).optional(),
  }),
  /** Seconds. */
  duration: z.number(),
  size: z.number(),
  status: z.number(),
});

/** One line of Caddy's access log; undefined for a line that is none (torn by a full disk). */
export function parseCaddyLine(line: string): ServerLogEntry | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    // The entry is lost; the trial that awaits it will be found invalid for lack of it.
    return undefined;
  }
  const parsed = caddyLineSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { ts, request, duration, size, status } = parsed.data;
  return {
    host: withoutPort(request.host),
    path: request.uri,
    method: request.method,
    protocol: protocolOf(request.proto) ?? request.proto,
    status,
    bytes: size,
    startEpochMs: (ts - duration) * 1000,
    durationMs: duration * 1000,
    ...(request.tls === undefined ? {} : { resumed: request.tls.resumed }),
  };
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Present length of the log in bytes; 0 while there is none. */
export async function logLength(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}

/**
 * Entries after byte `offset`. Waits up to 1 s until each of `awaited` (`host` + path with query, as often as it is
 * listed) is there.
 */
export async function readAccessLog(
  file: string,
  offset: number,
  awaited: readonly string[],
): Promise<ServerLogEntry[]> {
  const deadline = performance.now() + patienceMs;
  const counts = new Map<string, number>();
  for (const name of awaited) counts.set(name, (counts.get(name) ?? 0) + 1);
  const entries: ServerLogEntry[] = [];
  let position = offset;
  for (;;) {
    const fresh = await readWholeLines(file, position);
    position = fresh.end;
    for (const entry of fresh.lines.map(parseCaddyLine)) {
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
