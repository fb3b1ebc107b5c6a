import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lateChunks } from '../../../../src/analyse/diagnosis/late-chunks.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { trialRecord } from '../../../support/trial-record.ts';

const chunk = (
  index: number,
  [requestStartMs, firstByteMs, lastByteMs]: readonly [number, number, number],
  throughputMbps: number,
) => ({
  index,
  representation: 'a',
  bitrateKbps: 1000,
  durationMs: 2000,
  bytes: 250_000,
  protocol: 'h3',
  requestStartMs,
  firstByteMs,
  lastByteMs,
  throughputMbps,
  bufferLevelSeconds: 0.4,
});

const stalled = (chunks: ReturnType<typeof chunk>[], stalls: [number, number][]) =>
  trialRecord({ metrics: Object.assign<TrialRecord['metrics'], object>({}, { chunks, stalls }) });

test('the chunk that ended a stall was late, for the reason that its times show', () => {
  const slow = stalled([chunk(3, [0, 100, 4000], 0.5), chunk(4, [4000, 4010, 4500], 4)], [[3000, 4100]]);
  const waiting = stalled([chunk(5, [0, 3000, 3200], 10)], [[2000, 3250]]);
  const late = stalled([chunk(6, [2900, 2950, 3200], 8)], [[2000, 3250]]);
  const found = lateChunks('h3', [slow, slow, waiting, late]);
  assert.deepEqual(found.map(({ index, why, trials }) => [index, why, trials]).toSorted(), [
    [3, 'slower-than-playback', 2],
    [5, 'first-byte', 1],
    [6, 'asked-for-late', 1],
  ]);
  assert.deepEqual([found[0]?.index, found[0]?.stallMs, found[0]?.transferMs], [3, 1100, 3900]);
});

test('sessions without stalls have no late chunk', () => {
  assert.deepEqual(lateChunks('h2', [stalled([chunk(0, [0, 1, 2], 1)], []), trialRecord()]), []);
});
