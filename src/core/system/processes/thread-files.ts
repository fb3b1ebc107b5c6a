import { readdirSync, readFileSync } from 'node:fs';
import { hasErrno } from '../../model/errors.ts';

/** `/proc/PID/task/TID/NAME` by thread, of every thread of these processes; threads and processes may end at any time. */
export function threadFiles(
  pids: Iterable<number>,
  name: 'schedstat' | 'status',
): ReadonlyMap<string, string> {
  const threads = new Map<string, string>();
  for (const pid of pids)
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        threads.set(thread, readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8'));
    } catch (thrown) {
      if (!hasErrno(thrown, 'ENOENT') && !hasErrno(thrown, 'ESRCH')) throw thrown;
    }
  return threads;
}
