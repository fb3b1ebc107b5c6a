import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { LinkCourse } from '../../src/core/model/schedule.ts';
import { begin, emulatedPath, send, undisturbed, type EmulatedPath } from '../support/emulated-path.ts';

const burstMbps = 100;
const burstPackets = 125;

/** Packets of a burst of this size that crossed; null where the test is skipped. */
async function crossed(
  t: TestContext,
  path: EmulatedPath,
  ipBytes: number,
): Promise<{ sent: number; received: number } | null> {
  const seconds = (burstPackets * ipBytes * 8) / (burstMbps * 1e6);
  const measured = await undisturbed(t, path, async () => {
    await begin(path);
    return send(path, 'down', { mbps: burstMbps, ipBytes, seconds });
  });
  return measured && { sent: measured.sent.sent, received: measured.received.packets };
}

test('a queue that counts packets holds as many small ones as large ones, and one that counts bytes does not', async (t) => {
  const way = { rateMbps: 1, delayMs: 5 };
  const counted = await emulatedPath(t, {
    up: { ...way, queuePackets: 20 },
    down: { ...way, queuePackets: 20 },
  });
  if (counted === null) return;
  const smallOnes = await crossed(t, counted, 100);
  if (smallOnes === null) return;
  const largeOnes = await crossed(t, counted, 1400);
  if (largeOnes === null) return;
  // While the burst comes the link takes some of it: of small packets one in 0.8 ms.
  for (const { sent, received } of [smallOnes, largeOnes])
    assert.ok(received >= 20 && received < sent / 2, `${received} of ${sent} packets`);
  const inBytes = { ...way, queueBytes: 20 * 1400 };
  const weighed = await emulatedPath(t, { up: inBytes, down: inBytes });
  if (weighed === null) return;
  const small = await crossed(t, weighed, 100);
  if (small === null) return;
  assert.equal(small.received, small.sent);
  const large = await crossed(t, weighed, 1400);
  if (large === null) return;
  assert.ok(large.received >= 20 && large.received < large.sent / 2, `${large.received} of ${large.sent}`);
});

/** What receivers at both ends got while both were sent more than the link takes, and what the link did; null where the test is skipped. */
async function bothWays(t: TestContext, path: EmulatedPath) {
  const sending = { mbps: 12, seconds: 2, ipBytes: 1400 };
  return undisturbed(t, path, async () => {
    await begin(path);
    const [up, down] = await Promise.all([send(path, 'up', sending), send(path, 'down', sending)]);
    const course = (await path.network.course?.()) ?? assert.fail('a path that writes nothing down');
    return { up: up.received, down: down.received, course };
  });
}

const packetsLeft = (bins: LinkCourse['up']): number => bins.reduce((sum, [, , left]) => sum + left, 0);

/** What left the link in both directions while packets came to it from both ends, Mbit/s: of the two senders one begins first. */
function togetherMbps({ up, down, binMs }: LinkCourse): number {
  const bytes = down.flatMap(([cameDown, , , downBytes], bin) => {
    const [cameUp = 0, , , upBytes = 0] = up[bin] ?? [];
    return cameDown > 0 && cameUp > 0 ? [downBytes + upBytes] : [];
  });
  const whole = bytes.slice(1, -1);
  return (whole.reduce((sum, each) => sum + each, 0) * 8) / 1000 / (whole.length * binMs);
}

test('directions of a half-duplex link share its rate, and others have one each', async (t) => {
  // Of a link with a schedule the course is written down, by which it is seen whether packets came evenly. This one changes nothing.
  const schedule = [{ atMs: 0, delayMs: 5 }];
  const way = { rateMbps: 10, queueBytes: 50_000, delayMs: 5, schedule };
  const half = await emulatedPath(t, { up: way, down: way, duplex: 'half' });
  if (half === null) return;
  const shared = await bothWays(t, half);
  if (shared === null) return;
  const mbps = togetherMbps(shared.course);
  assert.ok(mbps > 9 && mbps < 10.8, `${mbps} Mbit/s`);
  assert.deepEqual(
    [shared.up.packets, shared.down.packets],
    [packetsLeft(shared.course.up), packetsLeft(shared.course.down)],
  );

  const full = await emulatedPath(t, { up: way, down: way });
  if (full === null) return;
  const apart = await bothWays(t, full);
  if (apart === null) return;
  for (const { mbps } of [apart.up, apart.down]) assert.ok(Math.abs(mbps - 10) < 0.5, `${mbps} Mbit/s`);
});

test('the check of a half-duplex path says what both directions get at once', async (t) => {
  const way = { rateMbps: 10, queuePackets: 1000, delayMs: 5 };
  const path = await emulatedPath(t, { up: way, down: way, duplex: 'half' }, 'quick');
  if (path === null) return;
  const { checks } = path.network.description;
  const both = checks.find(({ quantity }) => quantity.startsWith('rate of both directions at once'));
  assert.equal(both?.expected, 10);
  // Twice as much would be that of two links, and half of it that of one direction. How exact the rate is, is told above.
  assert.ok(Math.abs(both.measured - 10) < 4, `${both.measured} Mbit/s`);
});
