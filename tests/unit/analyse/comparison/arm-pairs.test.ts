import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armPairs, twoByTwo } from '../../../../src/analyse/comparison/arm-pairs.ts';
import type { Arm } from '../../../../src/model/plan.ts';
import { armsAA, armsH2H3 } from '../../../support/generated-run.ts';

const labels = (arms: readonly Arm[]): string[] =>
  armPairs(arms).map(
    ({ baseline, candidate, primary }) => `${baseline.label}>${candidate.label}${primary ? '!' : ''}`,
  );

const versionArms: Arm[] = ['a', 'b'].flatMap((client) =>
  (['h2', 'h3'] as const).map((protocol) => ({ label: `${client}:${protocol}`, protocol, client })),
);

test('the second arm is the candidate, later arms too', () => {
  assert.deepEqual(labels(armsH2H3), ['h2>h3!']);
  assert.deepEqual(labels([{ label: 'h1', protocol: 'h1' }, ...armsH2H3]), ['h1>h2!', 'h1>h3!']);
});

test('one arm or none is compared with nothing', () => {
  assert.deepEqual(labels([]), []);
  assert.deepEqual(labels([{ label: 'h2', protocol: 'h2' }]), []);
});

test('a repeated arm is known as A/A', () => {
  assert.equal(armPairs(armsAA)[0]?.identical, true);
  assert.equal(armPairs(armsH2H3)[0]?.identical, false);
});

test('two versions by two protocols compare versions first, whatever the order of the arms', () => {
  assert.deepEqual(labels(versionArms), ['a:h2>b:h2!', 'a:h3>b:h3!', 'a:h2>a:h3', 'b:h2>b:h3']);
  const [a2, a3, b2, b3] = versionArms as [Arm, Arm, Arm, Arm];
  assert.deepEqual(
    twoByTwo([a2, b2, a3, b3])?.map((arm) => arm.label),
    ['a:h2', 'a:h3', 'b:h2', 'b:h3'],
  );
});

test('two protocols twice are one version against itself', () => {
  const [h2, h3] = armsH2H3 as [Arm, Arm];
  const arms = [h2, h3, { ...h2, label: 'h2#2' }, { ...h3, label: 'h3#2' }];
  assert.deepEqual(labels(arms), ['h2>h2#2!', 'h3>h3#2!', 'h2>h3', 'h2#2>h3#2']);
  assert.deepEqual(
    armPairs(arms).map(({ identical }) => identical),
    [true, true, false, false],
  );
});

test('four arms that are no square are not taken for one', () => {
  const [a2, a3, b2] = versionArms as [Arm, Arm, Arm, Arm];
  assert.equal(twoByTwo([a2, a3, b2, { ...b2, label: 'b:h2#2' }]), null);
  assert.equal(twoByTwo(armsH2H3), null);
});
