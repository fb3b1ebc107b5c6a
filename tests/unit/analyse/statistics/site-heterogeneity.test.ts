import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteHeterogeneity } from '../../../../src/analyse/statistics/site-heterogeneity.ts';
import { fitTwoWay } from '../../../../src/analyse/statistics/two-way-fit.ts';

const margin = Math.log1p(0.03);

function judged(sites: readonly (readonly number[])[], alpha = 0.01): ReturnType<typeof siteHeterogeneity> {
  const cells = sites.flatMap((values, site) => values.map((value, block) => ({ site, block, value })));
  return siteHeterogeneity(fitTwoWay(cells, sites.length), margin, alpha);
}

test('a site is judged by its own blocks, whatever a noisy one does in them', () => {
  // Log ratios of a page that is 19 % slower in each of four blocks, next to one over a path with loss.
  const quiet = [0.1943, 0.1658, 0.1465, 0.183];
  const { sites } = judged([quiet, [0.9, -0.4, -0.7, 0.3], [0.01, -0.02, 0, 0.02]]);
  // t = (0.1724 − 0.02956) ÷ 0.01041 with three degrees of freedom, twice the upper tail, three sites.
  assert.ok(Math.abs((sites[0]?.adjustedPBeyondMargin ?? 0) - 0.00252) < 0.0001, JSON.stringify(sites[0]));
  assert.deepEqual(
    sites.map(({ decided }) => decided),
    [1, null, null],
  );
});

test('what blocks do to all sites alike stays in what is said of each', () => {
  const shared = [0.3, -0.2, 0.25, -0.15];
  const { sites } = judged([0.1, 0.1, 0.1].map((effect) => shared.map((block) => effect + block)));
  assert.ok(sites.every(({ decided }) => decided === null));
});

test('a lost cell leaves the effect of the fit, and its site with fewer values', () => {
  const cells = [
    ...[0.2, 0.21, 0.19].map((value, block) => ({ site: 0, block, value })),
    ...[0, 0.01, -0.01, 0.5].map((value, block) => ({ site: 1, block, value })),
  ];
  const { sites } = siteHeterogeneity(fitTwoWay(cells, 2), margin, 0.05);
  assert.deepEqual(
    sites.map((site) => site.cells),
    [3, 4],
  );
  assert.equal(sites[0]?.decided, 1);
});
