import assert from 'node:assert/strict';
import test from 'node:test';
import { timingOfRequest } from '../../../video/page/request-timing.ts';

test('a request for a chunk that was asked for before has its own times', () => {
  // A player says that it asks a little before or after the browser begins.
  const first = { startTime: 2198 };
  const second = { startTime: 5065.4 };
  assert.equal(timingOfRequest([first, second], 2197), first);
  assert.equal(timingOfRequest([first, second], 5066), second);
  assert.equal(timingOfRequest([], 5066), undefined);
});
