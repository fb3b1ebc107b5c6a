import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureEmulatorPrograms } from '../../harness/network/emulator-programs.ts';
import type { Namespace } from '../../harness/network/namespace.ts';
import { probe, receive, udpReceiptSchema, udpSendingSchema } from '../../harness/network/probe-path.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { projectDir } from '../support/cli.ts';
import { emulatedPath } from '../support/emulated-path.ts';

/** This machine's own network in place of a namespace. */
const here: Namespace = {
  pid: process.pid,
  adminPrefix: [],
  userPrefix: [],
  alive: () => true,
  script: () => Promise.reject(new Error('no script is run here')),
  stop: () => Promise.resolve(),
};

const idleMs = 1500;
/** So long that no busy machine takes it for what ends at once. */
const longIdleMs = 60_000;
const packets = 50;

test('a receiver of a known number of packets ends when they have come, and any other when none came for its idle time', async () => {
  const { probe: program } = await ensureEmulatorPrograms(await createSetupContext({ projectDir }));
  /** How many packets came of those that were sent, and how long after they began to be sent the receiver ended. */
  const received = async (
    sent: number,
    wanted: readonly number[],
    waitMs = idleMs,
  ): Promise<[number, number]> => {
    const port = await chooseAnyPort();
    let beganMs = NaN;
    const result = await receive({
      place: here,
      program,
      words: ['receive-udp', port, waitMs, ...wanted],
      schema: udpReceiptSchema,
      send: () => {
        beganMs = performance.now();
        return probe(here, program, ['send-udp', '127.0.0.1', port, 100, 1, sent], udpSendingSchema);
      },
    });
    return [result.received.packets, performance.now() - beganMs];
  };
  const [all, allMs] = await received(packets, [packets], longIdleMs);
  assert.equal(all, packets);
  assert.ok(allMs < longIdleMs, `${allMs} ms`);
  for (const [sent, wanted] of [
    [packets, []],
    [packets - 1, [packets]],
  ] as const) {
    const [came, waitedMs] = await received(sent, wanted);
    assert.equal(came, sent);
    assert.ok(waitedMs >= idleMs, `${waitedMs} ms`);
  }
});

test('a path’s rate does not begin with packets that overtook those before them', async (t) => {
  const way = { rateMbps: 10, queuePackets: 1000, delayMs: 400, reorderPercent: 10 };
  const path = await emulatedPath(t, { up: way, down: way }, 'quick');
  if (path === null) return;
  const rates = path.network.description.checks.filter(({ quantity }) => quantity === 'rate, UDP at 110 %');
  assert.equal(rates.length, 2);
  // Over 400 ms more, in which few come, it would be less than 6. How exact it is, the check says.
  for (const { measured } of rates) assert.ok(measured > 8, `${measured} Mbit/s`);
});
