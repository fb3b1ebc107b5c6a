import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { minPauseMs, type SinkLine } from '../../../../src/core/model/sink-line.ts';
import { createSink } from '../../../../sites/uploads/sink.ts';
import { waitUntil } from '../../../support/processes.ts';

const limitMs = 60_000;

interface StartedSink {
  /** The newest line of each upload. */
  readonly lines: () => readonly SinkLine[];
  /** Begins a request with a body; what is written to it goes up. */
  readonly begin: (lengthBytes: number, method?: string) => ReturnType<typeof request>;
}

async function startSink(t: TestContext, maxBytes = 1_000_000): Promise<StartedSink> {
  const byId = new Map<string, SinkLine>();
  const sink = createSink({ maxBytes, onLine: (line) => byId.set(line.id, line) });
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
  t.after(() => {
    sink.closeAllConnections();
    sink.close();
  });
  const { port } = sink.address() as AddressInfo;
  return {
    lines: () => [...byId.values()],
    begin: (lengthBytes, method = 'POST') =>
      request({
        port,
        host: '127.0.0.1',
        method,
        path: '/upload?a=1',
        headers: { host: `Sink.Test:${port}`, 'content-length': lengthBytes },
        agent: false,
      }),
  };
}

async function answerTo(asked: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

test('a body that comes whole is answered with its count and digest, and told of alike', async (t) => {
  const { begin, lines } = await startSink(t);
  const body = Buffer.from('a photo'.repeat(1000));
  const sha256 = createHash('sha256').update(body).digest('hex');
  const asked = begin(body.length);
  asked.end(body);
  const response = await answerTo(asked);
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['access-control-allow-origin'], '*');
  assert.equal(response.headers['timing-allow-origin'], '*');
  assert.deepEqual(JSON.parse(await text(response)), { bytes: body.length, sha256 });
  const [line, ...others] = lines();
  assert.deepEqual(others, []);
  const { method, host, path, bytes, end, sha256: told } = line ?? {};
  assert.deepEqual(
    { method, host, path, bytes, end, told },
    {
      method: 'POST',
      host: 'sink.test',
      path: '/upload?a=1',
      bytes: body.length,
      end: 'whole',
      told: sha256,
    },
  );
});

test('a body that is cut off is told of with the bytes that came', async (t) => {
  const { begin, lines } = await startSink(t);
  const asked = begin(5000);
  asked.on('error', () => undefined);
  await new Promise((resolve) => asked.write(Buffer.alloc(2000), resolve));
  await waitUntil('the request is there', limitMs, () => lines().length > 0);
  asked.destroy();
  await waitUntil('the sink has seen the end', limitMs, () => lines()[0]?.end !== undefined);
  assert.deepEqual(
    lines().map(({ bytes, end, sha256 }) => ({ bytes, end, sha256 })),
    [{ bytes: 2000, end: 'cut', sha256: undefined }],
  );
});

test('more than it wants is answered with 413, whether it was announced or not', async (t) => {
  const { begin, lines } = await startSink(t, 1000);
  const announced = begin(5000);
  announced.on('error', () => undefined);
  announced.flushHeaders();
  assert.equal((await answerTo(announced)).statusCode, 413);
  const counted = begin(0);
  counted.removeHeader('content-length');
  counted.on('error', () => undefined);
  counted.write(Buffer.alloc(2000));
  assert.equal((await answerTo(counted)).statusCode, 413);
  announced.destroy();
  counted.destroy();
  assert.deepEqual(
    lines().map(({ end }) => end),
    ['refused', 'refused'],
  );
});

test('a time without a byte is told of with its length, and none where bytes came one after another', async (t) => {
  const { begin, lines } = await startSink(t);
  const pauseMs = 3 * minPauseMs;
  const asked = begin(2000);
  asked.write(Buffer.alloc(1000));
  await sleep(pauseMs);
  asked.end(Buffer.alloc(1000));
  await text(await answerTo(asked));
  const [line] = lines();
  assert.equal(line?.pauses.length, 1);
  assert.ok((line.pauses[0]?.durationMs ?? 0) >= pauseMs * 0.9);
  const flowing = begin(2000);
  flowing.write(Buffer.alloc(1000));
  flowing.end(Buffer.alloc(1000));
  await text(await answerTo(flowing));
  assert.deepEqual(lines()[1]?.pauses, []);
});

test('a page of another host may ask it, and only for uploads', async (t) => {
  const { begin, lines } = await startSink(t);
  const preflight = begin(0, 'OPTIONS');
  preflight.end();
  const allowed = await answerTo(preflight);
  assert.equal(allowed.statusCode, 204);
  assert.equal(allowed.headers['access-control-allow-origin'], '*');
  const asked = begin(0, 'GET');
  asked.end();
  assert.equal((await answerTo(asked)).statusCode, 405);
  assert.deepEqual(lines(), []);
});
