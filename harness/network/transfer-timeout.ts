import { meanLoss, type DirectionSpec, type NetworkSpec } from '../../src/core/model/network-spec.ts';
import { isSilent, type Course, type CourseStep } from '../../src/core/model/schedule-course.ts';
import type { PathCourses } from './path-schedules.ts';
import type { PathTraces } from './path-traces.ts';
import { meanMbps } from './traces/trace.ts';

/** Towards the client, or from it. */
type Way = 'down' | 'up';

const segmentBytes = 1448;
/** Lost packets beyond the model: time-outs, bursts, a busy machine. */
const slack = 5;
const floorMs = 30_000;

/** Least wait for an acknowledgement before Linux sends again, s. */
const timeoutSeconds = 0.2;
/**
 * Share of the time-outs of the model that are left to a sender with selective acknowledgements and probes for a lost
 * tail: it makes 1.4 Mbit/s at 12 % and no delay, as Liu et al. 2025 measured (figure 5), and no limit below 4 %.
 */
const timeoutShare = 0.37;

/** What a path does at times that are known beforehand. */
export interface PathChanges {
  readonly traces: PathTraces;
  readonly courses: PathCourses;
}

/** The direction with the means of what its schedule repeats in place of its own figures. */
function onAverage(direction: DirectionSpec, course: Course | null): DirectionSpec {
  const { repeating, roundMs } = course ?? { repeating: [], roundMs: 0 };
  if (roundMs === 0) return direction;
  const mean = (figureOf: (step: CourseStep) => number): number =>
    repeating.reduce((sum, step, index) => {
      const lengthMs = (repeating[index + 1]?.startMs ?? roundMs) - step.startMs;
      return sum + (figureOf(step) * lengthMs) / roundMs;
    }, 0);
  const { rateMbps: ownMbps, lossPercent: ownPercent } = direction;
  return {
    ...direction,
    rateMbps:
      ownMbps === null ? null : mean(({ outage, rateMbps = ownMbps }) => (outage === true ? 0 : rateMbps)),
    lossPercent: mean(({ outage, lossPercent = ownPercent }) => (outage === true ? 0 : lossPercent)),
  };
}

/**
 * What a path carries of a sender that bears losses, Mbit/s: its rate, mean of its trace, without what is lost.
 * Infinite where nothing bounds it.
 */
export function carriedMbps(spec: NetworkSpec, { traces, courses }: PathChanges, way: Way = 'down'): number {
  const direction = onAverage(spec[way], courses[way]);
  const trace = traces[way];
  const linkMbps = trace ? meanMbps(trace) : (direction.rateMbps ?? Number.POSITIVE_INFINITY);
  return linkMbps * (1 - meanLoss(direction));
}

/**
 * Rate of a loss-based transfer at a loss of p: a segment takes round trip × √(2p/3) (Mathis, Semke, Mahdavi and Ott
 * 1997) and its part of the time-outs, T × min(1, 3 √(3p/8)) × p (1 + 32 p²) (Padhye, Firoiu, Towsley and Kurose 1998);
 * bounded by the link.
 */
export function expectedMbps(spec: NetworkSpec, changes: PathChanges, way: Way = 'down'): number {
  const loss = meanLoss(onAverage(spec[way], changes.courses[way]));
  const carried = carriedMbps(spec, changes, way);
  if (loss === 0) return carried;
  const rttSeconds = Math.max(1, spec.up.delayMs + spec.down.delayMs) / 1000;
  const timeouts = Math.min(1, 3 * Math.sqrt((3 * loss) / 8)) * loss * (1 + 32 * loss ** 2);
  const segmentSeconds = rttSeconds * Math.sqrt((2 * loss) / 3) + timeoutShare * timeoutSeconds * timeouts;
  return Math.min(((segmentBytes * 8) / 1e6 / segmentSeconds) * (1 - loss), carried);
}

/** Loss of a schedule from which on a loss-based sender is taken to send nothing, %. */
const stoppingLossPercent = 5;

/** Time that what comes once takes from a transfer, ms. */
function stoppedMs(course: Course | null): number {
  const stops = (step: CourseStep): boolean =>
    isSilent(step) || (step.lossPercent ?? 0) >= stoppingLossPercent;
  const { once } = course ?? { once: [] };
  return once.reduce((sum, step, index) => {
    const endMs = once[index + 1]?.startMs ?? step.startMs;
    return stops(step) ? sum + endMs - step.startMs : sum;
  }, 0);
}

/** Time in which even a slow transfer of so many bytes is done, ms. */
export function transferTimeoutMs(spec: NetworkSpec, changes: PathChanges, bytes: number): number {
  const mbps = expectedMbps(spec, changes);
  if (!Number.isFinite(mbps)) return 0;
  const stops = Math.max(stoppedMs(changes.courses.up), stoppedMs(changes.courses.down));
  return Math.round(floorMs + slack * (stops + (bytes * 8) / 1000 / mbps));
}
