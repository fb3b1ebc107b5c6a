import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heatMaps } from '../../../../reports/html/heat-maps.ts';
import { corpusPoints } from '../../../../reports/html/corpus-points.ts';
import { chunkBitrates, ladderSteps } from '../../../../reports/html/stream-quality.ts';
import { sweeps } from '../../../../reports/html/sweeps.ts';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';
import { patternFixture, qualityFixture } from '../../../support/pattern-fixture.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

describe('plots over networks and sizes', () => {
  const summary = patternFixture();

  test('a grid becomes a heat map: rows of rate and loss, columns of count and size, each in rising order', () => {
    const [map, ...others] = heatMaps(reportContext(summary));
    assert.equal(others.length, 0);
    assert.deepEqual(map?.columns, ['1 object, 10 kB', '1 object, 1 MB', '100 objects, 10 kB']);
    assert.equal(map?.rows.length, 8);
    assert.deepEqual(map?.rows.slice(0, 3), [
      '5 Mbit/s, 0 % loss',
      '5 Mbit/s, 1 % loss',
      '10 Mbit/s, 0 % loss',
    ]);
    assert.equal(new Set(map?.cells.map(({ row, column }) => `${row}/${column}`)).size, 24);
  });

  test('a cell has the percent of the grid, and effect, interval and n of its own comparison', () => {
    const [map] = heatMaps(reportContext(summary));
    const row = map?.rows.indexOf('50 Mbit/s, 1 % loss');
    const column = map?.columns.indexOf('1 object, 1 MB');
    const cell = map?.cells.find((one) => one.row === row && one.column === column);
    const own = summary.comparisons.find(
      ({ workload, network, primary }) => primary && workload === 'get-1mb-x1' && network === '50mbit-1pct',
    );
    assert.equal(cell?.significant, true);
    assert.equal(cell?.betterPercent, ((own?.ratio ?? 0) - 1) * 100);
    assert.equal(cell?.n, own?.blocks);
    assert.match(cell?.interval ?? '', /^\+.* to \+/);
  });

  test('the grid of a study has a second map, blank where the study’s own test leaves cells blank', () => {
    const studied = patternFixture([
      { study: 's', experiment: 'e', metric: 'throughputMbps', figure: 'f', machine: 'm', source: 's' },
    ]);
    const [ours, welch, ...others] = heatMaps(reportContext(studied));
    assert.equal(others.length, 0);
    assert.match(welch?.place ?? '', /Welch/);
    assert.doesNotMatch(ours?.place ?? 'Welch', /Welch/);
    const pOf = new Map(
      studied.comparisons
        .filter(({ primary }) => primary)
        .map((one) => [`${one.network} ${one.workload}`, one.welchPValue]),
    );
    const grid = studied.grid ?? [];
    for (const [index, cell] of grid.entries()) {
      const p = pOf.get(`${cell.network} ${cell.workload}`) ?? 1;
      assert.equal(welch?.cells[index]?.significant, p < 0.05, `${cell.network} ${cell.workload}`);
      assert.equal(ours?.cells[index]?.significant, cell.significant);
    }
    assert.ok(welch?.cells.some(({ significant }) => significant));
    assert.ok(welch?.cells.some(({ significant }) => !significant));
  });

  test('throughput is drawn over bandwidth, paths of different loss apart, with the CPU time per gigabyte below', () => {
    const drawn = sweeps(reportContext(summary));
    assert.equal(drawn.length, 6, 'three workloads, two losses');
    for (const { title, lines } of drawn) {
      assert.match(title, /36 ms round trip, [01] % loss$/);
      assert.deepEqual(
        lines.map(({ unit }) => unit),
        ['Mbit/s', 's/GB'],
      );
      assert.deepEqual(
        lines[0]?.points.map(({ at }) => at),
        [5, 10, 50, 100],
      );
    }
  });

  test('load times are drawn over the share of a CPU, with where the arms part', () => {
    const plain = summaryFixture({});
    const [one] = plain.comparisons.filter(({ primary }) => primary);
    assert.ok(one);
    const at = (percent: number, ratio: number, verdict: 'worse' | 'equivalent'): Comparison => ({
      ...one,
      ratio,
      verdict,
      baseline: { ...one.baseline, arm: `h2+cpu=${percent}%` },
      candidate: { ...one.candidate, arm: `h3+cpu=${percent}%` },
    });
    const crossed = { ...at(25, 1, 'worse'), baseline: { ...one.baseline, arm: 'h2+cpu=100%' } };
    const comparisons = [at(50, 1.2, 'worse'), at(100, 1.001, 'equivalent'), at(25, 1.6, 'worse'), crossed];
    const [sweep, ...others] = sweeps(reportContext({ ...plain, comparisons }));
    assert.equal(others.length, 0);
    assert.equal(sweep?.axis.unit, '%');
    assert.deepEqual([sweep.baseline, sweep.candidate], ['HTTP/2', 'HTTP/3']);
    const [line] = sweep.lines;
    assert.deepEqual(
      line?.points.map((point) => point.at),
      [25, 50, 100],
    );
    assert.match(
      line?.words ?? '',
      /^From the highest share on, HTTP\/3 is first shown to differ with .* at 50 %\. At the lowest share .* at 25 %\. .* 3 shares\.$/,
    );
  });

  test('networks of one rate, or without one, give no such curve and no section', async () => {
    const plain = summaryFixture({ networks: ['none', 'other'] });
    assert.deepEqual(sweeps(reportContext(plain)), []);
    assert.doesNotMatch(await renderHtmlReport(plain), /id="patterns"/);
    assert.match(await renderHtmlReport(summary), /id="patterns"/);
  });

  test('a grid of which no point is compared yet has no section', async () => {
    const plain = summaryFixture({ networks: ['none', 'other'] });
    assert.doesNotMatch(await renderHtmlReport({ ...plain, grid: [] }), /id="patterns"/);
  });
});

