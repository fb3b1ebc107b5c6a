import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayFindings } from '../../../../src/analyse/validity/relay-rules.ts';
import type { RelayLine } from '../../../../src/core/model/raw-trial.ts';
import { videoSession } from '../derive/evidence.ts';

const session = videoSession({ relay: { url: 'https://moq.test:4444/' } });
const line = (event: RelayLine['event'], transport = 'quic'): RelayLine => ({
  atEpochMs: 0,
  event,
  transport,
});
const reasonsOf = (relayLog?: RelayLine[]): string[] =>
  relayFindings({ session, ...(relayLog && { relayLog }) }).map(({ reason }) => reason);

test('a broadcast over MoQ is one session over QUIC in the log of the relay', () => {
  assert.deepEqual(reasonsOf([line('session'), line('closed')]), []);
  assert.deepEqual(reasonsOf(), ['there is no log of the MoQ relay']);
  assert.match(reasonsOf([])[0] ?? '', /has 0 sessions, expected 1/);
  assert.match(reasonsOf([line('session'), line('closed'), line('session')])[0] ?? '', /has 2 sessions/);
  assert.match(reasonsOf([line('session', 'web_socket')])[0] ?? '', /came over web_socket/);
});

test('a broadcast over DASH asks no relay', () => {
  assert.deepEqual(relayFindings({ session: videoSession(), relayLog: [] }), []);
});
