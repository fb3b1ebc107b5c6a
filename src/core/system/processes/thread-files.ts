import { readdirSync, readFileSync } from 'node:fs';
import { ofLiving } from './process-table.ts';

/** `/proc/PID/task/TID/NAME` by thread, of every thread of these processes; threads and processes may end at any time. */
export function threadFiles(
  pids: Iterable<number>,
  name: 'schedstat' | 'status',
): ReadonlyMap<string, string> {
  const threads = new Map<string, string>();
  for (const pid of pids)
    ofLiving(() => {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        threads.set(thread, readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8'));
    });
  return threads;
}
