import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidability, primaryFamilies } from '../../../../src/analyse/forecast/decidability.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';
import { parseArms } from '../../../../src/plan/arms.ts';

test('the blocks needed by family size are those of METRICS, and one block fewer cannot decide', () => {
  const table = { 1: 6, 4: 8, 5: 8, 6: 8, 12: 9, 18: 10, 120: 13 };
  for (const [comparisons, blocks] of Object.entries(table)) {
    const enough = decidability(Number(comparisons), blocks);
    assert.equal(enough.minBlocks, blocks);
    assert.equal(enough.canDecide, true);
    assert.equal(enough.smallestAdjustedPValue, Number(comparisons) * 2 ** (1 - blocks));
    assert.equal(decidability(Number(comparisons), blocks - 1).canDecide, false);
  }
});

const clients = parseArms(['a:h2', 'a:h3', 'b:h2', 'b:h3']);
const plans: Record<string, GeneratedRunOptions> = {
  'pooled pages': { networks: ['x', 'y'] },
  'one page alone': { workloads: [{ id: 'only', kind: 'page' }] },
  'pages not pooled': { plan: { pooled: { page: false } } },
  'two kinds': {
    workloads: [
      { id: 'v', kind: 'video' },
      { id: 'd', kind: 'download' },
      { id: 'e', kind: 'download' },
    ],
  },
  'versions by protocols': { arms: clients },
  'a single arm': { arms: parseArms(['h2']) },
};

for (const [name, options] of Object.entries(plans)) {
  test(`the primary families told beforehand are those of the summary: ${name}`, () => {
    const { plan, records } = generateRun({ ...options, blocks: 6 });
    const { comparisons } = summarise(plan, records, null, []);
    const actual = new Map<string, number>();
    for (const { primary, family } of comparisons) {
      if (primary) actual.set(family, (actual.get(family) ?? 0) + 1);
    }
    const foretold = primaryFamilies(plan).map(
      (family) => [`primary-${family.kind}`, family.comparisons] as const,
    );
    assert.deepEqual(new Map(foretold), actual);
  });
}

test('a metric that only recorded trials give is decided by as many blocks as are recorded', () => {
  const { plan } = generateRun({
    blocks: 8,
    plan: { primary: { page: 'speedIndexMs' }, pooled: { page: false } },
  });
  const familyOf = (recordedBlocks: number | 'all'): ReturnType<typeof primaryFamilies>[number] | undefined =>
    primaryFamilies({ ...plan, recordedBlocks })[0];
  assert.deepEqual(
    [familyOf(2)?.blocks, familyOf(2)?.instrumentation, familyOf(2)?.canDecide],
    [2, 'instrumented', false],
  );
  assert.deepEqual([familyOf('all')?.blocks, familyOf('all')?.canDecide], [8, true]);
});
