import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attribute, type StagePair } from '../../../../src/analyse/diagnosis/attribute.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';

const options = { level: 0.95, minBlocks: 6 };

function blocks(count: number, pairOf: (noiseMs: () => number) => StagePair, seed = 1): StagePair[] {
  const random = seededRandom(seed);
  const noiseMs = (): number => (random.next() - 0.5) * 8;
  return Array.from({ length: count }, () => pairOf(noiseMs));
}

const slower = (noise: () => number): StagePair => ({
  baseline: { connection: 40 + noise(), transfer: 100 + noise(), processing: 60 + noise() },
  candidate: { connection: 90 + noise(), transfer: 100 + noise(), processing: 60 + noise() },
});

test('a cause is named with its milliseconds and interval, and parts and rest add up', () => {
  const found = attribute(blocks(10, slower), options);
  assert.deepEqual(
    found?.parts.map(({ cause }) => cause),
    ['connection'],
  );
  const [part] = found?.parts ?? [];
  assert.ok(part?.interval && part.interval[0] < 50 && part.interval[1] > 50);
  assert.ok(Math.abs((part?.ms ?? 0) - 50) < 5);
  assert.match(part?.evidence ?? '', /median \d+ ms instead of \d+ ms, in 10 blocks/);
  assert.equal(
    (found?.parts.reduce((sum, { ms }) => sum + ms, 0) ?? 0) + (found?.unexplainedMs ?? 0),
    found?.differenceMs,
  );
});

test('nothing is attributed where the difference may be zero', () => {
  const alike = (noise: () => number): StagePair => ({
    baseline: { connection: 40 + noise(), transfer: 100 + noise() },
    candidate: { connection: 40 + noise(), transfer: 100 + noise() },
  });
  const named = Array.from({ length: 200 }, (_, seed) => attribute(blocks(8, alike, seed + 1), options));
  const share = named.filter((found) => found !== null).length / named.length;
  assert.ok(share < 0.1, `a difference of nothing is explained in ${share * 100} % of the runs`);
});

test('a cause is found in nearly every run, and no other beside it', () => {
  const runs = Array.from({ length: 200 }, (_, seed) => attribute(blocks(8, slower, seed + 1), options));
  const right = runs.filter((found) => found?.parts[0]?.cause === 'connection');
  assert.ok(right.length >= 195, `${right.length} of ${runs.length}`);
});

test('too few blocks say nothing', () => {
  assert.equal(attribute(blocks(5, slower), options), null);
  assert.equal(attribute([], options), null);
});

test('a stage that only one arm has counts as nothing in the other', () => {
  const pairs = blocks(8, (noise) => ({
    baseline: { transfer: 100 + noise() },
    candidate: { transfer: 50 + noise(), receiverCpu: 200 + noise() },
  }));
  const found = attribute(pairs, options);
  assert.deepEqual(
    found?.parts.map(({ ms }) => Math.sign(ms)),
    [1, -1],
  );
});

test('the stages of each arm come in the order of a load and add up to its mean time', () => {
  const pairs = blocks(8, slower);
  const { stages, differenceMs } = attribute(pairs, options) ?? assert.fail('nothing is attributed');
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    ['connection', 'transfer', 'processing'],
  );
  const whole = (of: 'baselineMs' | 'candidateMs'): number => stages.reduce((sum, one) => sum + one[of], 0);
  assert.ok(Math.abs(whole('candidateMs') - whole('baselineMs') - differenceMs) < 1e-9);
  assert.ok(Math.abs(whole('baselineMs') - 200) < 10);
});
