import { opportunityBytes, type Trace } from './trace.ts';

/** A few seconds of traces at which a path can be checked without waiting long and without a heavy load. */
export interface CheckStretch {
  readonly offsetMs: number;
  /** Lowest and highest rate of each trace in a second of the stretch; null without a trace. */
  readonly up: Rates | null;
  readonly down: Rates | null;
}

interface Rates {
  readonly minMbps: number;
  readonly peakMbps: number;
}

const stretchSeconds = 6;
/** Stretches without a faster second are preferred. */
const gentleMbps = 200;

/** Megabits in each second of a trace. */
function megabitsBySecond(trace: Trace): number[] {
  const seconds = Math.max(1, Math.floor(trace.lengthMs / 1000));
  if (trace.kind === 'opportunities') {
    const counts = Array.from({ length: seconds }, () => 0);
    for (const timeMs of trace.timesMs) {
      const second = Math.floor(timeMs / 1000) % seconds;
      counts[second] = (counts[second] ?? 0) + (opportunityBytes * 8) / 1e6;
    }
    return counts;
  }
  const isBySecond = trace.steps.every(({ startMs }, index) => startMs === index * 1000);
  if (isBySecond) return trace.steps.map(({ mbps }) => mbps);
  const bySecond = Array.from({ length: seconds }, () => 0);
  for (const [index, { startMs, mbps }] of trace.steps.entries()) {
    const endMs = Math.min(trace.steps[index + 1]?.startMs ?? trace.lengthMs, seconds * 1000);
    for (let fromMs = startMs; fromMs < endMs;) {
      const second = Math.floor(fromMs / 1000);
      const toMs = Math.min(endMs, (second + 1) * 1000);
      bySecond[second] = (bySecond[second] ?? 0) + (mbps * (toMs - fromMs)) / 1000;
      fromMs = toMs;
    }
  }
  return bySecond;
}

function ratesFrom(bySecond: readonly number[], from: number): Rates {
  const rates = Array.from({ length: stretchSeconds }, (_, i) => bySecond[(from + i) % bySecond.length] ?? 0);
  return { minMbps: Math.min(...rates), peakMbps: Math.max(...rates) };
}

/** The stretch whose slowest second is the fastest, of those that are gentle, if there is one. */
export function chooseStretch(up: Trace | null, down: Trace | null): CheckStretch {
  const upBySecond = up && megabitsBySecond(up);
  const downBySecond = down && megabitsBySecond(down);
  const seconds = Math.max(1, upBySecond?.length ?? 0, downBySecond?.length ?? 0);
  let best: CheckStretch = { offsetMs: 0, up: null, down: null };
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let second = 0; second < seconds; second++) {
    const rates = {
      up: upBySecond && ratesFrom(upBySecond, second),
      down: downBySecond && ratesFrom(downBySecond, second),
    };
    const given = [rates.up, rates.down].filter((rates) => rates !== null);
    const isGentle = given.every(({ peakMbps }) => peakMbps <= gentleMbps);
    const least = Math.min(...given.map(({ minMbps }) => minMbps));
    // Not gentle: the lower the peak the better, and always behind the gentle ones.
    const score = isGentle ? least : -Math.max(...given.map(({ peakMbps }) => peakMbps));
    if (score <= bestScore) continue;
    bestScore = score;
    best = { offsetMs: second * 1000, ...rates };
  }
  return best;
}
