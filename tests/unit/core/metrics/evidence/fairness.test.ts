import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairnessOf, jainIndex } from '../../../../../src/core/metrics/evidence/fairness.ts';
import { chunk, videoSession } from '../../../analyse/derive/evidence.ts';

test('equal shares are fair, one that takes all is not', () => {
  assert.equal(jainIndex([5, 5, 5]), 1);
  assert.equal(jainIndex([9, 0, 0]), 1 / 3);
  assert.equal(jainIndex([0, 0]), null);
  // The worked example of Jain, Chiu, Hawe: 1 bit/s to 20 of 100 users, nothing to the others, is 20 % fair.
  const some = Array.from({ length: 100 }, (_, user) => (user < 20 ? 1 : 0));
  assert.equal(jainIndex(some), 0.2);
});

test('players at once are judged by the mean bitrate each could show; one alone is not judged', () => {
  assert.equal(fairnessOf(videoSession()), undefined);
  const others = [videoSession({ chunks: [chunk(0, 3000), chunk(1, 3000), chunk(2, 3000)] })];
  // 1000 and 3000 kbit/s: 4000² / (2 × 10 000 000).
  assert.equal(fairnessOf(videoSession({ others })), 0.8);
});
