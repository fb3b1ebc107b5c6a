import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, emulatedPath, send, type EmulatedPath } from '../support/emulated-path.ts';

const burstMbps = 100;
const burstPackets = 125;

/** Packets of a burst of this size that crossed. */
async function crossed(path: EmulatedPath, ipBytes: number): Promise<{ sent: number; received: number }> {
  const seconds = (burstPackets * ipBytes * 8) / (burstMbps * 1e6);
  await begin(path);
  const { sent, received } = await send(path, 'down', { mbps: burstMbps, ipBytes, seconds });
  return { sent: sent.sent, received: received.packets };
}

test('a queue that counts packets holds as many small ones as large ones, and one that counts bytes does not', async (t) => {
  const way = { rateMbps: 1, delayMs: 5 };
  const counted = await emulatedPath(t, {
    up: { ...way, queuePackets: 20 },
    down: { ...way, queuePackets: 20 },
  });
  if (counted === null) return;
  for (const ipBytes of [100, 1400]) {
    const { sent, received } = await crossed(counted, ipBytes);
    // While the burst comes the link takes some of it: of small packets one in 0.8 ms.
    assert.ok(received >= 20 && received < sent / 2, `${received} of ${sent} packets of ${ipBytes} bytes`);
  }
  const inBytes = { ...way, queueBytes: 20 * 1400 };
  const weighed = await emulatedPath(t, { up: inBytes, down: inBytes });
  if (weighed === null) return;
  const small = await crossed(weighed, 100);
  assert.equal(small.received, small.sent);
  const large = await crossed(weighed, 1400);
  assert.ok(large.received >= 20 && large.received < large.sent / 2, `${large.received} of ${large.sent}`);
});

/** What each direction carries while both are sent more than the link takes. */
async function bothWays(path: EmulatedPath): Promise<{ readonly up: number; readonly down: number }> {
  const sending = { mbps: 12, seconds: 2, ipBytes: 1400 };
  const [up, down] = await Promise.all([send(path, 'up', sending), send(path, 'down', sending)]);
  return { up: up.received.mbps, down: down.received.mbps };
}

test('directions of a half-duplex link share its rate, and others have one each', async (t) => {
  const way = { rateMbps: 10, queueBytes: 50_000, delayMs: 5 };
  const half = await emulatedPath(t, { up: way, down: way, duplex: 'half' });
  if (half === null) return;
  const shared = await bothWays(half);
  assert.ok(shared.up + shared.down < 10.8, `${shared.up} and ${shared.down} Mbit/s`);
  assert.ok(shared.up + shared.down > 9, `${shared.up} and ${shared.down} Mbit/s`);

  const full = await emulatedPath(t, { up: way, down: way });
  if (full === null) return;
  const apart = await bothWays(full);
  for (const mbps of [apart.up, apart.down]) assert.ok(Math.abs(mbps - 10) < 0.5, `${mbps} Mbit/s`);
});

test('the check of a half-duplex path says what both directions get at once', async (t) => {
  const way = { rateMbps: 10, queuePackets: 1000, delayMs: 5 };
  const path = await emulatedPath(t, { up: way, down: way, duplex: 'half' }, 'quick');
  if (path === null) return;
  const { checks } = path.network.description;
  const both = checks.find(({ quantity }) => quantity.startsWith('rate of both directions at once'));
  assert.equal(both?.expected, 10);
  assert.ok(Math.abs(both.measured - 10) < 1, `${both.measured} Mbit/s`);
});
