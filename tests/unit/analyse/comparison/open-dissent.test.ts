import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonToStop } from '../../../../src/analyse/comparison/interim-analyses.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian, generateRun } from '../../../support/generated-run.ts';

/** Four blocks of six pages. @param last ratio and noise of the last page; the others are 15 % faster */
function fourBlocks(last: { readonly ratio: number; readonly noise: number }): {
  readonly plan: Plan;
  readonly records: readonly TrialRecord[];
} {
  const random = seededRandom(3);
  const { plan, records } = generateRun({
    workloads: Array.from({ length: 6 }, (_, index) => ({ id: `page-${index}`, kind: 'page' as const })),
    blocks: 20,
    plan: { pooled: { page: true }, interims: [4, 6, 20] },
    alter: (record) => {
      const isLast = record.workload === 'page-5';
      const ratio = record.arm === 'h3' ? (isLast ? last.ratio : 0.85) : 1;
      const noise = isLast ? last.noise : 0.005;
      return { ...record, metrics: { pltMs: 1000 * ratio * Math.exp(noise * gaussian(random)) } };
    },
  });
  return { plan, records: records.filter(({ blockIndex }) => blockIndex < 4) };
}

test('a run stops once its mean is decided and its pages agree', () => {
  const { plan, records } = fourBlocks({ ratio: 0.85, noise: 0.005 });
  assert.equal(reasonToStop(plan, records, 4)?.code, 'decided');
});

test('it goes on while a page may prove to go the other way', () => {
  const { plan, records } = fourBlocks({ ratio: 1.12, noise: 0.03 });
  assert.equal(reasonToStop(plan, records, 4), null);
});

test('it stops where that page is decided, too', () => {
  const { plan, records } = fourBlocks({ ratio: 1.3, noise: 0.005 });
  assert.equal(reasonToStop(plan, records, 4)?.code, 'decided');
});
