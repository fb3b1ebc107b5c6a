import assert from 'node:assert/strict';
import type { TrialMetrics } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';

/** Of a session that changes its track to its end, and of one that keeps it once it has settled. */
export const changingTracks = ['720p', '1080p', '720p', '1080p'];
export const settledTracks = ['720p', '1080p', '1080p', '1080p'];

/** The same session with a chunk of each of these tracks, and so many stalls. */
export function playedTracks(record: TrialRecord, tracks: readonly string[], stallCount = 0): TrialRecord {
  const [chunk] = record.metrics.chunks ?? [];
  assert.ok(chunk !== undefined);
  const metrics: TrialMetrics = { ...record.metrics };
  metrics.chunks = tracks.map((representation, index) => ({ ...chunk, index, representation }));
  metrics['stallCount'] = stallCount;
  return { ...record, metrics };
}