describe('plots over videos and pages', () => {
  const summary = qualityFixture();

  test('bitrates of chunks stand by network and chunk length, arms side by side, videos of unlike chunk length together', () => {
    const [figure, ...others] = chunkBitrates(reportContext(summary));
    assert.equal(others.length, 0);
    assert.equal(figure?.title, 'video-padded-bba');
    assert.deepEqual(figure?.places, [
      '5g-driving, 1 s chunks',
      '5g-driving, 4 s chunks',
      'loopback, unshaped, 1 s chunks',
      'loopback, unshaped, 4 s chunks',
    ]);
    assert.equal(figure?.boxes.length, 8);
    assert.equal(figure?.boxes.find(({ arm }) => arm === 'h3')?.meanMbps, 40);
  });

  test('the shares of a ladder are those of the summary, one bar for each arm and network', () => {
    const [figure] = ladderSteps(reportContext(summary));
    assert.deepEqual(figure?.stepsMbps, [20, 40, 80]);
    assert.equal(figure?.bars.length, 4);
    assert.deepEqual(figure?.bars[1], {
      arm: 'HTTP/3',
      place: 'loopback, unshaped',
      sessions: 8,
      shares: [0.5, 0.3, 0.2],
    });
  });

  test('pages stand next to real ones with both values of each share, and a dash where nothing is published', async () => {
    const figure = {
      ...({ figure: 'hostCount', pages: 7, source: 'somebody & 2025' } as const),
      spread: [
        { share: 0.1, ours: 3, published: null },
        { share: 0.5, ours: 9, published: 16 },
      ],
    };
    const page = await renderHtmlReport({ ...summary, realPages: [figure] });
    const [table = ''] = /<table class="plain" id="real-pages">[^]*?<\/table>/.exec(page) ?? [];
    const cells = [...table.matchAll(/<t[dh](?: [^>]*)?>([^<]*)</g)].map(([, text]) => text);
    assert.deepEqual(cells, [
      'Figure',
      'Of',
      '10 %',
      '50 %',
      'Hosts',
      '7 pages of this run',
      '3',
      '9',
      'somebody &amp; 2025',
      '–',
      '16',
    ]);
    assert.doesNotMatch(await renderHtmlReport(summary), /id="real-pages"/);
  });

  test('pages without a known size are no points, and two pages make a section', async () => {
    const corpus = (summary.corpus ?? []).map((page, index) =>
      index < 2 ? { ...page, wireBytes: index === 0 ? null : NaN } : page,
    );
    assert.equal(corpusPoints(reportContext({ ...summary, corpus })).length, 4);
    assert.match(await renderHtmlReport(summary), /id="corpus-plots"/);
    assert.doesNotMatch(
      await renderHtmlReport({ ...summary, corpus: corpus.slice(0, 1) }),
      /id="corpus-plots"/,
    );
  });
});
