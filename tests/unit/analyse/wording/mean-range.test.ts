import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeClause } from '../../../../src/analyse/answers/clauses.ts';
import { usersFindings } from '../../../../src/analyse/answers/findings.ts';
import { armPairs } from '../../../../src/analyse/comparison/arm-pairs.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { rangeOfSites, sitesDiffer } from '../../../../src/analyse/wording/mean-range.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import { namesOf } from '../../../../src/core/model/names.ts';
import { generateRun } from '../../../support/generated-run.ts';

/** Four pages over both protocols: the first gains what the second loses, or all gain alike. */
function headlineOf(factors: readonly number[]): { headline: string; differ: boolean } {
  const workloads = factors.map((_, index) => ({ id: `page-${index}`, kind: 'page' as const }));
  const { plan, records } = generateRun({
    workloads,
    blocks: 10,
    noise: 0.01,
    alter: (record) => {
      const place = workloads.findIndex(({ id }) => id === record.workload);
      const metrics: TrialMetrics = { ...record.metrics };
      metrics['pltMs'] = Number(metrics['pltMs']) * (record.arm === 'h3' ? (factors[place] ?? 1) : 1);
      return { ...record, metrics };
    },
  });
  const { comparisons } = summarise(plan, records, null, []);
  const [finding] = usersFindings(comparisons, armPairs(plan));
  assert.ok(finding !== undefined && finding.primary);
  const headline = changeClause(
    finding,
    'over HTTP/3',
    namesOf({ workloads: plan.workloads, environment: null }),
  );
  return { headline, differ: finding.members.some(sitesDiffer) };
}

test('a mean over pages that differ is told with the range from the best to the worst page', () => {
  assert.match(
    headlineOf([0.53, 0.7, 0.8, 0.99]).headline,
    /^Pages load 2\d % faster over HTTP\/3 on average: from 4\d % to [\d.]+ % faster$/,
  );
});

test('pages with one effect have a mean and no range', () => {
  const { headline, differ } = headlineOf([0.8, 0.8, 0.8, 0.8]);
  assert.equal(differ, false);
  assert.match(headline, /^Pages load (19|20|21) % faster over HTTP\/3$/);
});

test('the range begins with the best page, also of rates, and names both sides of no change', () => {
  const pool = (
    range: [number, number],
    higherIsBetter: boolean,
  ): Parameters<typeof rangeOfSites>[0][number] =>
    ({
      higherIsBetter,
      heterogeneity: { pValue: 0.01, range, lowest: 'a', highest: 'b' },
    }) as Parameters<typeof rangeOfSites>[0][number];
  const times = { more: 'slower', less: 'faster' };
  const rates = { more: 'higher', less: 'lower' };
  assert.equal(rangeOfSites([pool([0.53, 1.04], false)], times), 'from 47 % faster to 4.0 % slower');
  assert.equal(rangeOfSites([pool([0.53, 1.04], true)], rates), 'from 4.0 % higher to 47 % lower');
  const even = { ...pool([0.9, 1.1], false) };
  assert.equal(
    rangeOfSites([{ ...even, heterogeneity: { ...even.heterogeneity!, pValue: 0.2 } }], times),
    '',
  );
});
