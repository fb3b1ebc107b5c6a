import { maxSilenceMs, minRateMbps, tooLongSilence } from '../../../src/core/model/schedule-course.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';

/** A rate that varies with time: steps of a rate, or delivery opportunities of 1500 bytes each (mahimahi). */
export type Trace =
  | {
      readonly kind: 'steps';
      /** Ascending, the first at 0. */
      readonly steps: readonly { readonly startMs: number; readonly mbps: number }[];
      /** After this time it begins again. */
      readonly lengthMs: number;
    }
  | {
      readonly kind: 'opportunities';
      readonly timesMs: readonly number[];
      readonly lengthMs: number;
    };

/** Bytes that one opportunity of a mahimahi trace delivers. */
export const opportunityBytes = 1500;

/** Mean over the whole trace. */
export function meanMbps(trace: Trace): number {
  if (trace.kind === 'opportunities')
    return (trace.timesMs.length * opportunityBytes * 8) / 1000 / trace.lengthMs;
  return megabitsBetween(trace, 0, trace.lengthMs) / (trace.lengthMs / 1000);
}

/** Its highest rate, Mbit/s; of opportunities that of a whole second, or its mean. */
export function peakMbps(trace: Trace): number {
  if (trace.kind === 'steps') return trace.steps.reduce((most, { mbps }) => Math.max(most, mbps), 0);
  const inSecond = new Map<number, number>();
  for (const timeMs of trace.timesMs) {
    const second = Math.floor(timeMs / 1000);
    inSecond.set(second, (inSecond.get(second) ?? 0) + 1);
  }
  const most = inSecond.values().reduce((most, count) => Math.max(most, count), 0);
  return Math.max(meanMbps(trace), (most * opportunityBytes * 8) / 1e6);
}

/** Megabits that the trace carries between two times, which may lie after its end: it then begins again. */
export function megabitsBetween(trace: Trace, fromMs: number, toMs: number): number {
  if (trace.kind === 'opportunities') {
    const perLap = trace.timesMs.length;
    const before = (timeMs: number): number =>
      Math.floor(timeMs / trace.lengthMs) * perLap +
      trace.timesMs.filter((time) => time < timeMs % trace.lengthMs).length;
    return ((before(toMs) - before(fromMs)) * opportunityBytes * 8) / 1e6;
  }
  const upTo = (timeMs: number): number => {
    const laps = Math.floor(timeMs / trace.lengthMs);
    const sum = (limitMs: number): number =>
      trace.steps.reduce((total, { startMs, mbps }, index) => {
        const endMs = Math.min(trace.steps[index + 1]?.startMs ?? trace.lengthMs, limitMs);
        return endMs > startMs ? total + (mbps * (endMs - startMs)) / 1000 : total;
      }, 0);
    return laps * sum(trace.lengthMs) + sum(timeMs % trace.lengthMs);
  };
  return upTo(toMs) - upTo(fromMs);
}

/** Mean rate in each of so many seconds from a time on; after its end the trace begins again. */
export function eachSecondMbps(trace: Trace, fromMs: number, seconds: number): number[] {
  if (trace.kind === 'steps')
    return Array.from({ length: seconds }, (_, second) =>
      megabitsBetween(trace, fromMs + second * 1000, fromMs + (second + 1) * 1000),
    );
  const rates = new Array<number>(seconds).fill(0);
  const laps = Math.ceil((fromMs + seconds * 1000) / trace.lengthMs);
  for (let lap = Math.floor(fromMs / trace.lengthMs); lap < laps; lap += 1)
    for (const time of trace.timesMs) {
      const second = Math.floor((lap * trace.lengthMs + time - fromMs) / 1000);
      const rate = rates[second];
      if (rate !== undefined) rates[second] = rate + (opportunityBytes * 8) / 1e6;
    }
  return rates;
}

/** Rates above the cap cut to it; opportunities are left, because their rate is in their spacing. */
export function capped(trace: Trace, capMbps: number): Trace {
  if (trace.kind === 'opportunities') return trace;
  return { ...trace, steps: trace.steps.map((step) => ({ ...step, mbps: Math.min(step.mbps, capMbps) })) };
}

/** How long the trace carries nothing, where that is too long, ms. */
function silenceOf(trace: Trace): number | undefined {
  const { lengthMs } = trace;
  if (trace.kind === 'opportunities') {
    const { timesMs } = trace;
    const gaps = timesMs.map(
      (time, index) => time - (timesMs[index - 1] ?? (timesMs.at(-1) ?? 0) - lengthMs),
    );
    return gaps.find((gap) => gap > maxSilenceMs);
  }
  const parts = trace.steps.map(({ startMs, mbps }, index) => ({
    lengthMs: (trace.steps[index + 1]?.startMs ?? lengthMs) - startMs,
    silent: mbps < minRateMbps,
  }));
  return tooLongSilence(parts, true)?.silenceMs;
}

/** Shorter steps on average would keep the emulator busy with each packet. */
const minMeanStepMs = 1;

/** @throws H2h3Error `bad-input` for a trace that carries nothing at all, or nothing for longer than a deadline, or changes too often */
export function requireUsable(trace: Trace, name: string): Trace {
  if (trace.kind === 'steps' && trace.lengthMs / trace.steps.length < minMeanStepMs)
    throw new H2h3Error('bad-input', `the trace ${name} changes too often`, {
      context: {
        expected: `steps of at least ${minMeanStepMs} ms on average`,
        got: `${trace.lengthMs / trace.steps.length} ms`,
        file: name,
      },
    });
  const silenceMs = silenceOf(trace);
  if (silenceMs === undefined) return trace;
  const got = Number.isFinite(silenceMs)
    ? `${(silenceMs / 1000).toFixed(1)} s without any`
    : `no rate of ${minRateMbps} Mbit/s or more`;
  throw new H2h3Error('bad-input', `the trace ${name} has no rate for longer than a trial may take`, {
    context: { expected: `some rate at least every ${maxSilenceMs / 1000} s`, got, file: name },
  });
}
