import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armPairs, twoByTwo } from '../../../../src/analyse/comparison/arm-pairs.ts';
import type { Arm } from '../../../../src/core/model/plan.ts';
import { armsAA, armsH2H3, generateRun } from '../../../support/generated-run.ts';
import { parseArms } from '../../../../src/plan/arms.ts';

const labels = (arms: readonly Arm[]): string[] =>
  armPairs({ arms: [...arms], trials: [] }).map(
    ({ baseline, candidate, primary }) => `${baseline.label}>${candidate.label}${primary ? '!' : ''}`,
  );

const versionArms: Arm[] = parseArms(['a:h2', 'a:h3', 'b:h2', 'b:h3']);

test('the second arm is the candidate, later arms too', () => {
  assert.deepEqual(labels(armsH2H3), ['h2>h3!']);
  assert.deepEqual(labels(parseArms(['h1', 'h2', 'h3'])), ['h1>h2!', 'h1>h3!']);
});

test('one arm or none is compared with nothing', () => {
  assert.deepEqual(labels([]), []);
  assert.deepEqual(labels(parseArms(['h2'])), []);
});

test('a repeated arm is known as A/A', () => {
  assert.equal(armPairs({ arms: [...armsAA], trials: [] })[0]?.identical, true);
  assert.equal(armPairs({ arms: [...armsH2H3], trials: [] })[0]?.identical, false);
});

test('two versions by two protocols compare versions first, whatever the order of the arms', () => {
  assert.deepEqual(labels(versionArms), ['a:h2>b:h2!', 'a:h3>b:h3!', 'a:h2>a:h3', 'b:h2>b:h3']);
  const [a2, a3, b2, b3] = versionArms as [Arm, Arm, Arm, Arm];
  assert.deepEqual(
    twoByTwo([a2, b2, a3, b3])?.map((arm) => arm.label),
    ['a:h2', 'a:h3', 'b:h2', 'b:h3'],
  );
});

test('any two factors are crossed: protocols are the columns, else what changes faster in the order written', () => {
  const servers = parseArms(['h2+server=caddy', 'h3+server=caddy', 'h2+server=nginx', 'h3+server=nginx']);
  assert.deepEqual(labels(servers), [
    'h2+server=caddy>h2+server=nginx!',
    'h3+server=caddy>h3+server=nginx!',
    'h2+server=caddy>h3+server=caddy',
    'h2+server=nginx>h3+server=nginx',
  ]);
  const slow = ['reno', 'bbr'].flatMap((congestion) =>
    ['caddy', 'nginx'].map((server) => `h3+server=${server}+congestion=${congestion}`),
  );
  assert.deepEqual(
    twoByTwo(parseArms(slow))?.map(({ label }) => label),
    slow,
  );
  assert.equal(twoByTwo(parseArms(['h2', 'h3', 'h3+server=nginx', 'h3+server=nginx+congestion=bbr'])), null);
});

test('factors that change together are one thing, such as a version and the fault that was injected into it', () => {
  const injected = parseArms(['a:h2', 'a:h3', 'b:h2+fault=delay=+10ms', 'b:h3+fault=delay=+10ms']);
  const square = ['a:h2>b:h2+fault=delay=+10ms!', 'a:h3>b:h3+fault=delay=+10ms!'];
  assert.deepEqual(labels(injected).slice(0, 2), square);
  const [a2, a3, b2, b3] = injected as [Arm, Arm, Arm, Arm];
  assert.deepEqual(labels([b3, a2, b2, a3]).filter((pair) => pair.endsWith('!')).length, 2);
  const tuned = ['h2+congestion=cubic', 'h3+congestion=bbr'];
  const servers = parseArms(tuned.flatMap((arm) => [`${arm}+server=caddy`, `${arm}+server=nginx`]));
  assert.deepEqual(
    labels(servers).slice(0, 2),
    tuned.map((arm) => `${arm}+server=caddy>${arm}+server=nginx!`),
  );
});

test('a fault in one arm alone changes no pair: each protocol is judged by itself, of a version against itself too', () => {
  const fault = { fault: 'delay=+10ms' };
  const [a2, a3, b2, b3] = versionArms as [Arm, Arm, Arm, Arm];
  const faulty = { ...b3, factors: { ...b3.factors, ...fault } };
  assert.deepEqual(labels([a2, a3, b2, faulty]), labels(versionArms));
  const [h2, h3] = armsH2H3 as [Arm, Arm];
  const twice = [
    h2,
    h3,
    { ...h2, label: 'h2#2' },
    { ...h3, label: 'h3#2', factors: { ...h3.factors, ...fault } },
  ];
  assert.deepEqual(labels(twice), ['h2>h2#2!', 'h3>h3#2!', 'h2>h3', 'h2#2>h3#2']);
  assert.deepEqual(
    armPairs({ arms: twice, trials: [] }).map(({ identical }) => identical),
    [true, false, false, false],
  );
});

test('what an arm leaves open is crossed as what its trials take', () => {
  const arms = parseArms(['h2', 'h3', 'h2+server=nginx', 'h3+server=nginx']);
  const square = ['h2>h2+server=nginx!', 'h3>h3+server=nginx!', 'h2>h3', 'h2+server=nginx>h3+server=nginx'];
  assert.deepEqual(labels(arms), square);
  // One arm names what the others take by default.
  const named = parseArms(['h2', 'h3+server=caddy', 'h2+server=nginx', 'h3+server=nginx']);
  const { plan } = generateRun({ arms: named, blocks: 1 });
  const trials = plan.trials.map((trial) => ({ ...trial, factors: { server: 'caddy', ...trial.factors } }));
  assert.equal(twoByTwo(named), null);
  assert.deepEqual(
    armPairs({ arms: named, trials }).map(({ baseline, candidate }) => [baseline.label, candidate.label]),
    [
      ['h2', 'h2+server=nginx'],
      ['h3+server=caddy', 'h3+server=nginx'],
      ['h2', 'h3+server=caddy'],
      ['h2+server=nginx', 'h3+server=nginx'],
    ],
  );
});

test('two protocols twice are one version against itself', () => {
  const [h2, h3] = armsH2H3 as [Arm, Arm];
  const arms = [h2, h3, { ...h2, label: 'h2#2' }, { ...h3, label: 'h3#2' }];
  assert.deepEqual(labels(arms), ['h2>h2#2!', 'h3>h3#2!', 'h2>h3', 'h2#2>h3#2']);
  assert.deepEqual(
    armPairs({ arms: [...arms], trials: [] }).map(({ identical }) => identical),
    [true, true, false, false],
  );
});

test('four arms that are no square are not taken for one', () => {
  const [a2, a3, b2] = versionArms as [Arm, Arm, Arm, Arm];
  assert.equal(twoByTwo([a2, a3, b2, { ...b2, label: 'b:h2#2' }]), null);
  assert.equal(twoByTwo(armsH2H3), null);
});
