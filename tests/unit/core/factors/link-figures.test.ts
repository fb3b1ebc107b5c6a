import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crosstraffic } from '../../../../src/core/factors/other-traffic.ts';
import {
  burstloss,
  duplicate,
  lossburst,
  lostpackets,
  outage,
  reorder,
} from '../../../../src/core/factors/link-faults.ts';
import { withLinkFactors } from '../../../../src/core/factors/link-factors.ts';
import { queue, queuesize } from '../../../../src/core/factors/link.ts';
import { valuesFor } from '../../../../src/core/factors/values.ts';
import { meanLoss, networkSpecSchema, type NetworkSpec } from '../../../../src/core/model/network-spec.ts';

const way = { rateMbps: 10, queueBytes: 64_000, delayMs: 20 };
const spec = (down: object = {}): NetworkSpec =>
  networkSpecSchema.parse({ id: 'n', title: 'n', source: 'test', up: way, down: { ...way, ...down } });
const shaped = (texts: Readonly<Record<string, string>>, network = spec()): NetworkSpec =>
  withLinkFactors(network, valuesFor(['link'], texts));

test('a queue is managed both ways, and what it is made of stays a network that can be had', () => {
  const { up, down } = networkSpecSchema.parse(shaped({ queue: 'fq-codel', queuesize: '50ms' }));
  assert.deepEqual([up.queue, down.queue], ['fq-codel', 'fq-codel']);
  assert.deepEqual([up.queueBytes, down.queueBytes], [62_500, 62_500]);
});

test('a queue size is bytes, packets of 1500 bytes, or time at the rate of each direction', () => {
  const faster = spec({ rateMbps: 100 });
  const bytes = (text: string): (number | null)[] => {
    const { up, down } = shaped({ queuesize: text }, faster);
    return [up.queueBytes, down.queueBytes];
  };
  assert.deepEqual(bytes('400kb'), [400_000, 400_000]);
  assert.deepEqual(bytes('100packets'), [150_000, 150_000]);
  assert.deepEqual(bytes('100ms'), [125_000, 1_250_000]);
  for (const text of ['0ms', '100', '-5ms', '1.5kb', 'ms', '200000packets'])
    assert.equal(queuesize.form.read(text), undefined, text);
});

test('queues of nothing are refused: without a rate, without room, with a time where the rate varies', () => {
  const still = networkSpecSchema.parse({
    id: 'n',
    title: 'n',
    source: 'test',
    up: { delayMs: 5 },
    down: { delayMs: 5 },
  });
  assert.match(queue.incompatibility?.('codel', still) ?? '', /no rate, so nothing waits/);
  assert.match(queuesize.incompatibility?.({ ms: 50 }, still) ?? '', /no rate/);
  assert.match(queuesize.incompatibility?.({ ms: 1 }, spec()) ?? '', /less than 3000 bytes/);
  assert.match(
    queuesize.incompatibility?.({ packets: 70_000 }, spec()) ?? '',
    /with 70000 in the queue, and the emulator holds 65536/,
  );
  const trace = { format: 'generated', generator: '4g-walking' } as const;
  const varying = spec({ rateMbps: null, trace });
  assert.match(queuesize.incompatibility?.({ ms: 50 }, varying) ?? '', /rate varies/);
  assert.equal(queuesize.incompatibility?.({ packets: 100 }, varying), undefined);
  assert.equal(queue.incompatibility?.('codel', varying), undefined);
});

test('a queue that counts packets, or that both directions share, is managed by nothing, and may have another size', () => {
  const packets = { queueBytes: null, queuePackets: 100 };
  const counted = networkSpecSchema.parse({ ...spec(packets), up: { ...way, ...packets } });
  assert.match(queue.incompatibility?.('codel', counted) ?? '', /counts packets/);
  const half = networkSpecSchema.parse({ ...spec(), duplex: 'half' });
  assert.match(queue.incompatibility?.('codel', half) ?? '', /share one queue, which is drop-tail/);
  assert.equal(queue.incompatibility?.('droptail', half), undefined);
  const { down, duplex } = networkSpecSchema.parse(
    shaped({ queuesize: '50ms' }, { ...counted, duplex: 'half' }),
  );
  assert.deepEqual([down.queueBytes, down.queuePackets, duplex], [62_500, undefined, 'half']);
});

test('bursts of loss keep the random loss between them, and have the mean of their profile', () => {
  const { down } = networkSpecSchema.parse(shaped({ burstloss: 'wifi' }, spec({ lossPercent: 1 })));
  assert.deepEqual([down.lossPercent, down.gilbertElliott?.lossInGoodPercent], [0, 1]);
  const mean = (text: string): number => meanLoss(shaped({ burstloss: text }).down);
  assert.ok(Math.abs(mean('wifi') - 2 / 202) < 1e-6 && Math.abs(mean('lossy-wifi') - 2 / 42) < 1e-6);
  assert.ok(Math.abs(mean('1%/25%') - 1 / 26) < 1e-6);
  const own = spec({ gilbertElliott: { goodToBadPercent: 1, badToGoodPercent: 30 } });
  assert.match(
    burstloss.incompatibility?.({ beginPercent: 1, endPercent: 25 }, own) ?? '',
    /bursts of its own/,
  );
  for (const text of ['0%/25%', '5%', 'lte', '1%/0%', '101%/5%'])
    assert.equal(burstloss.form.read(text), undefined, text);
});

