import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationTests, testMargin } from '../../src/analyse/statistics/location-test.ts';
import { testOverHosts } from '../../src/analyse/statistics/over-hosts.ts';
import { proportionInterval } from '../support/proportion-interval.ts';
import { seededRandom, type SeededRandom } from '../../src/core/model/seeded-random.ts';
import type { TestName } from '../../src/core/model/summary.ts';
import { gaussian } from '../support/generated-run.ts';

// What hosts do to p, by simulation: the table of docs/statistics.md.

interface HostCell {
  readonly hosts: number;
  /** Standard deviation of the hosts' speed, and of what one arm gains on a host beyond the others. */
  readonly hostSd: number;
  readonly hostArmSd: number;
  readonly effect?: number;
  /** How blocks lie on hosts. Default: whole. */
  readonly armsApart?: boolean;
  /** Whether host is a factor. Default: yes. */
  readonly asFactor?: boolean;
  readonly test?: TestName;
}

const blocks = 20;
/** Of one trial. */
const trialSd = 0.03;
const runs = 1500;

/** Effects of the blocks of one run, with their hosts. */
function drawRun(cell: HostCell, random: SeededRandom): { effects: number[]; hosts: string[] } {
  const speeds = Array.from({ length: cell.hosts }, () => cell.hostSd * gaussian(random));
  const gains = Array.from({ length: cell.hosts }, () => cell.hostArmSd * gaussian(random));
  const drawn = Array.from({ length: blocks }, (_, block) => {
    const host = block % cell.hosts;
    // One arm a host: the other arm's machine is the next one, the same in every block.
    const [base, other] = cell.armsApart === true ? [0, 1] : [host, host];
    const noise = (): number => trialSd * gaussian(random);
    const baseline = (speeds[base] as number) + noise();
    const candidate = (speeds[other] as number) + (gains[host] as number) + (cell.effect ?? 0) + noise();
    return { effect: candidate - baseline, host: `lab-${host}` };
  });
  return { effects: drawn.map(({ effect }) => effect), hosts: drawn.map(({ host }) => host) };
}

/** Runs with p < 0.05 of no effect at all. */
function positives(cell: HostCell, seed: number): number {
  const random = seededRandom(seed);
  const plain = locationTests[cell.test ?? 't'];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const { effects, hosts } = drawRun(cell, random);
    const over = cell.asFactor === false ? plain : testOverHosts(plain, hosts);
    if ((testMargin(over, effects, 0)?.pValue ?? 1) < 0.05) found++;
  }
  return found;
}

const within = (count: number, share: number): boolean => {
  const [low, high] = proportionInterval(count, runs, 0.999) ?? [NaN, NaN];
  return low <= share && share <= high;
};
const atMost = (count: number, share: number): boolean =>
  (proportionInterval(count, runs, 0.999)?.[0] ?? 1) <= share;
const atLeast = (count: number, share: number): boolean =>
  (proportionInterval(count, runs, 0.999)?.[1] ?? 0) >= share;

test('whole blocks on hosts of unlike speed keep the level; one arm a host does not', () => {
  for (const test of ['t', 'signed-rank'] as const)
    for (const hosts of [2, 3, 4, 5, 10]) {
      const count = positives({ hosts, hostSd: 0.1, hostArmSd: 0, test }, hosts);
      assert.ok(atMost(count, 0.05), `${test} over ${hosts} hosts: ${count} of ${runs}`);
    }
  const apart = positives({ hosts: 5, hostSd: 0.1, hostArmSd: 0, armsApart: true, asFactor: false }, 11);
  assert.ok(atLeast(apart, 0.8), `one arm a host: ${apart} of ${runs}`);
});

test('a t test over hosts is exact where hosts are alike in the effect', () => {
  for (const hosts of [3, 5]) {
    const count = positives({ hosts, hostSd: 0.1, hostArmSd: 0 }, 20 + hosts);
    assert.ok(within(count, 0.05), `${hosts} hosts: ${count} of ${runs}`);
  }
});

test('arms that gain by host deceive the plain test, and not the one over five hosts', () => {
  const cell = { hosts: 5, hostSd: 0.1, hostArmSd: 0.03 } as const;
  const plain = positives({ ...cell, asFactor: false }, 31);
  assert.ok(atLeast(plain, 0.13) && !atMost(plain, 0.08), `plain: ${plain} of ${runs}`);
  for (const hosts of [5, 10]) {
    const count = positives({ ...cell, hosts }, 32 + hosts);
    assert.ok(atMost(count, 0.05), `host as a factor, ${hosts} hosts: ${count} of ${runs}`);
  }
});

test('a change of 3 % is found as surely as on one host, over up to four hosts', () => {
  const power = (cell: Partial<HostCell>, seed: number): number =>
    positives({ hosts: 4, hostSd: 0.1, hostArmSd: 0, effect: 0.03, ...cell }, seed);
  const one = power({ hosts: 1 }, 41);
  const four = power({}, 42);
  const ranks = power({ test: 'signed-rank' }, 43);
  const five = power({ hosts: 5 }, 44);
  assert.ok(
    four > 0.95 * one && ranks > 0.85 * one,
    `one host ${one}, four ${four}, ranks ${ranks} of ${runs}`,
  );
  assert.ok(five > 0.6 * one, `five hosts ${five}, one ${one} of ${runs}`);
});

test('whole blocks over five hosts of unlike speed have the power of one host, 93.5 %', () => {
  // What a t test of 20 blocks finds with that power: 3.7 standard errors, of two trials a block.
  const effect = 3.7 * trialSd * Math.sqrt(2 / blocks);
  const cell = { hosts: 5, hostSd: 0.1, hostArmSd: 0, effect, asFactor: false } as const;
  const five = positives(cell, 51);
  const one = positives({ ...cell, hosts: 1 }, 52);
  assert.ok(within(five, 0.935) && within(one, 0.935), `five hosts ${five}, one ${one} of ${runs}`);
  const factor = positives({ ...cell, hosts: 4, asFactor: true }, 53);
  assert.ok(atLeast(factor, 0.9), `host as a factor, four hosts: ${factor} of ${runs}`);
  const level = positives({ ...cell, effect: 0 }, 54);
  assert.ok(within(level, 0.05), `no effect: ${level} of ${runs}`);
});
