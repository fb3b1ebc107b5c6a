import { H2h3Error } from '../../src/core/model/errors.ts';
import { overfullBy } from '../../src/core/model/path-room.ts';
import type { PathStart } from '../../src/core/model/path-start.ts';
import type { DirectionSpec, NetworkSpec } from '../../src/core/model/network-spec.ts';
import { highestFigures } from '../../src/core/model/schedule.ts';
import { scheduleOf, type PathCourses } from './path-schedules.ts';
import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import { generateTrace } from './traces/generate-trace.ts';
import { readTrace } from './traces/read-trace.ts';
import { capped, eachSecondMbps, peakMbps, requireUsable, type Trace } from './traces/trace.ts';

/** Both directions' traces; null where the rate does not vary. */
export interface PathTraces {
  readonly up: Trace | null;
  readonly down: Trace | null;
}

/** Read or generated, and capped. @throws H2h3Error `bad-input` */
async function traceOf(direction: DirectionSpec): Promise<Trace | null> {
  const { trace: source } = direction;
  if (source === undefined) return null;
  const trace =
    source.format === 'generated'
      ? generateTrace(source)
      : requireUsable(await readTrace(source.file, source.format), source.file);
  const used = source.capMbps === undefined ? trace : capped(trace, source.capMbps);
  requireCarried(used, source.format === 'generated' ? source.generator : source.file, direction);
  return used;
}

/** @throws H2h3Error `bad-input` for a trace whose highest rate no path of ours has, alone or with the longest delay of its direction */
function requireCarried(trace: Trace, name: string, direction: DirectionSpec): void {
  const rateMbps = peakMbps(trace);
  const tooFast =
    rateMbps > highestFigures.rateMbps ? `the emulator carries ${highestFigures.rateMbps} Mbit/s` : undefined;
  const delays = [direction.delayMs, ...(direction.schedule ?? []).map(({ delayMs = 0 }) => delayMs)];
  const delayMs = Math.max(...delays);
  const why = tooFast ?? overfullBy({ ...direction, rateMbps, delayMs })?.words;
  if (why === undefined) return;
  throw new H2h3Error('bad-input', `the trace ${name} is too fast for its path: ${why}`, {
    context: { got: `up to ${Math.round(rateMbps)} Mbit/s and a delay of ${delayMs} ms` },
    next: 'Cut its rates by capMbps, or take a shorter delay or queue.',
  });
}

/** @throws H2h3Error `bad-input` for a trace that cannot be read or used. */
export async function tracesOf(spec: NetworkSpec): Promise<PathTraces> {
  return { up: await traceOf(spec.up), down: await traceOf(spec.down) };
}

/** Where in the traces a block begins: the same for all its arms, anywhere in the longer of both. */
export function traceOffsetMs(traces: PathTraces, blockSeed: number): number {
  const lengthMs = Math.max(traces.up?.lengthMs ?? 0, traces.down?.lengthMs ?? 0);
  return seededRandom(deriveSeed(blockSeed, 'trace-offset')).next() * lengthMs;
}

/** Longer sessions show the rate of their first quarter of an hour. */
const toldSeconds = 900;

/** What begins traces, schedules and random numbers anew. */
export function pathStart(
  traces: PathTraces,
  socketPath: string,
  blockSeed: number,
  courses?: PathCourses,
): PathStart {
  const offsetMs = traceOffsetMs(traces, blockSeed);
  const scheduled = courses === undefined ? null : scheduleOf(courses, blockSeed, toldSeconds * 1000);
  return {
    socketPath,
    line: `start ${blockSeed} ${Math.round(offsetMs * 1e6)}${scheduled === null ? '' : ` ${scheduled.offsetMs * 1e6}`}`,
    ...(scheduled === null ? {} : { schedule: scheduled.schedule }),
    ...(traces.down === null ? {} : { downMbps: eachSecondMbps(traces.down, offsetMs, toldSeconds) }),
  };
}
