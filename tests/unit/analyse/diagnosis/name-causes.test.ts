import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causes } from '../../../../src/analyse/diagnosis/causes.ts';
import { nameCauses } from '../../../../src/analyse/diagnosis/name-causes.ts';
import type { RecordPair } from '../../../../src/analyse/diagnosis/paired-change.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';

type Figures = Readonly<Record<string, number>>;

const trial = (counters: Figures, stagesMs: Figures): TrialRecord =>
  ({ counters, metrics: { stagesMs } }) as unknown as TrialRecord;

/** What the two arms of every block are, before noise: counters, and what time was spent on. */
interface Arms {
  readonly counters: readonly [Figures, Figures];
  readonly stages?: readonly [Figures, Figures];
}

const waits = [{ windowWait: 100 }, { windowWait: 200 }] as const;

/** Eight blocks of one workload, with noise of ±10 % on every figure. */
function blocksOf({ counters, stages = waits }: Arms, seed = 1): RecordPair[][] {
  const random = seededRandom(seed);
  const noisy = (figures: Figures): Figures =>
    Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [name, value * (0.9 + random.next() / 5)]),
    );
  return Array.from({ length: 8 }, () => [
    {
      baseline: trial(noisy(counters[0]), noisy(stages[0])),
      candidate: trial(noisy(counters[1]), noisy(stages[1])),
    },
  ]);
}

const lossy: Figures = { packetsReceived: 1000, tcpRetransmitted: 20 };
const whole: Figures = { packetsReceived: 1000, tcpRetransmitted: 0 };

const idsOf = (differenceMs: number, blocks: RecordPair[][]): string[] =>
  nameCauses(differenceMs, blocks, 0.95).map(({ id }) => id);

test('a cause is named when time and count both changed the way of the difference, with figures of both arms', () => {
  const [named, ...others] = nameCauses(100, blocksOf({ counters: [whole, lossy] }), 0.95);
  assert.deepEqual([named?.id, others], ['packet-loss', []]);
  assert.ok((named?.ms ?? 0) > 80 && (named?.ms ?? 0) < 120);
  assert.match(named?.evidence ?? '', /packets lost, %: [12](\.\d+)? instead of 0, means of 8 blocks/);
});

test('queueing on the path is named by the round trips that the link itself counted', () => {
  const withRtt = (record: TrialRecord, loadedRttMs: number): TrialRecord =>
    ({ ...record, metrics: { ...record.metrics, loadedRttMs } }) as unknown as TrialRecord;
  const blocks = blocksOf({ counters: [{}, {}] }).map((pairs) =>
    pairs.map(({ baseline, candidate }) => ({
      baseline: withRtt(baseline, 25),
      candidate: withRtt(candidate, 180),
    })),
  );
  const [named] = nameCauses(100, blocks, 0.95);
  assert.equal(named?.title, 'queueing on the path takes longer');
  assert.match(named?.evidence ?? '', /round trip under load, ms: 180 instead of 25, means of 8 blocks/);
});

test('a smaller first flight is named by the round trips that it takes longer', () => {
  const withFlight = (record: TrialRecord, firstFlightBytes: number): TrialRecord =>
    ({ ...record, metrics: { ...record.metrics, firstFlightBytes } }) as unknown as TrialRecord;
  const between = (before: number, after: number): ReturnType<typeof nameCauses> => {
    const blocks = blocksOf({ counters: [{}, {}], stages: [waits[1], waits[0]] }).map((pairs) =>
      pairs.map(({ baseline, candidate }) => ({
        baseline: withFlight(baseline, before),
        candidate: withFlight(candidate, after),
      })),
    );
    return nameCauses(-100, blocks, 0.95);
  };
  const [named] = between(15_000, 40_960);
  assert.equal(named?.id, 'first-flight');
  assert.match(named.evidence, /100 kB: 1\.78 instead of 2\.94, means of 8 blocks/);
  assert.deepEqual(between(40_000, 40_960), []);
});

test('losses of QUIC are counted as its sender counts them', () => {
  const quic = { packetsReceived: 1000, quicPacketsSent: 1000, quicPacketsLost: 0, tcpRetransmitted: 0 };
  const worse = { ...quic, quicPacketsLost: 15 };
  assert.deepEqual(idsOf(100, blocksOf({ counters: [quic, worse] })), ['packet-loss']);
  assert.deepEqual(idsOf(100, blocksOf({ counters: [whole, worse] })), ['packet-loss']);
});

