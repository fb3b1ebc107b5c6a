import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everydayNetworks } from '../../../../harness/network/everyday-networks.ts';
import { directionSettings, prepareDirection } from '../../../../harness/network/emulator-settings.ts';
import { expectedMbps, transferTimeoutMs } from '../../../../harness/network/transfer-timeout.ts';
import { noCourses } from '../../../../harness/network/path-schedules.ts';
import { pathStart, traceOffsetMs } from '../../../../harness/network/path-traces.ts';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import { lossDeviation } from '../../../../harness/network/path-checks.ts';
import {
  describeNetwork,
  directionSpecSchema,
  meanLoss,
  networkSpecSchema,
} from '../../../../src/core/model/network-spec.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const noTraces = { up: null, down: null };
const noChanges = { traces: noTraces, courses: noCourses };

function network(id: string) {
  const found = networkSpecs.find((spec) => spec.id === id);
  assert.ok(found, id);
  return found;
}

test('every network has a name of its own, a source and both directions', () => {
  const ids = networkSpecs.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const wanted = [
    'ethernet-1g',
    'fiber-300',
    'cable',
    'dsl',
    'cable-2015',
    'dsl-2015',
    '4g',
    '4g-driving',
    '5g',
    '5g-driving',
    'satellite',
    ...[0, 25, 50].flatMap((delay) => [0, 2, 4].map((loss) => `liu-10mbit-${delay}ms-${loss}pct`)),
    'liu-10mbit-0ms-8pct',
    'liu-10mbit-0ms-12pct',
    ...[5, 10, 50, 100].map((rate) => `kakhki-${rate}mbit`),
  ];
  for (const id of wanted) assert.ok(ids.includes(id), id);
  for (const spec of networkSpecs) {
    assert.ok(spec.source.length > 20 && spec.title.length > 10, spec.id);
    assert.match(describeNetwork(spec), /^up: .*; down: /);
  }
});

test('docs/networks.md says of each everyday network its round trip, its rates, and that what is assumed is', () => {
  const lines = readFileSync(join(projectDir, 'docs/networks.md'), 'utf8').split(/\n(?=- )/);
  for (const { id, source, up, down } of everydayNetworks) {
    const line = lines.find((text) => (text.split(':')[0] ?? '').includes(`\`${id}\``)) ?? '';
    const roundTripMs = up.delayMs + down.delayMs;
    assert.match(line, new RegExp(roundTripMs === 0 ? 'no delay' : `\\b${roundTripMs}(?: and \\d+)? ms`), id);
    for (const { rateMbps } of [up, down])
      assert.ok(rateMbps === null ? /\brates\b|varies/.test(line) : line.includes(String(rateMbps)), id);
    assert.equal(/assumed/i.test(line), /assumed/i.test(source), id);
  }
});

test('delay and loss of the study’s networks are in each direction', () => {
  const { up, down } = network('liu-10mbit-50ms-4pct');
  for (const direction of [up, down]) {
    assert.equal(direction.delayMs, 50);
    assert.equal(direction.lossPercent, 4);
    assert.equal(direction.rateMbps, 10);
  }
});

test('a cap is part of the title and of the description', () => {
  const spec = network('5g-driving');
  assert.match(spec.title, /capped at 250 Mbit\/s/);
  assert.match(describeNetwork(spec), /capped at 250 Mbit\/s/);
});

test('the emulator gets ns, bytes, bit/s and shares', () => {
  const direction = directionSpecSchema.parse({
    rateMbps: 10,
    queueBytes: 30_000,
    delayMs: 2.5,
    lossPercent: 4,
  });
  assert.equal(
    directionSettings(direction, null, '').split('\n').join(' '),
    'delay=2500000 jitter=0 reorder=0 queue=30000 rate=10000000 loss=0.04',
  );
});

test('a queue that marks hands datagrams over joined only where it is told so', () => {
  const direction = directionSpecSchema.parse({ rateMbps: 10, queueBytes: 30_000, queue: 'fq-codel' });
  const settings = (['none', 'apart', 'joined'] as const).map((marking) =>
    directionSettings(direction, null, '', marking)
      .split('\n')
      .filter((setting) => setting.includes('mark')),
  );
  assert.deepEqual(settings, [[], ['marks=1'], ['marks=1', 'joins-marked=1']]);
});

test('bursts widen the tolerance of the check for loss', () => {
  const random = directionSpecSchema.parse({ lossPercent: 100 / 26 });
  const bursts = directionSpecSchema.parse({
    gilbertElliott: { goodToBadPercent: 1, badToGoodPercent: 25 },
  });
  assert.ok(Math.abs(meanLoss(bursts) - meanLoss(random)) < 1e-9);
  assert.ok(lossDeviation(bursts, 10_000) > 2 * lossDeviation(random, 10_000));
});

