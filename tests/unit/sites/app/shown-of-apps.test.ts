import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { cleanerOf } from '../../../../src/core/model/secrets.ts';
import { reasonOf, noAnswerReason, notSwitchedReason } from '../../../../sites/app/message-rules.ts';

const secret = 'Pass-2E90c1d7-Kept';
const clean = cleanerOf([secret]);

function requireNone(why: string): void {
  const kept = clean(why);
  for (let start = 0; start + 5 <= secret.length; start++) {
    const part = secret.slice(start, start + 5);
    assert.ok(!kept.toLowerCase().includes(part.toLowerCase()), `${part} in ${kept}`);
  }
}

const message = (rawHeaders: string[], statusCode = 200): IncomingMessage =>
  ({ statusCode, rawHeaders }) as unknown as IncomingMessage;

test('what an app sent is shown so that a secret in it is known, in whatever form and wherever it is cut', () => {
  const base64 = Buffer.from(secret).toString('base64');
  for (const form of [secret, base64, 'x'.repeat(70) + secret])
    requireNone(noAnswerReason(message(['Transfer-Encoding', form])) ?? '');
  const switched = notSwitchedReason(message(['Upgrade', 'websocket']), message(['Upgrade', base64], 101));
  assert.ok(!clean(switched ?? '').includes(base64));
});

test('a packet that begins within a secret does not show the rest of it', () => {
  for (let at = 1; at < secret.length - 4; at++) {
    const thrown = Object.assign(new Error('Parse Error'), {
      rawPacket: Buffer.from(`${secret.slice(at)}\r\n`),
    });
    requireNone(reasonOf(thrown));
  }
});

test('codings and protocols are known in capitals, too', () => {
  assert.equal(noAnswerReason(message(['Transfer-Encoding', 'Chunked'])), null);
  assert.equal(
    notSwitchedReason(message(['Upgrade', 'websocket']), message(['Upgrade', 'WebSocket'], 101)),
    null,
  );
});
