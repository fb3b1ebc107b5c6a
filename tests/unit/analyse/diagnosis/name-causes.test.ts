import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causes } from '../../../../src/analyse/diagnosis/causes.ts';
import { nameCauses, type RecordPair } from '../../../../src/analyse/diagnosis/name-causes.ts';
import type { Diagnosis } from '../../../../src/model/diagnosis.ts';
import type { TrialRecord } from '../../../../src/model/record.ts';
import { seededRandom } from '../../../../src/model/seeded-random.ts';

type Counters = Readonly<Record<string, number>>;

const trial = (counters: Counters, tbtMs = 0): TrialRecord =>
  ({ counters, metrics: { tbtMs } }) as unknown as TrialRecord;

/** Eight blocks of one workload, with noise of ±10 % on every counter. */
function blocksOf(baseline: Counters, candidate: Counters, seed = 1): RecordPair[][] {
  const random = seededRandom(seed);
  const noisy = (counters: Counters): Counters =>
    Object.fromEntries(
      Object.entries(counters).map(([name, value]) => [name, value * (0.9 + random.next() / 5)]),
    );
  return Array.from({ length: 8 }, () => [
    { baseline: trial(noisy(baseline)), candidate: trial(noisy(candidate)) },
  ]);
}

const part = (stage: string, ms: number): Diagnosis['parts'][number] => ({
  ...{
    cause: stage,
    stage,
    ms,
    interval: [ms - 1, ms + 1],
    evidence: `medians of ${stage}`,
    confirmed: false,
  },
});

const slower = { differenceMs: 100, parts: [part('windowWait', 95)] };
const lossy: Counters = { packetsReceived: 1000, tcpRetransmitted: 20 };
const whole: Counters = { packetsReceived: 1000, tcpRetransmitted: 0 };

const idsOf = (...given: Parameters<typeof nameCauses>): string[] => nameCauses(...given).map(({ id }) => id);

test('a cause is named when its part and its count both changed the way of the difference, with figures of both arms', () => {
  const [named, ...others] = nameCauses(slower, blocksOf(whole, lossy), 0.95);
  assert.deepEqual([named?.id, named?.ms, others], ['packet-loss', 95, []]);
  assert.match(named?.evidence ?? '', /packets lost, %: 0 before, [12](\.\d+)? after, mean of 8 blocks/);
});

test('losses of QUIC are counted as its sender counts them', () => {
  const quic = { packetsReceived: 1000, quicPacketsSent: 1000, quicPacketsLost: 0, tcpRetransmitted: 0 };
  assert.deepEqual(idsOf(slower, blocksOf(quic, { ...quic, quicPacketsLost: 15 }), 0.95), ['packet-loss']);
  assert.deepEqual(idsOf(slower, blocksOf(whole, { ...quic, quicPacketsLost: 15 }), 0.95), ['packet-loss']);
});

test('fewer losses explain a faster candidate, never a slower one', () => {
  const faster = { differenceMs: -100, parts: [part('windowWait', -95)] };
  assert.deepEqual(idsOf(faster, blocksOf(lossy, whole), 0.95), ['packet-loss']);
  assert.deepEqual(idsOf(slower, blocksOf(lossy, whole), 0.95), []);
  assert.deepEqual(idsOf(faster, blocksOf(whole, lossy), 0.95), []);
});

test('a count that changed names nothing where the part that it would lengthen did not', () => {
  const elsewhere = { differenceMs: 100, parts: [part('processing', 95)] };
  assert.deepEqual(idsOf(elsewhere, blocksOf(whole, lossy), 0.95), []);
  const small = { differenceMs: 100, parts: [part('windowWait', 9)] };
  assert.deepEqual(idsOf(small, blocksOf(whole, lossy), 0.95), []);
});

test('what no probe counted is not guessed, and what one arm alone has is not compared', () => {
  assert.deepEqual(idsOf(slower, blocksOf({}, {}), 0.95), []);
  assert.deepEqual(idsOf(slower, blocksOf({}, lossy), 0.95), []);
});

test('counts that differ by chance name a cause in few of many runs', () => {
  const alike = { packetsReceived: 1000, tcpRetransmitted: 10, smoothedRttMs: 30 };
  const named = Array.from({ length: 300 }, (_, seed) =>
    idsOf(slower, blocksOf(alike, alike, seed + 1), 0.95),
  ).filter((ids) => ids.length > 0);
  assert.ok(named.length < 0.1 * 300, `${named.length} of 300`);
});

test('over several pages a block counts by their mean, and only where each of them has the figure', () => {
  const blocks = blocksOf(whole, lossy).map(([pair]) => (pair ? [pair, pair] : []));
  assert.deepEqual(idsOf(slower, blocks, 0.95), ['packet-loss']);
  const holed = blocks.map(([pair]) => (pair ? [pair, { ...pair, candidate: trial({}) }] : []));
  assert.deepEqual(idsOf(slower, holed, 0.95), []);
});

test('a stage that is a cause by itself is named by its medians, and every cause has words and stages', () => {
  const late = { differenceMs: 100, parts: [part('firstByte', 99)] };
  const [named] = nameCauses(late, blocksOf({}, {}), 0.95);
  assert.deepEqual([named?.id, named?.evidence], ['first-byte', 'medians of firstByte']);
  assert.equal(new Set(causes.map(({ id }) => id)).size, causes.length);
  for (const { title, stages } of causes) assert.ok(title !== '' && stages.length > 0);
});
