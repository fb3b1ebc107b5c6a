import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { arrivalsOf, minPauseMs, type SinkLine } from '../../../../src/core/model/sink-line.ts';
import { createSink } from '../../../../sites/uploads/sink.ts';
import { waitUntil } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const limitMs = 60_000;

interface StartedSink {
  /** How far each upload has come. */
  readonly lines: () => readonly SinkLine[];
  /** Every line, as it was told. */
  readonly told: readonly SinkLine[];
  /** Emits `arrived` when the sink has taken a part of a body. */
  readonly parts: EventEmitter;
  /** Begins a request with a body; what is written to it goes up. */
  readonly begin: (lengthBytes: number, method?: string) => ReturnType<typeof request>;
}

async function startSink(
  t: TestContext,
  { maxBytes = 1_000_000, now }: { readonly maxBytes?: number; readonly now?: () => number } = {},
): Promise<StartedSink> {
  const told: SinkLine[] = [];
  const sink = createSink({
    maxBytes,
    onLine: (line) => void told.push(line),
    ...(now === undefined ? {} : { now }),
  });
  // Behind the sink's own listener: what it is told of has been counted.
  const parts = new EventEmitter();
  sink.on('request', (incoming: IncomingMessage) => void incoming.on('data', () => parts.emit('arrived')));
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
  t.after(() => {
    sink.closeAllConnections();
    sink.close();
  });
  const { port } = sink.address() as AddressInfo;
  return {
    told,
    parts,
    lines: () => arrivalsOf(told),
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
  const { begin, lines } = await startSink(t, { maxBytes: 1000 });
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

/** A sink by whose clock time passes when the test says so, and an upload to it, byte by byte. */
async function uploadByClock(
  t: TestContext,
  lengthBytes: number,
): Promise<Pick<StartedSink, 'lines' | 'told'> & { readonly send: (afterMs: number) => Promise<void> }> {
  let nowMs = 0;
  const { begin, lines, told, parts } = await startSink(t, { now: () => nowMs });
  const asked = begin(lengthBytes);
  asked.on('error', () => undefined);
  let sentBytes = 0;
  return {
    lines,
    told,
    send: async (afterMs) => {
      nowMs += afterMs;
      const arrived = once(parts, 'arrived');
      asked.write('a');
      await arrived;
      if (++sentBytes < lengthBytes) return;
      asked.end();
      await text(await answerTo(asked));
    },
  };
}

test('a time without a byte is told of with its length, and a shorter one is not', async (t) => {
  for (const [pauseMs, pauses] of [
    [3 * minPauseMs, [{ startMs: 0, durationMs: 3 * minPauseMs }]],
    [minPauseMs, [{ startMs: 0, durationMs: minPauseMs }]],
    [minPauseMs - 1, []],
    [0, []],
  ] as const) {
    const { lines, send } = await uploadByClock(t, 2);
    await send(0);
    await send(pauseMs);
    assert.deepEqual(lines()[0]?.pauses, pauses, `${pauseMs} ms`);
  }
});

test('an upload that takes an hour is told of in a few hundred lines, and each of its pauses once', async (t) => {
  const parts = 600;
  const everyMs = 6000;
  const { lines, told, send } = await uploadByClock(t, parts);
  for (let part = 0; part < parts; part++) await send(part === 0 ? 0 : everyMs);
  assert.ok(told.length < 300, `${told.length} lines`);
  assert.deepEqual(
    lines()[0]?.pauses,
    Array.from({ length: parts - 1 }, (_, part) => ({ startMs: part * everyMs, durationMs: everyMs })),
  );
  assert.equal(told.flatMap(({ pauses }) => pauses).length, parts - 1);
  const upToLast = told.slice(0, -1).map(({ lastByteMs }) => lastByteMs);
  const gapsMs = upToLast.slice(1).map((ms, index) => ms - (upToLast[index] ?? 0));
  assert.ok(
    Math.max(...gapsMs) <= 0.01 * parts * everyMs + everyMs,
    'what is told is at most a hundredth old',
  );
});

test('an upload without a byte comes whole, with the digest of nothing', async (t) => {
  const { begin, lines } = await startSink(t);
  const asked = begin(0);
  asked.end();
  const response = await answerTo(asked);
  const sha256 = createHash('sha256').digest('hex');
  assert.deepEqual(JSON.parse(await text(response)), { bytes: 0, sha256 });
  assert.deepEqual(
    lines().map(({ bytes, end, lastByteMs, pauses }) => ({ bytes, end, lastByteMs, pauses })),
    [{ bytes: 0, end: 'whole', lastByteMs: 0, pauses: [] }],
  );
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

test('a sink that cannot write down what comes ends and says so: a full disk is no upload of nothing', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('this system has no /dev/full');
  const socketPath = join(tempFolder(t), 'sink.sock');
  const program = fileURLToPath(new URL('../../../../sites/uploads/serve-sink.ts', import.meta.url));
  const sink = spawn(process.execPath, [program, '1000', socketPath, '/dev/full'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.after(() => sink.kill('SIGKILL'));
  const said = text(sink.stderr);
  const ended = once(sink, 'exit');
  await waitUntil('the sink listens', limitMs, () => existsSync(socketPath));
  const asked = request({ socketPath, method: 'POST', path: '/upload' });
  asked.on('error', () => undefined);
  asked.end('a photo');
  const [code] = (await ended) as [number | null];
  assert.equal(code, 1);
  assert.match(await said, /ENOSPC/);
});
