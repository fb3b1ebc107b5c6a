import type { TrialEvidence } from '../../core/model/derive.ts';
import type { DownloadSession } from '../../core/model/session.ts';
import { messageStages } from '../../core/metrics/evidence/messages.ts';
import { pageStages } from './critical-path.ts';
import { transferStages } from './transfer-stages.ts';
import { uploadStages } from './upload-metrics.ts';
import { videoStages } from './video-stages.ts';
import { elapsedMs, positiveOrNull } from '../../core/metrics/evidence/numbers.ts';

/**
 * What a trial spent its time on, in ms by stage: of a page its load time along the critical path, of a download the time
 * from the first request to the last byte, of a video what its viewer waited: its start and its stalls, of messages the mean time of one, of an upload its time. Undefined where that cannot be told.
 */
export function stagesOf({ raw, har, path }: TrialEvidence): Record<string, number> | undefined {
  if (raw.session === null) {
    const stages = pageStages(raw.timings, har);
    return stages === null ? undefined : { ...stages };
  }
  if (raw.session.kind === 'video') return videoStages(raw.session, raw.activity, path?.rateMbps);
  if (raw.session.kind === 'upload') return uploadStages(raw.session, raw);
  if (raw.session.kind === 'messages') {
    const means = messageStages(raw.session);
    return means === undefined ? undefined : { ...means };
  }
  const stages = downloadStages(raw.session);
  if (stages === undefined) return undefined;
  if (raw.activity === undefined) return { ...stages };
  const { firstByte, transfer } = stages;
  const startEpochMs = raw.session.timeOriginEpochMs + firstByteMs(raw.session);
  return {
    firstByte,
    ...transferStages(raw.activity, startEpochMs, transfer, path?.rateMbps),
  };
}

interface DownloadStages {
  readonly firstByte: number;
  readonly transfer: number;
}

function firstByteMs({ streams = [] }: DownloadSession): number {
  return Math.min(...streams.map(({ responseStartMs }) => responseStartMs));
}

function downloadStages(session: DownloadSession): DownloadStages | undefined {
  const { streams = [] } = session;
  const startMs = Math.min(...streams.map(({ requestStartMs }) => requestStartMs));
  const firstByte = elapsedMs(startMs, firstByteMs(session));
  const ends = streams.map(({ responseEndMs, lastByteReadMs }) =>
    positiveOrNull(responseEndMs ?? lastByteReadMs),
  );
  if (ends.includes(null) || firstByte === null) return undefined;
  const totalMs = elapsedMs(startMs, Math.max(...ends.map((end) => end ?? 0)));
  return totalMs === null ? undefined : { firstByte, transfer: totalMs - firstByte };
}
