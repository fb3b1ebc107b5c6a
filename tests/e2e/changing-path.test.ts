import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { pingSchema, probe, withEcho } from '../../harness/network/probe-path.ts';
import type { NetworkSpecInput } from '../../src/core/model/network-spec.ts';
import type { LinkCourse } from '../../src/core/model/schedule.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { begin, emulatedPath, send, undisturbed, type EmulatedPath } from '../support/emulated-path.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const way = { rateMbps: 20, queueBytes: 250_000, delayMs: 10 };
const echoPort = 9;

/** A path of our emulator whose way to the client follows this schedule; null where there is none, with the test skipped. */
const pathThatFollows = (
  t: TestContext,
  schedule: NonNullable<NetworkSpecInput['down']['schedule']>,
): Promise<EmulatedPath | null> => emulatedPath(t, { up: way, down: { ...way, schedule } });

/** The shortest of 50: what a busy machine adds to some of them is not the link's. */
async function roundTripMs({ network, program }: EmulatedPath): Promise<number> {
  const { near, far } = network.ends ?? assert.fail('a path without ends');
  const { minUs } = await withEcho(far, program, echoPort, () =>
    probe(near, program, ['ping', network.serverAddress, echoPort, 50, 5000], pingSchema),
  );
  return minUs / 1000;
}

async function courseOf({ network }: EmulatedPath): Promise<LinkCourse> {
  return (await network.course?.()) ?? assert.fail('a path that writes nothing down');
}

test('an outage takes from an independent sender what it sends in that time, and the link says when', async (t) => {
  const path = await pathThatFollows(t, [{ atMs: 1000, forMs: 800, outage: true }]);
  if (path === null) return;
  const measured = await undisturbed(t, path, async () => {
    await begin(path);
    return send(path, 'down', { mbps: 4, seconds: 3 });
  });
  if (measured === null) return;
  const { sent, received } = measured;
  const lostMs = (3000 * (sent.sent - received.packets)) / sent.sent;
  assert.ok(Math.abs(lostMs - 800) < 25, `${lostMs} ms of packets were lost`);
  assert.equal(received.overtaken, 0);
  const { down, binMs } = await courseOf(path);
  const lossy = down.flatMap(([, lost], bin) => (lost > 0 ? [bin * binMs] : []));
  assert.deepEqual([lossy[0], (lossy.at(-1) ?? 0) + binMs], [1000, 1800]);
  const all = down.reduce((sum, [, lost]) => sum + lost, 0);
  assert.equal(all, sent.sent - received.packets);
});

test('a delay that a schedule sets is met by an independent sender from then on, and not before', async (t) => {
  const changesAtMs = 5000;
  const path = await pathThatFollows(t, [{ atMs: changesAtMs, delayMs: 60 }]);
  if (path === null) return;
  assert.ok(Math.abs((await roundTripMs(path)) - 20) < 2, 'before the start the link has its own figures');
  let beganMs = 0;
  let before = 0;
  // What is measured before the change is measured when it comes.
  do {
    await begin(path);
    beganMs = performance.now();
    before = await roundTripMs(path);
  } while (performance.now() - beganMs > changesAtMs);
  await sleep(changesAtMs + 1000 - (performance.now() - beganMs));
  const after = await roundTripMs(path);
  // What the machine adds it adds both times: the schedule's part is the difference.
  assert.ok(Math.abs(before - 20) < 2 && Math.abs(after - before - 50) < 2, `${before} ms, then ${after} ms`);
});

test('a rate and a loss that a schedule sets hold for their time', async (t) => {
  const path = await pathThatFollows(t, [{ atMs: 0, forMs: 20_000, rateMbps: 5, lossPercent: 20 }]);
  if (path === null) return;
  const measured = await undisturbed(t, path, async () => {
    await begin(path);
    // After a loss of 20 %, 8 Mbit/s are more than the link takes.
    return send(path, 'down', { mbps: 8, seconds: 2 });
  });
  if (measured === null) return;
  const { received } = measured;
  assert.ok(Math.abs(received.mbps - 5) < 0.3, `${received.mbps} Mbit/s`);
  const { down } = await courseOf(path);
  const came = down.reduce((sum, [packets]) => sum + packets, 0);
  const lost = down.reduce((sum, [, packets]) => sum + packets, 0);
  assert.ok(Math.abs(lost / came - 0.2) < 0.03, `${lost} of ${came}`);
});

/** Packets in 50 ms, of which the link takes 33 large ones: fewer are of a handshake. */
const leastUnderWay = 15;

test('a download over a link with an outage keeps what was in force and what the link did, and has its metrics', async (t) => {
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const folder = tempFolder(t);
  const file = join(folder, 'plan.json');
  writeFileSync(
    file,
    JSON.stringify({
      workloads: ['download-2mb'],
      networks: ['short'],
      clients: ['quic-go'],
      arms: ['h2', 'h3'],
      set: { outage: '500ms@1s' },
      repetitions: 1,
      recordedBlocks: 0,
      exploratory: true,
      quickStart: true,
      customNetworks: { short: { up: { ...way, rateMbps: 8 }, down: { ...way, rateMbps: 8 } } },
    }),
  );
  const out = join(folder, 'run');
  const { stderr } = await runCli(['run', file, '--out', out], { H2H3_PATH_BACKEND: 'emulator' });
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  assert.equal(records.length, 2, stderr);
  let told = 0;
  for (const { trialId, status, reason: why, metrics } of records) {
    if (status !== 'ok' && machineWasLate(why)) continue;
    assert.equal(status, 'ok', `${trialId}: ${why}`);
    const { linkSchedule, linkCourse } = readEvidence(join(out, 'trials', trialId)).raw;
    const outage = { fromMs: 1000, toMs: 1500, outage: true };
    assert.deepEqual([linkSchedule?.up, linkSchedule?.down], [[outage], [outage]]);
    const { down, binMs } = linkCourse ?? assert.fail(`${trialId}: the link wrote nothing down`);
    const lossy = down.flatMap(([, lost], bin) => (lost > 0 ? [bin * binMs] : []));
    assert.deepEqual(
      lossy.filter((atMs) => atMs < outage.fromMs || atMs >= outage.toMs),
      [],
      trialId,
    );
    // What had left the link before the outage arrives in its first 10 ms.
    assert.ok((metrics['rateDuringMbps'] ?? 8) < 0.5, `${trialId}: ${metrics['rateDuringMbps']} Mbit/s`);
    // Of a client without CPU that begins late, or a server that sends nothing just then, the outage takes nothing.
    const isUnderWay = down.some(([came], bin) => bin * binMs < outage.fromMs && came >= leastUnderWay);
    if (!isUnderWay || lossy.length === 0) {
      t.diagnostic(`${trialId}: the outage found no download`);
      continue;
    }
    told++;
    assert.ok((metrics['outageResumeMs'] ?? -1) >= 0, trialId);
    assert.ok((metrics['totalRequestTimeMs'] ?? 0) > 2400, `${trialId}: it waited for the outage to end`);
  }
  if (told === 0) t.skip('the machine was late: no download was under way in the outage');
});
