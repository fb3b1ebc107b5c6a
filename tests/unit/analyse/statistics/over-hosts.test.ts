import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationTests } from '../../../../src/analyse/statistics/location-test.ts';
import { hostAgreement, testOverHosts } from '../../../../src/analyse/statistics/over-hosts.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';

const { t, 'signed-rank': signedRank } = locationTests;
const sample = [0.31, -0.12, 0.24, 0.4, 0.05, -0.02, 0.18, 0.22, 0.27, 0.09, -0.07, 0.35];
const onHosts = (count: number): string[] => sample.map((_, i) => `lab-${i % count}`);

test('blocks of one host have the plain test', () => {
  assert.equal(testOverHosts(t, onHosts(1)), t);
  assert.equal(
    testOverHosts(
      signedRank,
      sample.map(() => ''),
    ),
    signedRank,
  );
});

test('ranks within hosts have the exact distribution over all signs', () => {
  const values = [0.3, -0.1, 0.5, 0.2, -0.4, 0.6, 0.7];
  const hosts = ['a', 'a', 'b', 'a', 'b', 'b', 'a'];
  const rankSum = (signed: readonly number[]): number =>
    ['a', 'b'].reduce((sum, host) => {
      const own = signed.filter((_, i) => hosts[i] === host);
      const rank = (value: number): number =>
        own.filter((other) => Math.abs(other) <= Math.abs(value)).length;
      return sum + own.reduce((total, value) => total + (value > 0 ? rank(value) : 0), 0);
    }, 0);
  const observed = rankSum(values);
  const all = Array.from({ length: 2 ** values.length }, (_, signs) =>
    rankSum(values.map((value, i) => Math.abs(value) * ((signs >> i) & 1 ? 1 : -1))),
  );
  const share = (holds: (sum: number) => boolean): number => all.filter(holds).length / all.length;
  const tails = testOverHosts(signedRank, hosts).tails(values, 0);
  assert.ok(Math.abs((tails?.pGreater ?? NaN) - share((sum) => sum >= observed)) < 1e-12);
  assert.ok(Math.abs((tails?.pLess ?? NaN) - share((sum) => sum <= observed)) < 1e-12);
});

test('an interval holds the shifts that its test does not refuse', () => {
  for (const plain of [t, signedRank])
    for (const count of [2, 3, 5]) {
      const test = testOverHosts(plain, onHosts(count));
      const [low, high] = test.locate(sample, [0.9]).intervals[0] ?? [NaN, NaN];
      const p = (shift: number): number => {
        const tails = test.tails(sample, shift);
        return tails === null ? NaN : 2 * Math.min(tails.pGreater, tails.pLess);
      };
      assert.ok(p(low - 1e-6) <= 0.1 && p(high + 1e-6) <= 0.1, `${plain.name} over ${count}: outside`);
      assert.ok(
        p(low + 1e-6) >= 0.1 - 1e-9 && p(high - 1e-6) >= 0.1 - 1e-9,
        `${plain.name} over ${count}: inside`,
      );
    }
});

test('what hosts differ by is no noise below five hosts, and is noise from five on', () => {
  const random = seededRandom(4);
  const width = (hosts: number, plain: typeof t): number => {
    const names = Array.from({ length: 40 }, (_, i) => `lab-${i % hosts}`);
    const values = names.map((_, i) => (i % hosts) * 0.2 + 0.01 * gaussian(random));
    const [low, high] = testOverHosts(plain, names).locate(values, [0.95]).intervals[0] ?? [NaN, NaN];
    return high - low;
  };
  assert.ok(width(4, t) < 0.02, 'four hosts');
  for (const plain of [t, signedRank]) assert.ok(width(5, plain) > 0.2, `${plain.name}: five hosts`);
});

test('arms exchanged, sides exchanged', () => {
  const negated = sample.map((value) => -value);
  for (const plain of [t, signedRank])
    for (const count of [2, 4, 6]) {
      const over = testOverHosts(plain, onHosts(count));
      const one = over.tails(sample, 0.05);
      const other = over.tails(negated, -0.05);
      assert.ok(Math.abs((one?.pGreater ?? NaN) - (other?.pLess ?? NaN)) < 1e-12);
    }
});

test('as many hosts as blocks leave nothing to compare hosts with', () => {
  const alone = sample.map((_, i) => `lab-${i}`);
  assert.equal(hostAgreement(sample, alone)?.pValue, null);
  const two = testOverHosts(t, ['a', 'b']);
  assert.equal(two.tails([1, 2], 0), null);
  assert.deepEqual(two.locate([1, 2], [0.95]).intervals, [null]);
});

test('hosts agree on noise, and not where one has another effect', () => {
  const random = seededRandom(2);
  const hosts = Array.from({ length: 24 }, (_, i) => `lab-${i % 3}`);
  const noise = hosts.map(() => 0.02 * gaussian(random));
  assert.equal(
    hostAgreement(
      noise,
      hosts.map(() => 'lab'),
    ),
    null,
  );
  assert.ok((hostAgreement(noise, hosts)?.pValue ?? 0) > 0.05);
  const split = hostAgreement(
    noise.map((value, i) => value + (i % 3 === 1 ? 0.1 : 0)),
    hosts,
  );
  assert.ok((split?.pValue ?? 1) < 0.001);
  assert.deepEqual(
    split?.effects.map(({ host, blocks }) => [host, blocks]),
    [
      ['lab-0', 8],
      ['lab-1', 8],
      ['lab-2', 8],
    ],
  );
});
