import { writeFile } from 'node:fs/promises';
import type { Ipv6State } from '../../src/core/factors/families.ts';
import type { DirectionSpec } from '../../src/core/model/network-spec.ts';
import type { Course, CourseStep } from '../../src/core/model/schedule-course.ts';
import type { Trace } from './traces/trace.ts';

const nsPerMs = 1e6;

/** Whether a queue marks, and whether datagrams with ECN leave it each by itself or joined, as from a network card. */
export type Marking = 'none' | 'apart' | 'joined';

/** Of settings: names of files may hold a comma. */
const separator = '\n';

/** A trace as the emulator reads it: a line for each step or opportunity. */
export function traceText(trace: Trace): string {
  const lines =
    trace.kind === 'steps'
      ? trace.steps.map(({ startMs, mbps }) => `${Math.round(startMs * nsPerMs)} ${mbps * 1e6}`)
      : trace.timesMs.map((timeMs) => String(timeMs * nsPerMs));
  return `${lines.join('\n')}\n`;
}

/**
 * Settings of one direction as the emulator takes them; `traceFile` is where its trace was written.
 *
 * @param marking whether its queue marks what has ECN instead of dropping it, and hands over marked datagrams joined
 */
export function directionSettings(
  direction: DirectionSpec,
  trace: Trace | null,
  traceFile: string,
  marking: Marking = 'none',
): string {
  const { rateMbps, queueBytes, lossPercent, gilbertElliott, delayMs, jitterMs, reorderPercent } = direction;
  const { queuePackets } = direction;
  const settings: [string, string | number][] = [
    ['delay', Math.round(delayMs * nsPerMs)],
    ['jitter', Math.round(jitterMs * nsPerMs)],
    ['reorder', reorderPercent / 100],
    ['queue', queueBytes ?? 0],
    ['rate', (rateMbps ?? 0) * 1e6],
    ['loss', (gilbertElliott?.lossInGoodPercent ?? lossPercent) / 100],
  ];
  if (queuePackets !== undefined) settings.push(['queue-packets', queuePackets]);
  if (direction.queue !== undefined) settings.push(['aqm', direction.queue]);
  if (marking !== 'none') settings.push(['marks', 1]);
  if (marking === 'joined') settings.push(['joins-marked', 1]);
  if (direction.duplicatePercent !== undefined)
    settings.push(['duplicate', direction.duplicatePercent / 100]);
  if (direction.connectDelayMs !== undefined)
    settings.push(['connect-delay', Math.round(direction.connectDelayMs * nsPerMs)]);
  if (gilbertElliott) {
    settings.push(
      ['loss-bad', gilbertElliott.lossInBadPercent / 100],
      ['good-to-bad', gilbertElliott.goodToBadPercent / 100],
      ['bad-to-good', gilbertElliott.badToGoodPercent / 100],
    );
  }
  if (trace) settings.push(['length', Math.round(trace.lengthMs * nsPerMs)], [trace.kind, traceFile]);
  return settings.map(([name, value]) => `${name}=${value}`).join(separator);
}

/**
 * Steps of a schedule as the emulator reads them: a line each, in ns, bit/s and shares, where -1 is the direction's own figure, and
 * the packets that are lost by their place, where 0 is none.
 */
export function scheduleText(steps: readonly CourseStep[]): string {
  const figure = (value: number | undefined, scale: number): number =>
    value === undefined ? -1 : value * scale;
  const lines = steps.map((step) =>
    [
      Math.round(step.startMs * nsPerMs),
      figure(step.rateMbps, 1e6),
      figure(step.delayMs, nsPerMs),
      figure(step.jitterMs, nsPerMs),
      figure(step.lossPercent, 0.01),
      step.outage === true ? 1 : 0,
      step.lostPackets ?? 0,
      step.lostOfEach ?? 0,
      step.lostTailAfterBytes ?? 0,
    ].join(' '),
  );
  return `${lines.join('\n')}\n`;
}

interface DirectionFiles {
  readonly direction: DirectionSpec;
  readonly trace: Trace | null;
  /** Null: nothing is scheduled. */
  readonly course: Course | null;
  readonly marking: Marking;
  /** Absent: packets of IPv6 pass like all others. */
  readonly ipv6?: Ipv6State;
  /** Whether it takes the link and the queue of the way up. Default: no. */
  readonly sharesLink?: boolean;
}

function ipv6Setting(state: Ipv6State): string {
  return state === 'broken' ? 'v6-broken=1' : `v6-delay=${Math.round(state.laterMs * nsPerMs)}`;
}

/** Writes the direction's trace and schedule, if it has one, beginning with `file`, and gives its settings. */
export async function prepareDirection(
  file: string,
  { direction, trace, course, marking, ipv6, sharesLink = false }: DirectionFiles,
): Promise<string> {
  const traceFile = `${file}.trace`;
  if (trace) await writeFile(traceFile, traceText(trace));
  const settings = [directionSettings(direction, trace, traceFile, marking)];
  if (ipv6 !== undefined) settings.push(ipv6Setting(ipv6));
  if (sharesLink) settings.push('half-duplex=1');
  if (course !== null && course.once.length > 0) {
    await writeFile(`${file}.once`, scheduleText(course.once));
    settings.push(`once=${file}.once`);
  }
  if (course !== null && course.repeating.length > 0) {
    await writeFile(`${file}.repeating`, scheduleText(course.repeating));
    const lengthNs = Math.round(course.roundMs * nsPerMs);
    // The length belongs to the steps that were read before it.
    settings.push(`repeating=${file}.repeating`, `repeating-length=${lengthNs}`);
  }
  return settings.join(separator);
}
