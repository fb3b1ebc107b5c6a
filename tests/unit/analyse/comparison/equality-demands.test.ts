import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooLittlePlayed } from '../../../../src/analyse/comparison/equality-demands.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks } from '../../../support/played-tracks.ts';

/** Stall time of eight blocks, altered. */
function stallsOf(alter: (record: TrialRecord) => TrialRecord): Comparison {
  const { plan, records } = generateRun({ workloads: [{ id: 'video-x', kind: 'video' }], alter });
  const found = summarise(plan, records, null, []).comparisons.find(
    ({ metric }) => metric === 'stallTotalMs',
  );
  assert.ok(found !== undefined);
  return found;
}

test('no event on either side is equality only after enough was watched', () => {
  const withoutStalls = (playedSeconds: number | null): Comparison => {
    const alter = (record: TrialRecord): TrialRecord => {
      const metrics: TrialMetrics = { ...record.metrics };
      Object.assign(metrics, { stallTotalMs: 0, playedSeconds });
      return playedTracks({ ...record, metrics }, changingTracks);
    };
    return stallsOf(alter);
  };
  const minutes = withoutStalls(60);
  assert.deepEqual(
    [minutes.verdict, minutes.reasonCode, minutes.reason],
    ['inconclusive', 'too-little-exposure', tooLittlePlayed('hour of play').text],
  );
  // The rule of three: 8 blocks of a minute.
  assert.ok(Math.abs((minutes.rareEvents?.candidate.rateUpperBound95 ?? 0) - 2.996 / (8 / 60)) < 0.01);
  assert.equal(minutes.rareEvents?.baseline.exposure, 8 / 60);
  // Half an hour of play a side, and a little more for the family's share of the error.
  assert.ok((minutes.blocksNeeded?.[0] ?? 0) >= 30 && (minutes.blocksNeeded?.[0] ?? 0) <= 60);
  assert.equal(withoutStalls(3600).verdict, 'equivalent');
  const short = withoutStalls(12);
  assert.deepEqual([short.verdict, short.reasonCode], ['inconclusive', 'sessions-too-short']);
  assert.equal(withoutStalls(null).reasonCode, 'exposure-unknown');
});

test('eight uploads without a stall on either side do not show that none come', () => {
  const { plan, records } = generateRun({ workloads: [{ id: 'upload-x', kind: 'upload' }] });
  const found = summarise(plan, records, null, []).comparisons.find(
    ({ metric }) => metric === 'uploadStallMs',
  );
  assert.deepEqual([found?.verdict, found?.reason], ['inconclusive', tooLittlePlayed('100 uploads').text]);
  assert.equal(found?.rareEvents?.candidate.exposure, 8 / 100);
});
