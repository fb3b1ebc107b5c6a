import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import type { NetworkSpecInput } from '../../src/core/model/network-spec.ts';
import {
  begin,
  emulatedPath,
  recordOf,
  send,
  undisturbed,
  type RecordedPacket,
} from '../support/emulated-path.ts';
import { waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * Each kind of item of a schedule against what the emulator itself wrote down of every packet: when it came, and when it left. No
 * clock of another process is asked, so that a busy machine moves packets, and not what is expected of them.
 */

/** As the issue of schedules asks. */
const toleranceMs = 2;
const own = { rateMbps: 20, queueBytes: 250_000, delayMs: 10 };
/** A packet of 500 bytes each ms: the record has those of the first 700 ms and more. */
const mbps = 4;
const recordedMs = 700;
/** Of each stretch of 50 ms and more: fewer would prove nothing of it. */
const leastPackets = 10;

type Changes = Pick<NetworkSpecInput['down'], 'schedule' | 'scheduleFile'>;

/** The first packets that came after the schedule had begun, of a sender that had begun before; null where there is no path. */
async function recordUnder(t: TestContext, changes: Changes): Promise<readonly RecordedPacket[] | null> {
  const path = await emulatedPath(t, { up: own, down: { ...own, ...changes } });
  if (path === null) return null;
  const measure = async (): Promise<readonly RecordedPacket[]> => {
    // Forgets what came before.
    await begin(path);
    const sending = send(path, 'down', { mbps, seconds: 4 });
    await waitUntil('the sender has begun', 60_000, async () => (await recordOf(path)).length > 0);
    await begin(path);
    await sleep(recordedMs + 600);
    const recorded = await recordOf(path);
    await sending;
    return recorded;
  };
  const packets = await undisturbed(t, path, measure, recordedMs);
  return packets?.filter(({ cameMs }) => cameMs < recordedMs) ?? null;
}

/** Those that came in that time, and not within the tolerance of its ends. */
function within(packets: readonly RecordedPacket[], fromMs: number, toMs: number): readonly RecordedPacket[] {
  const inside = packets.filter(({ cameMs }) => cameMs > fromMs + toleranceMs && cameMs < toMs - toleranceMs);
  assert.ok(inside.length >= leastPackets, `${inside.length} packets from ${fromMs} to ${toMs} ms`);
  return inside;
}

const tookMs = ({ cameMs, leftMs }: RecordedPacket): number => (leftMs ?? Infinity) - cameMs;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** All that came in each of these times is lost, and nothing that came between them. */
function assertLostIn(
  packets: readonly RecordedPacket[],
  times: readonly (readonly [number, number])[],
): void {
  let beforeMs = 0;
  for (const [fromMs, toMs] of times) {
    for (const { cameMs, leftMs } of within(packets, beforeMs, fromMs))
      assert.ok(leftMs !== null, `lost at ${cameMs} ms`);
    for (const { cameMs, leftMs } of within(packets, fromMs, toMs))
      assert.equal(leftMs, null, `passed at ${cameMs} ms`);
    beforeMs = toMs;
  }
  if (beforeMs >= recordedMs) return;
  for (const { cameMs, leftMs } of within(packets, beforeMs, recordedMs))
    assert.ok(leftMs !== null, `lost at ${cameMs} ms`);
}

/** Packets that came in that time took so long, most of them, and none less. */
function assertTook(packets: readonly RecordedPacket[], fromMs: number, toMs: number, delayMs: number): void {
  const times = within(packets, fromMs, toMs).map(tookMs);
  assert.ok(Math.min(...times) > delayMs - 0.5, `${Math.min(...times)} ms, from ${fromMs} ms on`);
  assert.ok(Math.abs(median(times) - delayMs) < toleranceMs, `${median(times)} ms, from ${fromMs} ms on`);
}

test('an outage begins and ends within 2 ms of its times', async (t) => {
  const packets = await recordUnder(t, { schedule: [{ atMs: 200, forMs: 150, outage: true }] });
  if (packets !== null) assertLostIn(packets, [[200, 350]]);
});

test('what repeats does so in every round, within 2 ms', async (t) => {
  const packets = await recordUnder(t, { schedule: [{ atMs: 60, forMs: 60, everyMs: 200, outage: true }] });
  if (packets === null) return;
  assertLostIn(packets, [
    [60, 120],
    [260, 320],
    [460, 520],
    [660, recordedMs],
  ]);
});

test('a delay holds from its time to the next item’s, within 2 ms', async (t) => {
  const packets = await recordUnder(t, {
    schedule: [
      { atMs: 200, delayMs: 40 },
      { atMs: 450, delayMs: 20 },
    ],
  });
  if (packets === null) return;
  assertTook(packets, 0, 200, 10);
  assertTook(packets, 200, 450, 40);
  // Those that come when the delay has fallen wait for those before them, so that the order stays.
  assertTook(packets, 475, recordedMs, 20);
});

test('jitter varies the delay while it holds, and keeps the order', async (t) => {
  const packets = await recordUnder(t, { schedule: [{ atMs: 300, forMs: 300, jitterMs: 8 }] });
  if (packets === null) return;
  assertTook(packets, 0, 300, 10);
  const times = within(packets, 300, 600).map(tookMs);
  assert.ok(Math.min(...times) > 10 - 8 - 0.5, `${Math.min(...times)} ms`);
  assert.ok(Math.max(...times) - Math.min(...times) > 4, `${Math.min(...times)} to ${Math.max(...times)} ms`);
  assert.ok(median(times) < 10 + 8 + toleranceMs, `${median(times)} ms`);
  const left = packets.flatMap(({ leftMs }) => leftMs ?? []);
  assert.deepEqual(
    left,
    left.toSorted((a, b) => a - b),
  );
});

test('a rate holds for its time, and its queue empties after it', async (t) => {
  const packets = await recordUnder(t, { schedule: [{ atMs: 200, forMs: 200, rateMbps: 2 }] });
  if (packets === null) return;
  assertTook(packets, 0, 200, 10);
  // By when they leave the link, 10 ms before they arrive.
  const slow = packets.filter(({ leftMs }) => leftMs !== null && leftMs > 220 && leftMs < 400);
  const first = slow.at(0)?.leftMs ?? NaN;
  const last = slow.at(-1)?.leftMs ?? NaN;
  const carriedMbps =
    (8 * slow.slice(1).reduce((sum, { ipBytes }) => sum + ipBytes, 0)) / 1000 / (last - first);
  assert.ok(Math.abs(carriedMbps - 2) < 0.2, `${carriedMbps} Mbit/s`);
  // 200 ms at 2 Mbit/s less than came: they are gone after 25 ms at 20 Mbit/s, with what comes meanwhile 32.
  assertTook(packets, 450, recordedMs, 10);
});

test('a share of the packets is lost for its time, and none before and after', async (t) => {
  const packets = await recordUnder(t, { schedule: [{ atMs: 200, forMs: 300, lossPercent: 50 }] });
  if (packets === null) return;
  const lostOf = (fromMs: number, toMs: number): number => {
    const all = within(packets, fromMs, toMs);
    return all.filter(({ leftMs }) => leftMs === null).length / all.length;
  };
  assert.deepEqual([lostOf(0, 200), lostOf(500, recordedMs)], [0, 0]);
  const share = lostOf(200, 500);
  assert.ok(Math.abs(share - 0.5) < 0.15, `${share}`);
});

test('a file is followed line by line, and again from its beginning', async (t) => {
  const file = join(tempFolder(t), 'schedule.csv');
  writeFileSync(file, 't_ms,rate_mbps,delay_ms,loss_percent\n0,,,\n100,,30,\n200,,,100\n300,,,\n');
  const packets = await recordUnder(t, { scheduleFile: file });
  if (packets === null) return;
  assertTook(packets, 0, 100, 10);
  assertTook(packets, 100, 170, 30);
  assertLostIn(packets, [
    [200, 300],
    [600, recordedMs],
  ]);
  assertTook(packets, 300, 500, 10);
  assertTook(packets, 500, 570, 30);
});
