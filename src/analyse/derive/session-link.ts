import { stallsOf } from '../../core/metrics/evidence/stalls.ts';
import type { TrialMetrics } from '../../core/model/metrics.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { CourseInput } from '../../core/metrics/metric-inputs.ts';

/** From navigation start, by which a schedule counts, to the player's load call, ms; undefined without both. */
function loadCallAfterMs({ linkSchedule, session }: RawTrial): number | undefined {
  if (linkSchedule === undefined || session?.kind !== 'video') return undefined;
  return session.timeOriginEpochMs + session.loadCallMs - linkSchedule.startEpochMs;
}

/** What the schedule set towards the client while a session played, ms after its load call; undefined without both. */
export function sessionScheduleOf(raw: RawTrial): TrialMetrics['linkSchedule'] {
  const shiftMs = loadCallAfterMs(raw);
  const stretches = raw.linkSchedule?.down ?? [];
  if (shiftMs === undefined || stretches.length === 0) return undefined;
  return stretches
    .filter(({ toMs }) => toMs > shiftMs)
    .map((stretch) => ({
      ...stretch,
      fromMs: Math.max(0, Math.round(stretch.fromMs - shiftMs)),
      toMs: Math.round(stretch.toMs - shiftMs),
    }));
}

/** When the network held playback up, ms after navigation start; undefined where nothing was played. */
export function stallsUnderSchedule(raw: RawTrial): CourseInput['stalls'] {
  const shiftMs = loadCallAfterMs(raw);
  if (shiftMs === undefined || raw.session?.kind !== 'video') return undefined;
  return stallsOf(raw.session).network.intervals.map(([startMs, endMs]) => ({
    fromMs: startMs + shiftMs,
    toMs: endMs + shiftMs,
  }));
}
