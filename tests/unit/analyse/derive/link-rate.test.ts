import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkRateOf } from '../../../../src/analyse/derive/link-rate.ts';
import { originEpochMs, rawTrial, videoSession } from './evidence.ts';

const session = videoSession({});
const loadCallEpochMs = originEpochMs + session.loadCallMs;

test('the rate of a trace counts from the load call, which comes some time after the trace began', () => {
  const linkTrace = { startEpochMs: loadCallEpochMs - 1300, downMbps: [5, 12.34567, 3, 0] };
  assert.deepEqual(linkRateOf(rawTrial({ session, linkTrace })), [
    [0, 12.35],
    [700, 3],
    [1700, 0],
  ]);
});

test('without a trace, or a session of video, there is none', () => {
  const linkTrace = { startEpochMs: loadCallEpochMs, downMbps: [5] };
  assert.equal(linkRateOf(rawTrial({ session })), undefined);
  assert.equal(linkRateOf(rawTrial({ session: null, linkTrace })), undefined);
});
