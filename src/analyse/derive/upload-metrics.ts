import { evaluate } from '../../core/metrics/evaluate.ts';
import { elapsedMs, finiteOrNull, positiveOrNull, sum } from '../../core/metrics/evidence/numbers.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { UploadSession } from '../../core/model/session.ts';
import type { DerivedPart } from './derived-part.ts';

/** The times and bytes of what was uploaded. */
export function uploadMetrics(
  { uploads }: UploadSession,
  { arrived }: Pick<RawTrial, 'arrived'>,
): DerivedPart {
  const totalMs = spanOf(uploads)?.totalMs ?? null;
  const bytes = sum(uploads.map(({ sentBytes }) => finiteOrNull(sentBytes) ?? 0));
  const metrics = evaluate('upload', { uploads, bytes, totalMs, arrived });
  return {
    metrics: { ...metrics, uploadsMade: uploads.length },
    warnings: [
      ...(totalMs === null ? ['uploadMbps, uploadMs: the browser withholds the times of the upload'] : []),
      ...(metrics['connectMs'] === null
        ? ['connectMs: the upload found its connection already open, or the time is withheld']
        : []),
    ],
  };
}

type UploadStages = Record<'up' | 'upPauses' | 'answer', number>;

/** The upload time until the last byte had come to the server, with and without pauses, and from there on; undefined where either end is not known. */
export function uploadStages(
  { timeOriginEpochMs, uploads }: UploadSession,
  { arrived: [line] = [] }: Pick<RawTrial, 'arrived'>,
): UploadStages | undefined {
  const span = spanOf(uploads);
  if (span === null || line === undefined || line.end !== 'whole') return undefined;
  const { startMs, totalMs } = span;
  const arrivedMs = line.atEpochMs + line.lastByteMs - (timeOriginEpochMs + startMs);
  const untilLastByteMs = Math.min(Math.max(0, arrivedMs), totalMs);
  const upPauses = Math.min(sum(line.pauses.map(({ durationMs }) => durationMs)), untilLastByteMs);
  return { up: untilLastByteMs - upPauses, upPauses, answer: totalMs - untilLastByteMs };
}

/** From the earliest request to the end of the last answer; null where that is withheld. */
function spanOf(
  uploads: UploadSession['uploads'],
): { readonly startMs: number; readonly totalMs: number } | null {
  const startsMs = known(uploads.map(({ requestStartMs }) => requestStartMs));
  const endsMs = known(uploads.map(({ responseEndMs }) => responseEndMs));
  if (startsMs === null || endsMs === null) return null;
  const startMs = Math.min(...startsMs);
  const totalMs = elapsedMs(startMs, Math.max(...endsMs));
  return totalMs === null ? null : { startMs, totalMs };
}

/** Null if one of them is not known: it could be the first, or the last. */
function known(momentsMs: readonly number[]): readonly number[] | null {
  const found = momentsMs.flatMap((ms) => positiveOrNull(ms) ?? []);
  return found.length === 0 || found.length < momentsMs.length ? null : found;
}

/** Bytes of bodies that had come to the sink behind the server by the end of the trial. */
export function bytesArrived({ arrived = [] }: Pick<RawTrial, 'arrived'>): number {
  return sum(arrived.map(({ bytes }) => bytes));
}
