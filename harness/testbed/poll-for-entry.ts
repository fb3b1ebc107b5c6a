import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../servers/server.ts';

/** The log's length is all that is asked for until it grows. */
const pollMs = 100;

/** Resolves when a request for `path` was logged after `mark` in a log of this machine, or `signal` is given. */
export async function pollForEntry(
  server: Pick<RunningServer, 'mark' | 'entriesSince'>,
  mark: number,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  for (let lengthBefore = mark; !signal.aborted;) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    const length = await server.mark();
    if (length === lengthBefore) continue;
    lengthBefore = length;
    const entries = await server.entriesSince(mark, []);
    if (entries.some((entry) => entry.path === path)) return;
  }
}
