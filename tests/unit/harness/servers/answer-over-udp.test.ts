import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { answerOverUdp } from '../../../../harness/servers/answer-over-udp.ts';
import { unusedPort } from '../../../../src/core/system/free-port.ts';

const packet = Buffer.from('asked');
const limitMs = 60_000;

/** A server that answers each packet by these. @returns its port */
async function startServer(t: TestContext, ...answers: readonly string[]): Promise<number> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.on('message', (_, { port, address }) =>
    answers.forEach((answer) => socket.send(answer, port, address)),
  );
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

test('the first datagram that is an answer is taken, and others are passed over', async (t) => {
  const port = await startServer(t, 'an acknowledgement', 'the answer');
  const read = (datagram: Buffer): string | undefined => /^the.*/.exec(datagram.toString())?.[0];
  assert.equal(await answerOverUdp('127.0.0.1', port, { packet, limitMs, read }), 'the answer');
});

test('where nothing listens, and where nothing that comes is an answer, there is none', async (t) => {
  const read = (): undefined => undefined;
  const ofNone = { packet, limitMs: 200, read };
  assert.equal(await answerOverUdp('127.0.0.1', await startServer(t, 'no answer'), ofNone), undefined);
  const place = await unusedPort();
  assert.equal(await answerOverUdp('127.0.0.1', place, { packet, limitMs, read }), undefined);
});
