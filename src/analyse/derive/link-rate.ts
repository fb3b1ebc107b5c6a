import type { TrialMetrics } from '../../core/model/metrics.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';

/** The rate that a trace gave the link while a session played, from its load call on; undefined without both. */
export function linkRateOf({ linkTrace, session }: RawTrial): TrialMetrics['linkRateMbps'] {
  if (linkTrace === undefined || session?.kind !== 'video') return undefined;
  const loadCallEpochMs = session.timeOriginEpochMs + session.loadCallMs;
  const beginMs = linkTrace.startEpochMs - loadCallEpochMs;
  return linkTrace.downMbps.flatMap((mbps, second): [number, number][] => {
    const tMs = Math.round(beginMs + second * 1000);
    // The second in which the session begins is cut to it, those before are of no matter.
    return tMs > -1000 ? [[Math.max(0, tMs), Number(mbps.toPrecision(4))]] : [];
  });
}
