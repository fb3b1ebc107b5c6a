import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTailsCsv } from '../../../../reports/csv/tails-csv.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { tails as tailsSection } from '../../../../reports/html/sections/tails.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import type { Tail } from '../../../../src/core/model/tails.ts';
import { gaussian, generateRun, type GeneratedRunOptions } from '../../../support/generated-run.ts';
import { screenFaultsIn, shownIn } from '../../../support/plain-words.ts';

/** Load times of two sides alike in their middle. @param wide how much more HTTP/3 varies */
function summaryOf(blocks: number, wide = 1, options: GeneratedRunOptions = {}): Summary {
  const random = seededRandom(5);
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    blocks,
    alter: (record) => ({
      ...record,
      metrics: Object.assign({}, record.metrics, {
        pltMs: 1000 * Math.exp(0.1 * (record.arm === 'h3' ? wide : 1) * gaussian(random)),
      }),
    }),
    ...options,
  });
  return summarise(plan, records, null, []);
}

function onlyTail({ tails = [] }: Summary): Tail {
  assert.equal(tails.length, 1);
  return tails[0] as Tail;
}

test('a condition has its slow quantiles with intervals where there are loads enough, and says so where not', () => {
  const { baseline, candidate } = onlyTail(summaryOf(100));
  for (const { n, quantiles } of [baseline, candidate]) {
    assert.equal(n, 100);
    const [upper, highest] = quantiles;
    // Of a normal logarithm with a deviation of 0.1.
    assert.ok((upper?.interval?.[0] ?? Infinity) < 1070 && (upper?.interval?.[1] ?? 0) > 1070);
    assert.ok((highest?.interval?.[0] ?? Infinity) < 1179 && (highest?.interval?.[1] ?? 0) > 1179);
    assert.ok((upper?.value ?? 0) < (highest?.value ?? 0));
  }
  const few = onlyTail(summaryOf(20)).baseline;
  assert.deepEqual(
    few.quantiles.map(({ quantile, value }) => [quantile, value === null]),
    [
      [0.75, false],
      [0.95, true],
    ],
  );
});

test('of rates the low end is the slow one', () => {
  const { plan, records } = generateRun({ workloads: [{ id: 'film', kind: 'download' }], blocks: 20 });
  const { metric, higherIsBetter, baseline } = onlyTail(summarise(plan, records, null, []));
  assert.deepEqual([metric, higherIsBetter], ['throughputMbps', true]);
  assert.deepEqual(
    baseline.quantiles.map(({ quantile }) => quantile),
    [0.25, 0.05],
  );
});

test('a side that varies more is found, and sides that vary alike are not', () => {
  const wide = onlyTail(summaryOf(30, 4)).spread;
  assert.ok((wide?.ratio ?? 0) > 2 && (wide?.adjustedPValue ?? 1) < 0.05, JSON.stringify(wide));
  assert.ok((onlyTail(summaryOf(30)).spread?.adjustedPValue ?? 0) > 0.05);
  assert.equal(onlyTail(summaryOf(5)).spread, null);
});

test('p of spread is adjusted over all conditions', () => {
  const { tails = [] } = summaryOf(12, 1, {
    workloads: ['page-a', 'page-b', 'page-c'].map((id) => ({ id, kind: 'page' })),
  });
  assert.equal(tails.length, 3);
  const least = tails.toSorted((a, b) => (a.spread?.pValue ?? 1) - (b.spread?.pValue ?? 1))[0]?.spread;
  assert.ok(Math.abs((least?.adjustedPValue ?? 0) - Math.min(1, 3 * (least?.pValue ?? 0))) < 1e-12);
});

test('the first conditions are open, the others fold', () => {
  const workloads = Array.from({ length: 8 }, (_, index) => ({ id: `page-${index}`, kind: 'page' as const }));
  const page = String(tailsSection(reportContext(summaryOf(14, 1, { workloads }))));
  const [open = '', folded = ''] = page.split('<details>');
  assert.equal([...open.matchAll(/<th scope="row">/g)].length, 6 * 2);
  assert.equal([...folded.matchAll(/<th scope="row">/g)].length, 2 * 2);
  assert.match(folded, /2 more conditions/);
});

test('page and table have every quantile, and name those that have too few loads', () => {
  const summary = summaryOf(20, 4);
  const page = String(tailsSection(reportContext(summary)));
  assert.match(page, /too few for p95/);
  assert.match(page, /times as wide/);
  assert.deepEqual(
    shownIn(page).flatMap((text) => screenFaultsIn(text)),
    [],
  );
  const rows = (renderTailsCsv(summary) ?? '').trimEnd().split('\r\n');
  assert.equal(rows.length, 1 + 2 * 2);
  assert.match(rows[1] ?? '', /^page-a,page,chromium,host,caddy,pltMs,ms,h2,h2,20,0\.75,1\d{3}/);
  assert.match(rows[4] ?? '', /,h3,20,0\.95,,,,/);
  assert.equal(String(tailsSection(reportContext(summaryOf(8)))), '', 'eight loads have no slow quantile');
  assert.equal(renderTailsCsv({ ...summary, tails: undefined }), undefined);
});
