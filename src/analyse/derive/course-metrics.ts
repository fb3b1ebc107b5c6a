import { disturbancesOf, endMsOf } from '../../core/metrics/evidence/disturbances.ts';
import { sum } from '../../core/metrics/evidence/numbers.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { LinkCourse } from '../../core/model/schedule.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { busierDirection } from './course-series.ts';
import type { DerivedPart } from './derived-part.ts';
import { stallsUnderSchedule } from './session-link.ts';

const usPerMs = 1000;

/** Of all packets that left, in ms. */
function meanDelayMs(bins: LinkCourse['up']): number {
  const left = sum(bins.map(([, , packets]) => packets));
  const delaysUs = sum(bins.map(([, , packets, , delayUs]) => packets * delayUs));
  return left === 0 ? 0 : delaysUs / left / usPerMs;
}

/** How the trial got over what the schedule of its link did; nothing where nothing was scheduled. */
export function courseMetrics(raw: RawTrial, kind: WorkloadKind): DerivedPart {
  const { linkCourse, linkSchedule } = raw;
  if (linkCourse === undefined || linkSchedule === undefined) return { metrics: {}, warnings: [] };
  const { direction, bytes } = busierDirection(linkCourse);
  const bins = linkCourse[direction];
  const disturbances = disturbancesOf(linkSchedule[direction]);
  const metrics = evaluate('course', {
    binMs: linkCourse.binMs,
    bytes,
    packetsIn: bins.map(([came]) => came),
    delaysMs: bins.map(([, , , , delayUs]) => delayUs / usPerMs),
    backDelayMs: meanDelayMs(linkCourse[direction === 'up' ? 'down' : 'up']),
    countedLossMs: linkSchedule[direction].find(({ lostPackets }) => lostPackets !== undefined)?.fromMs,
    disturbances,
    stalls: stallsUnderSchedule(raw),
  });
  // A page's rate goes up and down by itself.
  const hasRate = metricDefinition('rateRecoveryMs')?.kinds.includes(kind) === true;
  const [first] = disturbances;
  const isOver = first !== undefined && endMsOf({ binMs: linkCourse.binMs, bytes }) <= first.toMs;
  return {
    metrics,
    warnings: [
      ...(hasRate && metrics['rateRecoveryMs'] === null
        ? ['rateRecoveryMs: the transfer ended before its rate was back at 90 %']
        : []),
      // Of a side that is often done by then the few other trials say little about both.
      ...(isOver ? [`nothing came after the outage or burst of loss that began at ${first.fromMs} ms`] : []),
    ],
  };
}
