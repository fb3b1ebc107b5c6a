import type { TrialEvidence } from '../../model/derive.ts';
import type { DownloadSession } from '../../model/session.ts';
import { pageStages } from './critical-path.ts';
import { elapsedMs, positiveOrNull } from './part.ts';

/**
 * What a trial spent its time on, in ms by stage: of a page its load time along the critical path, of a download the time
 * from the first request to the last byte. Undefined where that cannot be told.
 */
export function stagesOf({ raw, har }: TrialEvidence): Record<string, number> | undefined {
  if (raw.session === null) {
    const stages = pageStages(raw.timings, har);
    return stages === null ? undefined : { ...stages };
  }
  return raw.session.kind === 'download' ? downloadStages(raw.session) : undefined;
}

function downloadStages({ streams = [] }: DownloadSession): Record<string, number> | undefined {
  const startMs = Math.min(...streams.map(({ requestStartMs }) => requestStartMs));
  const firstByte = elapsedMs(startMs, Math.min(...streams.map(({ responseStartMs }) => responseStartMs)));
  const ends = streams.map(({ responseEndMs, lastByteReadMs }) =>
    positiveOrNull(responseEndMs ?? lastByteReadMs),
  );
  if (ends.includes(null) || firstByte === null) return undefined;
  const totalMs = elapsedMs(startMs, Math.max(...ends.map((end) => end ?? 0)));
  return totalMs === null ? undefined : { firstByte, transfer: totalMs - firstByte };
}
