import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateRefusal } from '../../../sites/page/pinned-certificate.ts';
import { messageWorkloadNamed, messageWorkloads } from '../../../sites/messages/catalogue.ts';

test('a name says size, gap and number of messages', () => {
  assert.deepEqual(messageWorkloadNamed('messages-100b-10ms')?.messages, { messageBytes: 100, gapMs: 10 });
  const few = messageWorkloadNamed('messages-2kb-500ms-x20');
  assert.deepEqual(few?.messages, { messageBytes: 2000, gapMs: 500 });
  assert.equal(few?.facts.wireBytes, 40_000);
});

test('slow messages are a hundred, fast ones as many as eight seconds hold', () => {
  assert.equal(messageWorkloadNamed('messages-8b-4ms')?.facts.wireBytes, 2000 * 8);
  assert.equal(messageWorkloadNamed('messages-8b-1000ms')?.facts.wireBytes, 100 * 8);
});

test('sizes, gaps and numbers that no page can carry are no names', () => {
  const names = [
    '7b-10ms',
    '61kb-10ms',
    '100b-3ms',
    '100b-5001ms',
    '100b-10ms-x9',
    '100b-10ms-x20001',
    '100b',
  ];
  for (const name of names) assert.equal(messageWorkloadNamed(`messages-${name}`), undefined, name);
});

test('those of a chat, a game and telemetry ship, each with a name of its own', () => {
  const ids = messageWorkloads().map(({ id }) => id);
  assert.deepEqual(ids, ['messages-chat', 'messages-game', 'messages-telemetry', 'messages-100b-10ms']);
  for (const { kind, applies } of messageWorkloads())
    assert.deepEqual([kind, applies], ['messages', ['transport']]);
});

test('a certificate that no page may take by its hash is refused with the reason', () => {
  const sound = { sha256: '', days: 13, algorithm: 'ECDSA' };
  assert.equal(certificateRefusal(sound), undefined);
  assert.match(certificateRefusal({ ...sound, days: 90 }) ?? '', /lasts 90 days, .* takes 14 at most/);
  assert.match(certificateRefusal({ ...sound, algorithm: 'RSA' }) ?? '', /key of RSA/);
});
