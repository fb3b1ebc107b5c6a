import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { startEmulatedPath } from '../../harness/network/emulated-path.ts';
import { ensureEmulatorPrograms } from '../../harness/network/emulator-programs.ts';
import type { Namespace } from '../../harness/network/namespace.ts';
import type { OffloadState } from '../../harness/network/network.ts';
import { findPrivilege } from '../../harness/network/privilege.ts';
import { probe, receive, udpReceiptSchema, udpSendingSchema } from '../../harness/network/probe-path.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { networkSpecSchema } from '../../src/core/model/network-spec.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { markedEnvironment } from '../support/test-scope.ts';

const sentPackets = 16_000;
/** Above 150 Mbit/s the sender hands over 16 packets in one piece. */
const sendMbps = 200;
const packetIpBytes = 1200;
const lossPercent = 4;
const port = 9;

const direction = { rateMbps: 1000, queueBytes: 3_000_000, delayMs: 2 };
const spec = networkSpecSchema.parse({
  id: 'super-packets',
  title: '1 Gbit/s, 4 % loss towards the client',
  source: 'a test',
  up: direction,
  down: { ...direction, lossPercent },
});

/** Units that a place has sent and received at its device so far: a super-packet is one. */
async function unitsAt({ pid }: Namespace, device: string): Promise<{ received: number; sent: number }> {
  const text = await readFile(`/proc/${pid}/net/dev`, 'utf8');
  const line = text.split('\n').find((row) => row.trim().startsWith(`${device}:`)) ?? '';
  const fields = line.split(':')[1]?.trim().split(/\s+/).map(Number) ?? [];
  return { received: fields[1] ?? 0, sent: fields[9] ?? 0 };
}

async function crossed(t: TestContext, offloads: OffloadState) {
  const context = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
  const programs = await ensureEmulatorPrograms(context);
  const options = {
    runId: 'super-packets',
    workDir: tempFolder(t),
    hosts: [],
    environment: markedEnvironment(),
    tcpCongestionControl: null,
    cpus: null,
    settings: { offloads },
  };
  const shaped = await startEmulatedPath({
    spec,
    privilege: await findPrivilege(context),
    programs,
    options,
    context,
  });
  t.after(() => shaped.stop());
  const { client, server, place } = shaped;
  const words = ['send-udp', place.nearAddress, port, packetIpBytes, sendMbps, sentPackets];
  const { received, sent } = await receive({
    place: client,
    program: programs.probe,
    // The longest pause of the sender, which may have to wait for a CPU.
    words: ['receive-udp', port, 6000],
    schema: udpReceiptSchema,
    send: () => probe(server, programs.probe, words, udpSendingSchema),
  });
  return {
    offloads: shaped.offloads,
    received,
    sent,
    counters: await shaped.counters(),
    handedOver: (await unitsAt(server, place.deviceName)).sent,
    handedOn: (await unitsAt(client, place.deviceName)).received,
  };
}

for (const offloads of ['on', 'off'] as const)
  test(`offloads ${offloads}: each packet of a super-packet is lost or kept by itself, and those kept arrive`, async (t) => {
    const reason = await namespaceLack();
    if (reason !== null) return t.skip(reason);
    const { counters, received, sent, handedOver, handedOn, ...facts } = await crossed(t, offloads);
    if (offloads === 'on' && facts.offloads['tx-udp-segmentation'] === false)
      return t.skip('this kernel hands over no super-packets of UDP (Linux 6.2)');
    const { emulatorDownPackets: kept = 0, emulatorDownLossDrops: lost = 0 } = counters;
    // A machine under load may lose some elsewhere, which is counted too.
    const elsewhere = ['emulatorDownQueueDrops', 'emulatorDownOverruns', 'interfaceDrops'].map(
      (name) => counters[name] ?? 0,
    );
    const accounted = elsewhere.reduce((sum, count) => sum + count, kept + lost);
    assert.equal(accounted, sent.sent, 'packets are counted, not what they came in');
    assert.equal(received.packets + (counters['UdpRcvbufErrors'] ?? 0), kept);
    assert.equal(received.overtaken, 0);
    const expected = (sent.sent * lossPercent) / 100;
    // Five standard deviations of packets lost one by one.
    const tolerance = 5 * Math.sqrt(expected * (1 - lossPercent / 100));
    assert.ok(Math.abs(lost - expected) <= tolerance, `${lost} lost, ${expected} ± ${tolerance} expected`);
    assert.equal(facts.offloads['tx-udp-segmentation'], offloads === 'on');
    if (offloads === 'off')
      assert.ok(handedOver >= sent.sent && handedOn >= kept, `${handedOver}, ${handedOn}`);
    else assert.ok(handedOver < sent.sent / 8 && handedOn < kept / 2, `${handedOver}, ${handedOn}`);
  });
