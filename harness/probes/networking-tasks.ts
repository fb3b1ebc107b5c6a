import { z } from 'zod';
import { networkingTasks, type NetworkingTask } from '../../src/core/model/networking-stages.ts';

const eventSchema = z.object({
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  name: z.string().default(''),
  /** Start and length by the wall clock, and length by the thread's own clock, µs. */
  ts: z.number().default(0),
  dur: z.number().default(0),
  tdur: z.number().optional(),
  args: z
    .object({
      name: z.unknown(),
      src_file: z.string().optional(),
      controller_created_from: z.object({ file_name: z.string().optional() }).optional(),
    })
    .partial()
    .default({}),
});
type TraceEvent = z.infer<typeof eventSchema>;
const traceSchema = z.object({ traceEvents: z.array(z.unknown()) });

/** By the source file from which a task was posted, or whose descriptor became readable. */
const sources: readonly (readonly [NetworkingTask, RegExp])[] = [
  ['transport', /^net\/(quic|third_party\/quiche|spdy|socket|udp|ssl)\//],
  ['handOver', /^(services\/network|mojo)\//],
  ['requests', /^net\//],
];

/** CPU time of Chromium's network service by kind of task; empty where the trace has none of it. */
export function networkingTaskCounters(trace: unknown): Record<string, number> {
  const events = traceSchema
    .parse(trace)
    .traceEvents.flatMap((event) => eventSchema.safeParse(event).data ?? []);
  const services = new Set(
    events.flatMap(({ name, pid, args }) =>
      name === 'process_name' && typeof args.name === 'string' && /network/i.test(args.name) ? [pid] : [],
    ),
  );
  const tasks = events.filter(({ ph, pid }) => ph === 'X' && services.has(pid));
  if (tasks.length === 0) return {};
  const msByTask = new Map<NetworkingTask, number>();
  for (const task of [...Map.groupBy(tasks, ({ pid, tid }) => `${pid} ${tid}`).values()].flatMap(outermost)) {
    const kind = kindOf(task);
    msByTask.set(kind, (msByTask.get(kind) ?? 0) + (task.tdur ?? task.dur) / 1000);
  }
  return Object.fromEntries(networkingTasks.map(({ id, counter }) => [counter, msByTask.get(id) ?? 0]));
}

/** Events of one thread that lie in no other. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let endTs = -Infinity;
  return events
    .toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)
    .filter(({ ts, dur }) => {
      if (ts < endTs) return false;
      endTs = ts + dur;
      return true;
    });
}

function kindOf({ args }: TraceEvent): NetworkingTask {
  const file = args.src_file ?? args.controller_created_from?.file_name ?? '';
  return sources.find(([, pattern]) => pattern.test(file))?.[0] ?? 'rest';
}