test('packets overtake where there is a delay to skip, and come twice anywhere', () => {
  assert.equal(shaped({ reorder: '0.5%' }).up.reorderPercent, 0.5);
  assert.match(reorder.incompatibility?.({ percent: 1 }, spec({ delayMs: 0 })) ?? '', /no delay/);
  assert.equal(shaped({ duplicate: '1%' }).down.duplicatePercent, 1);
  for (const text of ['0%', '51%', '1', '0.0001%', '01%'])
    assert.equal(duplicate.form.read(text), undefined, text);
});

test('an outage and a burst of loss have their times in both directions, in order', () => {
  const { up, down } = networkSpecSchema.parse(shaped({ outage: '2s@3s', lossburst: '30%/1.5s@500ms' }));
  const items = [
    { atMs: 500, forMs: 1500, lossPercent: 30 },
    { atMs: 3000, forMs: 2000, outage: true },
  ];
  assert.deepEqual([up.schedule, down.schedule], [items, items]);
  assert.equal(outage.form.write({ forMs: 1500, atMs: 2000 }), '1500ms@2s');
  for (const text of ['2s', '0s@3s', '61s@3s', '2@3', '2s@3s@4s', '2m@3s', '-2s@3s', '2s@', '02s@3s'])
    assert.equal(outage.form.read(text), undefined, text);
  for (const text of ['30/2s@1s', '0%/2s@1s', '100%/2s@1s', '30%/2s', '30%@2s/1s', '30%/0s@1s'])
    assert.equal(lossburst.form.read(text), undefined, text);
});

test('packets are lost by their place towards the client alone', () => {
  const scheduleWith = (text: string) => networkSpecSchema.parse(shaped({ lostpackets: text })).down.schedule;
  assert.deepEqual(scheduleWith('3@1500ms'), [{ atMs: 1500, forMs: 1000, lostPackets: 3 }]);
  assert.deepEqual(scheduleWith('2ofeach'), [{ atMs: 0, lostOfEach: 2 }]);
  assert.deepEqual(scheduleWith('tail@90kb'), [{ atMs: 0, lostTailAfterBytes: 90_000 }]);
  assert.equal(shaped({ lostpackets: '3@1500ms' }).up.schedule, undefined);
  for (const text of ['1@2s', '12ofeach', 'tail@1mb'])
    assert.equal(lostpackets.form.write(lostpackets.form.read(text) ?? { ofEach: 1 }), text);
  for (const text of ['0@1s', '1001@1s', '1', '1@', '1@1s@2s', '0ofeach', '1001ofeach', 'tail', 'tail@0kb'])
    assert.equal(lostpackets.form.read(text), undefined, text);
  const later = spec({ schedule: [{ atMs: 1000, delayMs: 50 }] });
  assert.match(lostpackets.incompatibility?.({ count: 1, atMs: 1000 }, later) ?? '', /no place for it/);
});

test('an outage has no place where the schedule of the network has something else at that time', () => {
  const own = spec({ schedule: [{ atMs: 2500, forMs: 1000, delayMs: 50 }] });
  assert.match(
    outage.incompatibility?.({ forMs: 2000, atMs: 3000 }, own) ?? '',
    /no place for it: 3000 ms is before/,
  );
  assert.equal(outage.incompatibility?.({ forMs: 2000, atMs: 4000 }, own), undefined);
  const burst = shaped({ lossburst: '30%/2s@2s' });
  assert.match(outage.incompatibility?.({ forMs: 2000, atMs: 3000 }, burst) ?? '', /no place for it/);
});

test('cross traffic names its congestion control, but a call, which has none', () => {
  assert.deepEqual(crosstraffic.form.read('download@bbr'), {
    traffic: 'download',
    transport: 'tcp',
    congestion: 'bbr',
  });
  assert.deepEqual(crosstraffic.form.read('call'), { traffic: 'call', transport: 'tcp' });
  assert.equal(crosstraffic.words?.('upload@cubic'), 'an upload with cubic');
  for (const text of ['call@bbr', 'download@', 'download@b;c', 'download@a@b', 'game'])
    assert.equal(crosstraffic.form.read(text), undefined, text);
});

test('cross traffic over QUIC is a download or an upload, with an algorithm that its sender has', () => {
  const bbr = crosstraffic.form.read('upload@quic-bbr');
  assert.deepEqual(bbr, { traffic: 'upload', transport: 'quic', congestion: 'bbr' });
  assert.equal(crosstraffic.form.write(bbr), 'upload@quic-bbr');
  assert.equal(crosstraffic.words?.('upload@quic-bbr'), 'an upload over QUIC with bbr');
  for (const text of [
    'download@quic',
    'download@quic-',
    'download@quic-vegas',
    'video@quic-bbr',
    'call@quic-bbr',
  ])
    assert.equal(crosstraffic.form.read(text), undefined, text);
});
