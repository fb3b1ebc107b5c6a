import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate } from '../../../../../src/core/metrics/evaluate.ts';
import {
  heldMessages,
  messageStages,
  messageTimes,
  nearestRank,
  overtakenCount,
} from '../../../../../src/core/metrics/evidence/messages.ts';
import { messageSession } from '../../../../support/message-session.ts';

const close = (value: number | null | undefined, wanted: number): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - wanted) < 1e-9, `${value}, expected ${wanted}`);

test('a percentile is the smallest time that so many messages do not exceed', () => {
  const sorted = Array.from({ length: 100 }, (_, index) => index + 1);
  assert.deepEqual(
    [0.5, 0.9, 0.99, 1].map((share) => nearestRank(sorted, share)),
    [50, 90, 99, 100],
  );
  assert.equal(nearestRank([], 0.5), null);
  assert.equal(nearestRank([7], 0.99), 7);
});

test('what was lost counts as lost, and is in no time', () => {
  const session = messageSession([50, null, 52, null, 54], 'wt-datagrams');
  const metrics = evaluate('messages', { session, times: messageTimes(session) });
  assert.equal(metrics['lostMessages'], 2);
  close(metrics['messageP50Ms'], 52);
  close(metrics['messageP99Ms'], 54);
  close(metrics['messageMeanMs'], 52);
  close(metrics['messageSetupMs'], 55);
  close(metrics['sendLateMs'], 0);
});

test('a session in which nothing came back has no times, and says how much was lost', () => {
  const session = messageSession([null, null], 'wt-datagrams');
  const metrics = evaluate('messages', { session, times: messageTimes(session) });
  assert.deepEqual(
    ['messageP50Ms', 'messageP99Ms', 'messageMeanMs', 'lostMessages', 'blockedMessages'].map(
      (name) => metrics[name],
    ),
    [null, null, null, 2, 0],
  );
  assert.equal(messageStages(session), undefined);
});

test('messages that come in one go behind a late one wait behind it, and the late one does not', () => {
  // The third is lost and sent again: what left 10 to 40 ms later waits for it.
  const session = messageSession([50, 50, 100, 90, 80, 70, 60, 50, 50, 50, 50]);
  const held = heldMessages(session);
  assert.deepEqual(held.slice(0, 8), [null, null, 'by-itself', 'behind', 'behind', 'behind', 'behind', null]);
  assert.equal(overtakenCount(session), 0);
});

test('a late message that others overtake holds up none of them', () => {
  const session = messageSession([50, 50, 100, 50, 50, 50, 50, 50, 50, 50, 50], 'wt-streams');
  assert.deepEqual(
    heldMessages(session).filter((held) => held !== null),
    ['by-itself'],
  );
  // Those that left up to 40 ms later were there before it.
  assert.equal(overtakenCount(session), 1);
});

test('the stages of a message add up to the mean', () => {
  const session = messageSession([50, 50, 100, 90, 80, 70, 60, 50, 50, 50, 50]);
  const stages = messageStages(session);
  const { messageMeanMs } = evaluate('messages', { session, times: messageTimes(session) });
  close((stages?.path ?? 0) + (stages?.headOfLine ?? 0) + (stages?.lateAlone ?? 0), messageMeanMs ?? 0);
  close(stages?.headOfLine, (40 + 30 + 20 + 10) / 11);
  close(stages?.lateAlone, 50 / 11);
});

test('a page that sends late says how late', () => {
  const session = messageSession(Array.from({ length: 100 }, () => 50));
  const late = { ...session, sentMs: session.sentMs.map((ms, index) => ms + (index >= 98 ? 30 : 1)) };
  close(evaluate('messages', { session: late, times: messageTimes(late) })['sendLateMs'], 30);
});