test('a lossy path is given the time that a loss-based transfer needs', () => {
  const lossy = network('liu-10mbit-50ms-4pct');
  const mbps = expectedMbps(lossy, noChanges);
  assert.ok(mbps > 0.4 && mbps < 1, `${mbps}`);
  assert.ok(transferTimeoutMs(lossy, noChanges, 10_000_000) > 300_000);
  assert.equal(expectedMbps(network('liu-10mbit-0ms-0pct'), noChanges), 10);
});

test('all arms of a block begin the trace at the same place, other blocks elsewhere', () => {
  const trace = { kind: 'steps', steps: [{ startMs: 0, mbps: 1 }], lengthMs: 3_600_000 } as const;
  const traces = { up: null, down: trace };
  assert.deepEqual(pathStart(traces, '', 17), pathStart(traces, '', 17));
  assert.notEqual(pathStart(traces, '', 17).line, pathStart(traces, '', 18).line);
  assert.equal(pathStart(traces, '', 17).downMbps?.[0]?.toFixed(6), '1.000000');
  assert.equal('downMbps' in pathStart({ up: trace, down: null }, '', 17), false);
  const offsets = Array.from({ length: 200 }, (_, seed) => traceOffsetMs(traces, seed));
  assert.ok(Math.min(...offsets) < 400_000 && Math.max(...offsets) > 3_200_000, 'offsets do not spread');
});

test('a profile of Mozilla’s bench is there as it is named, and with each property of the bench’s link', () => {
  const named = network('mozilla-10m-40ms');
  assert.deepEqual(
    [named.down.rateMbps, named.down.delayMs, named.down.queueBytes, named.duplex],
    [10, 20, 50_000, undefined],
  );
  const packets = network('mozilla-10m-40ms-packets');
  assert.deepEqual([packets.down.queueBytes, packets.down.queuePackets], [null, 50_000]);
  const oneClass = network('mozilla-10m-40ms-one-class');
  assert.deepEqual([oneClass.duplex, oneClass.up.queueBytes], ['half', 50_000]);
  const asRun = network('mozilla-10m-40ms-as-run');
  assert.deepEqual([asRun.duplex, asRun.up.queuePackets], ['half', 50_000]);
  assert.match(describeNetwork(asRun), /queue of 50000 packets.*both directions take turns on one link$/);
  const profiles = networkSpecs.filter(({ id }) => /^mozilla-\d+m-\d+ms$/.test(id));
  assert.deepEqual(
    profiles.map(({ up, down }) => [down.rateMbps, up.delayMs + down.delayMs]),
    [
      [1, 400],
      [10, 40],
      [100, 40],
      [300, 40],
      [300, 80],
    ],
  );
});

test('the emulator is told what a queue counts, and which direction takes the link of the other', async (t) => {
  const { down, duplex } = network('mozilla-10m-40ms-as-run');
  const settings = (sharesLink: boolean): Promise<string> =>
    prepareDirection(join(tempFolder(t), 'way'), {
      direction: down,
      trace: null,
      course: null,
      marking: 'none',
      sharesLink,
    });
  const shared = (await settings(duplex === 'half')).split('\n');
  assert.ok(shared.includes('queue=0') && shared.includes('queue-packets=50000'), shared.join(' '));
  assert.equal(shared.at(-1), 'half-duplex=1');
  assert.ok(!(await settings(false)).includes('half-duplex'));
});

test('a queue counts bytes or packets, and a half-duplex link has one rate and one queue', () => {
  const way = { rateMbps: 10, queueBytes: 30_000 };
  const reasonOf = (changes: object): string | undefined =>
    networkSpecSchema.safeParse({ id: 'x', title: 'x', source: 'x', up: way, down: way, ...changes }).error
      ?.issues[0]?.message;
  assert.equal(reasonOf({}), undefined);
  assert.equal(reasonOf({ duplex: 'half' }), undefined);
  assert.equal(reasonOf({ up: { ...way, queuePackets: 20 } }), 'a queue counts bytes or packets, not both');
  assert.equal(
    reasonOf({ up: { rateMbps: 10, queuePackets: 20, queue: 'codel' } }),
    'a managed queue counts bytes',
  );
  for (const [changes, reason] of [
    [{ up: { ...way, rateMbps: 5 } }, /have the same rateMbps, which does not change$/],
    [{ up: { ...way, schedule: [{ atMs: 1000, rateMbps: 5 }] } }, /have the same rateMbps, which does not/],
    [{ up: { rateMbps: 10, queuePackets: 20 } }, /have the same queue$/],
    [{ up: { ...way, queue: 'codel' } }, /is drop-tail$/],
  ] as const)
    assert.match(reasonOf({ duplex: 'half', ...changes }) ?? '', reason);
  assert.match(reasonOf({ duplex: 'half', offloads: true }) ?? '', /^with offloads nothing but/);
});
