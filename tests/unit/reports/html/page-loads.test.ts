import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelsOf } from '../../../../reports/format/labels.ts';
import { buildPageLoads } from '../../../../reports/html/build-page-loads.ts';
import { collectPageLoads } from '../../../../reports/html/collect-page-loads.ts';
import type { ReadTrial } from '../../../../reports/html/collect-page-loads.ts';
import { pageLoadsToShow } from '../../../../reports/html/page-loads.ts';
import { stripMoments } from '../../../../reports/html/strip-moments.ts';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { pageLoadFixture } from '../../../support/page-load-fixture.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('page loads from inside', () => {
  test('of every single page the recorded block closest to all of these is chosen, both arms', () => {
    const { plan, records } = generateRun({ recordedBlocks: 'all', noise: 0.05 });
    const summary = summarise(plan, records, null, []);
    const choices = pageLoadsToShow(summary, records);
    const worstFirst = summary.comparisons
      .filter(({ metric, workload }) => metric === 'pltMs' && workload !== 'pooled')
      .toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))
      .map(({ workload }) => workload);
    assert.deepEqual(
      choices.slice(0, 3).map(({ workload }) => workload),
      [...worstFirst, worstFirst[0]],
    );
    assert.equal(choices.length, 8, 'four blocks of each page');
    assert.equal(new Set(choices.map(({ workload, blockIndex }) => `${workload} ${blockIndex}`)).size, 8);
    for (const { workload, blockIndex, arms } of choices.slice(0, 2)) {
      const timeOf = (block: number, arm: string): number =>
        Number(
          records.find(
            (one) =>
              one.instrumentation === 'instrumented' &&
              one.workload === workload &&
              one.blockIndex === block &&
              one.arm === arm,
          )?.metrics['pltMs'],
        );
      const effects = Array.from({ length: 8 }, (_, block) =>
        Math.log(timeOf(block, 'h3') / timeOf(block, 'h2')),
      );
      const middle = effects.toSorted((a, b) => a - b)[4] ?? 0;
      assert.equal(effects[blockIndex], middle);
      assert.deepEqual(arms, ['h2', 'h3']);
    }
  });

  test('are read trial by trial; a damaged one is named and the others are shown', () => {
    const run = generateRun({ blocks: 6, recordedBlocks: 'all' });
    const summary = summarise(run.plan, run.records, null, []);
    const read = ((trialId: string) => {
      if (trialId.includes('page-b') && trialId.endsWith('h3')) throw new Error('unexpected end of file');
      return {
        har: pageLoadFixture({ arm: 'h2' }).har,
        raw: { frames: [{ file: '0.jpg', tMs: 40 }] },
        frameImages: [new Uint8Array(3)],
      };
    }) as unknown as ReadTrial;
    const { pageLoads, warnings } = collectPageLoads(summary, run.records, read);
    assert.equal(pageLoads.length, 12, 'four blocks: both arms of one page, one of the other');
    assert.equal(pageLoads[0]?.frames?.[0]?.tMs, 40);
    assert.match(warnings.join(), /page-b-host-h3 cannot be shown from inside: unexpected end of file/);
  });

  test('a run directory without its trials is one warning, not one a trial', () => {
    const run = generateRun({ blocks: 6, recordedBlocks: 'all' });
    const read: ReadTrial = () => {
      throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    };
    const { pageLoads, warnings } = collectPageLoads(
      summarise(run.plan, run.records, null, []),
      run.records,
      read,
    );
    assert.equal(pageLoads.length, 0);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings.join(),
      /^16 trials cannot be shown from inside: .* no longer in the run directory/,
    );
  });

  test('stand in order of the arms on a common time axis, with the times of the HAR', () => {
    const summary = summaryFixture();
    const loads = [pageLoadFixture({ arm: 'h3' }), pageLoadFixture({ arm: 'h2' })];
    const { groups } = buildPageLoads(loads, summary.run, labelsOf(summary));
    assert.equal(groups.length, 1);
    assert.deepEqual(
      groups[0]?.loads.map(({ arm, loadEventMs }) => [arm, loadEventMs]),
      [
        ['h2', 480],
        ['h3', 520],
      ],
    );
    const [, startMs = 0, blocked, connect, wait, receive, bytes] = groups[0]?.loads[0]?.requests[0] ?? [];
    assert.ok(startMs < 10);
    assert.deepEqual([blocked, connect, wait, receive, bytes], [5, 12, 21, 25, 1000]);
    assert.ok((groups[0]?.endMs ?? 0) >= 520);
    assert.deepEqual(groups[0]?.linkBands, []);
  });

  test('have behind them what a schedule of their link set until they end', () => {
    const summary = summaryFixture();
    const linkSchedule = [
      { fromMs: 100, toMs: 5000, outage: true as const },
      { fromMs: 9000, toMs: 9500, lossPercent: 30 },
    ];
    const loads = ['h2', 'h3'].map((arm) => ({ ...pageLoadFixture({ arm }), linkSchedule }));
    const [group] = buildPageLoads(loads, summary.run, labelsOf(summary)).groups;
    assert.deepEqual(group?.linkBands, [
      [100, Math.round(group?.endMs ?? 0), true, '0.1 to 5 s: nothing passes'],
    ]);
  });

  test('strips begin at the first paint of any arm; the pictures that they show are there', () => {
    const summary = summaryFixture();
    const frames = [0, 300, 400, 450, 470].map((tMs) => ({ tMs, jpeg: new Uint8Array(10).fill(tMs % 251) }));
    const loads = ['h2', 'h3'].map((arm) => ({
      ...pageLoadFixture({ arm }),
      frames,
      paints: { fcpMs: arm === 'h2' ? 320 : 410, lcpMs: null },
    }));
    const [group] = buildPageLoads(loads, summary.run, labelsOf(summary)).groups;
    assert.equal(group?.firstPaintMs, 320);
    const moments = stripMoments(group.firstPaintMs, group.endMs);
    assert.deepEqual([moments[0], moments.at(-1)], [320, group.endMs]);
    for (const load of group.loads) {
      const times = load.frames.map(([tMs]) => tMs);
      assert.equal(times[0], 0, 'the film begins at the beginning');
      for (const ms of moments)
        assert.equal(
          times.findLast((tMs) => tMs <= ms),
          frames.findLast(({ tMs }) => tMs <= ms)?.tMs,
        );
    }
  });

  test('of a hundred large pages the first page shows a part and leads to the others', async () => {
    const summary = summaryFixture({ pages: 100, blocks: 6, pageMetrics: 3 });
    const loads = summary.workloads
      .filter(({ kind }) => kind === 'page')
      .flatMap(({ id }) => ['h2', 'h3'].map((arm) => pageLoadFixture({ arm, workload: id, requests: 150 })));
    const text = await renderHtmlReport(summary, { pageLoads: loads });
    assert.match(text, /More of this run/);
    assert.equal(text.match(/report\/inside-\d+\.html#/g)?.length, 80);
    assert.ok(Buffer.byteLength(text) < 3_000_000);
  });
});
