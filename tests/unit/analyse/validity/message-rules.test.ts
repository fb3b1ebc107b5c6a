import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeFindings } from '../../../../src/analyse/validity/outcome-rules.ts';
import { messageFindings, messageWarnings } from '../../../../src/analyse/validity/message-rules.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import { messageTransports } from '../../../../src/core/model/message-transport.ts';
import type { MessageSession } from '../../../../src/core/model/session.ts';
import { loggedSession, messageSession } from '../../../support/message-session.ts';

const usual = Array.from({ length: 20 }, () => 50);

const armOf = ({ transport }: MessageSession): 'h2' | 'h3' => (transport === 'websocket' ? 'h2' : 'h3');

function reasonsOf(
  session: MessageSession,
  logged = loggedSession(session),
  arm: 'h1' | 'h2' | 'h3' = armOf(session),
): string[] {
  return messageFindings(arm, { session, serverLog: [logged] }).map(({ reason }) => reason);
}

test('a session of which both ends say the same is valid, by every transport', () => {
  for (const transport of messageTransports)
    assert.deepEqual(reasonsOf(messageSession(usual, transport)), [], transport);
});

test('only datagrams may lose messages', () => {
  const delays = [...usual, null];
  for (const transport of messageTransports)
    assert.equal(
      reasonsOf(messageSession(delays, transport)).length,
      transport === 'wt-datagrams' ? 0 : 1,
      transport,
    );
  const session = messageSession(delays);
  assert.match(reasonsOf(session)[0] ?? '', /missing, and websocket loses none: 21 sent, 21 at the server/);
});

test('more at one end than left the other is no measurement', () => {
  const session = messageSession(usual, 'wt-datagrams');
  assert.match(
    reasonsOf(session, loggedSession(session, { received: 19, receivedBytes: 1900, returned: 19 }))[0] ?? '',
    /20 sent, 19 at the server, 19 sent back, 20 back/,
  );
  assert.match(reasonsOf({ ...session, surplus: 2 })[0] ?? '', /2 echoes came that were there already/);
  assert.match(
    reasonsOf(session, loggedSession(session, { receivedBytes: 1 }))[0] ?? '',
    /1 bytes in 20 messages of 100 bytes each/,
  );
});

test('the server’s log must have the session, over the protocol of the arm and by the transport that was asked for', () => {
  const session = messageSession(usual, 'wt-streams');
  assert.match(messageFindings('h3', { session, serverLog: [] })[0]?.reason ?? '', /not in the server’s log/);
  const twice = [loggedSession(session), loggedSession(session)];
  assert.match(messageFindings('h3', { session, serverLog: twice })[0]?.reason ?? '', /2 sessions/);
  assert.match(reasonsOf(session, { ...loggedSession(session), protocol: 'h2' })[0] ?? '', /over h2/);
  assert.match(reasonsOf(session, loggedSession(session, { over: 'websocket' }))[0] ?? '', /of websocket/);
  assert.match(reasonsOf(session, loggedSession(session, { streams: 1 }))[0] ?? '', /1 streams/);
  assert.match(reasonsOf(session, loggedSession(session, { datagrams: 3 }))[0] ?? '', /3 datagrams/);
});

test('a page that sent most of its messages late did not carry the rate', () => {
  const session = messageSession(usual);
  const late = { ...session, sentMs: session.sentMs.map((ms) => ms + 15) };
  assert.match(reasonsOf(late)[0] ?? '', /15\.0 ms late: this machine cannot carry one every 10\.0 ms/);
  const bearable = { ...session, sentMs: session.sentMs.map((ms) => ms + 9) };
  assert.deepEqual(reasonsOf(bearable), []);
});

test('datagrams that are lost where the path dropped nothing are told', () => {
  const session = messageSession([...usual, null], 'wt-datagrams');
  const none = { emulatorUpLossDrops: 0, emulatorDownLossDrops: 0 };
  assert.match(messageWarnings({ session, counters: none })[0] ?? '', /1 of 21 datagrams were lost/);
  assert.deepEqual(messageWarnings({ session, counters: { ...none, emulatorUpLossDrops: 1 } }), []);
  assert.deepEqual(messageWarnings({ session, counters: {} }), [], 'a path that counts nothing says nothing');
});

test('a browser that has no WebTransport is unsupported, by its name and version', () => {
  const session = { ...messageSession([], 'wt-datagrams'), lacks: 'WebTransport' };
  const browser = { name: 'Firefox', version: '110.0' };
  const raw = { outcome: 'completed', session, browser };
  const evidence = { raw, workload: { driver: 'session' }, protocol: 'h3' } as unknown as TrialEvidence;
  assert.deepEqual(outcomeFindings(evidence), [
    { status: 'unsupported', reason: 'Firefox 110.0 has no WebTransport', reasonCode: 'not-offered' },
  ]);
  assert.deepEqual(messageFindings('h3', { session, serverLog: [] }), [], 'nothing else is said of it');
});