test('fewer losses explain a faster candidate, never a slower one', () => {
  const faster = [waits[1], waits[0]] as const;
  assert.deepEqual(idsOf(-100, blocksOf({ counters: [lossy, whole], stages: faster })), ['packet-loss']);
  assert.deepEqual(idsOf(100, blocksOf({ counters: [lossy, whole] })), []);
  assert.deepEqual(idsOf(-100, blocksOf({ counters: [whole, lossy], stages: faster })), []);
});

test('a count that changed names nothing where the time that it would lengthen did not', () => {
  const elsewhere = [{ processing: 100 }, { processing: 200 }] as const;
  assert.deepEqual(idsOf(100, blocksOf({ counters: [whole, lossy], stages: elsewhere })), []);
  assert.deepEqual(idsOf(5000, blocksOf({ counters: [whole, lossy] })), [], 'a tenth of it at least');
});

test('time that changes its stage from block to block counts together', () => {
  const counters = [
    { interfaceUnitsReceived: 50, packetsReceived: 1000 },
    { interfaceUnitsReceived: 990, packetsReceived: 1000 },
  ] as const;
  const mixed = blocksOf({ counters, stages: [{ receiverCpu: 100 }, { receiverCpu: 200 }] }).map(
    (block, index) =>
      index % 2 === 0
        ? block
        : (blocksOf({ counters, stages: [{ linkFull: 100 }, { linkFull: 200 }] }, index)[0] ?? []),
  );
  assert.equal(idsOf(100, mixed)[0], 'super-packets');
});

test('what no probe counted is not guessed, and what one arm alone has is not compared', () => {
  assert.deepEqual(idsOf(100, blocksOf({ counters: [{}, {}] })), []);
  assert.deepEqual(idsOf(100, blocksOf({ counters: [{}, lossy] })), []);
});

test('counts that differ by chance name a cause in few of many runs', () => {
  const alike = { packetsReceived: 1000, tcpRetransmitted: 10, smoothedRttMs: 30 };
  const named = Array.from({ length: 300 }, (_, seed) =>
    idsOf(100, blocksOf({ counters: [alike, alike] }, seed + 1)),
  ).filter((ids) => ids.length > 0);
  assert.ok(named.length < 0.1 * 300, `${named.length} of 300`);
});

test('over several pages a block counts by their mean, and only where each of them has the figure', () => {
  const blocks = blocksOf({ counters: [whole, lossy] }).map(([pair]) => (pair ? [pair, pair] : []));
  assert.deepEqual(idsOf(100, blocks), ['packet-loss']);
  const holed = blocks.map(([pair]) => (pair ? [pair, { ...pair, candidate: trial({}, waits[1]) }] : []));
  assert.deepEqual(idsOf(100, holed), []);
});

test('a stage that is a cause by itself is named by its times, and every cause has words and stages', () => {
  const late = [{ firstByte: 100 }, { firstByte: 200 }] as const;
  const [named] = nameCauses(100, blocksOf({ counters: [{}, {}], stages: late }), 0.95);
  assert.equal(named?.id, 'first-byte');
  assert.match(named?.evidence ?? '', /^[\d.]+ ms instead of [\d.]+ ms, means of 8 blocks$/);
  assert.equal(new Set(causes.map(({ id }) => id)).size, causes.length);
  for (const { title, stages } of causes) assert.ok(title !== '' && stages.length > 0);
});

test('a client whose CPU a quota withholds is named with the time that was withheld', () => {
  const counters = [{ clientCpuWithheldMs: 0 }, { clientCpuWithheldMs: 1200 }] as const;
  const full = [{ receiverCpu: 100 }, { receiverCpu: 200 }] as const;
  const [named] = nameCauses(100, blocksOf({ counters, stages: full }), 0.95);
  assert.equal(named?.id, 'client-cpu');
  assert.match(named?.evidence ?? '', /CPU withheld by a quota, ms: \d+ instead of [-\d.]+/);
});

test('what neither arm had any of is no evidence', () => {
  const counters = [{ clientCpuWithheldMs: 0 }, { clientCpuWithheldMs: 0 }] as const;
  const full = [{ receiverCpu: 100 }, { receiverCpu: 200 }] as const;
  const [named] = nameCauses(100, blocksOf({ counters, stages: full }), 0.95);
  assert.equal(named?.id, 'client-cpu');
  assert.match(named?.evidence ?? '', /^[\d.]+ ms instead of [\d.]+ ms, means of 8 blocks$/);
});
