import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import { uploadMetrics, uploadStages } from '../../../../src/analyse/derive/upload-metrics.ts';
import { originEpochMs, sinkLine, uploadEvidence, uploadSession } from './evidence.ts';

test('the stages of an upload add up to its time: on its way, resting, and answered', async () => {
  const pauses = [{ startMs: 100, durationMs: 200 }];
  // The head came 10 ms after the request, the last byte 760 ms after the head.
  const line = sinkLine({ atEpochMs: originEpochMs + 110, lastByteMs: 760, pauses });
  const stages = uploadStages(uploadSession(), { arrived: [line] });
  assert.deepEqual(stages, { up: 570, upPauses: 200, answer: 30 });
  const { metrics } = await deriveTrial(uploadEvidence({ arrived: [line] }));
  assert.deepEqual(metrics.stagesMs, { ...stages });
});

test('an upload that did not come whole, or whose times are withheld, has no stages', () => {
  assert.equal(uploadStages(uploadSession(), { arrived: [sinkLine({ end: 'cut' })] }), undefined);
  assert.equal(uploadStages(uploadSession(), {}), undefined);
  assert.equal(uploadStages(uploadSession({ requestStartMs: 0 }), { arrived: [sinkLine()] }), undefined);
});

test('a progress bar is full from when the page was told that all is sent', () => {
  const { metrics } = uploadMetrics(uploadSession({ allSentMs: 650 }), { arrived: [] });
  assert.equal(metrics['uploadFullBarMs'], 250);
  const told = uploadMetrics(uploadSession({ allSentMs: 901 }), { arrived: [] });
  assert.equal(told.metrics['uploadFullBarMs'], 0, 'the answer was there before the page was told');
  const byFetch = uploadMetrics(uploadSession(), { arrived: [] });
  assert.equal('uploadFullBarMs' in byFetch.metrics, false);
});

test('withheld times are null and said, and clocks that differ make no stage negative', () => {
  const { metrics, warnings } = uploadMetrics(uploadSession({ requestStartMs: 0 }), { arrived: [] });
  assert.deepEqual([metrics['uploadMs'], metrics['uploadMbps']], [null, null]);
  assert.match(warnings.join(), /withholds the times of the upload/);
  const early = uploadStages(uploadSession(), { arrived: [sinkLine({ atEpochMs: originEpochMs - 5000 })] });
  assert.deepEqual(early, { up: 0, upPauses: 0, answer: 800 });
});
