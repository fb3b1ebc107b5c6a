import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsLine } from '../../../../reports/format/agreement-words.ts';
import { rawRateWords } from '../../../../reports/format/run-state.ts';
import { figureResults } from '../../../../reports/html/studies/figure-results.ts';
import { renderFigure } from '../../../../reports/html/studies/figures/render-figure.ts';
import { markup } from '../../../../reports/html/markup.ts';
import type { PublishedResult } from '../../../../src/core/model/published.ts';
import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { experimentFixture, resultFixture } from '../../../support/studies-fixture.ts';

const [drawn] = experimentFixture().figures;
assert.ok(drawn !== undefined);
const figure = (more: Partial<StudyFigure>): StudyFigure => ({ ...drawn, ...more });

/** The names of results that are said below the first of these figures. */
function found(figures: readonly [StudyFigure, ...StudyFigure[]], results: PublishedResult[]): string {
  const { text } = markup`${figureResults(figures[0], { figures: [...figures], results })}`;
  return text.replaceAll(/<[^>]*>/g, '').trim();
}

const effect = '+2.0 % (+1.0 to +3.0 %)';

test('below a figure stands what was found of its place, and nothing of other figures, panels or sections', () => {
  const at = (source: string): PublishedResult => resultFixture('same', { experiment: source, source });
  const said = `✓ Direction as published: `;
  for (const [place, source] of [
    ['figure 9', 'section 4.1, figure 9a'],
    ['figure 6a', 'section 5.2, figure 6'],
    ['figure 8', 'abstract and section 3.3, figures 4 and 8'],
    ['figures 5, 6, 7', 'section V-B, figure 6'],
    ['table III', 'table III'],
    ['section 4.2', 'section 4.2'],
  ] as const)
    assert.equal(found([figure({ place })], [at(source)]), `${said}${source} ${effect}.`);
  for (const [place, source] of [
    ['figure 1', 'section 6, figure 12'],
    ['figure 4a', 'section 4.1, figure 4c'],
    ['figure 3', 'table 3'],
    ['section 4.2', 'section 4.2, figure 3'],
    ['table 4', 'section 5.1'],
  ] as const)
    assert.equal(found([figure({ place })], [at(source)]), '', `${place} and ${source}`);
});

test('of figures at one place each has the results of its metrics', () => {
  const load = resultFixture('same', { experiment: 'load' });
  const cpu = resultFixture('same', { experiment: 'cpu', metric: 'applicationLimitedPercent' });
  const figures = [figure({ metrics: ['applicationLimitedPercent'] }), figure({})] as const;
  assert.match(found([figures[0], figures[1]], [load, cpu]), /^✓ Direction as published: cpu [^,]*$/);
  assert.match(found([figures[1], figures[0]], [load, cpu]), /^✓ Direction as published: load [^,]*$/);
});

test('one of each outcome is said before a second of any, contradictions first, and results without a direction last', () => {
  const named = (agreement: PublishedResult['agreement'], experiment: string): PublishedResult =>
    resultFixture(agreement, { experiment });
  const none = resultFixture('no direction', { experiment: 'e' });
  const all = [named('same', 'a'), named('same', 'b'), named('other', 'c'), named('undecided', 'd'), none];
  assert.equal(found([drawn], all), `✗ Contradicted: c ${effect}. ✓ Direction as published: a ${effect}.`);
  assert.equal(found([drawn], all.slice(0, 2)), `✓ Direction as published: a ${effect}, b ${effect}.`);
  assert.equal(found([drawn], [none]), `· No direction published: e ${effect}.`);
  assert.equal(found([drawn], [resultFixture('not measured')]), '');
});

test('of many comparisons of one result two are said, and how many more there are', () => {
  const [ours] = resultFixture('same').ours;
  assert.ok(ours !== undefined);
  const result = resultFixture('same', { source: 'figure 9', ours: [ours, ours, ours] });
  assert.ok(found([figure({ place: 'figure 9' })], [result]).endsWith(`${effect}, ${effect}, 1 more.`));
});

test('the counts above a table add up to its rows', () => {
  assert.equal(countsLine([resultFixture('other')]), '1 result: 1 contradicted');
  const undirected = resultFixture('no direction');
  delete undirected.expects;
  assert.equal(
    countsLine([resultFixture('same'), undirected, resultFixture('same', { countedIn: 'A2' })]),
    '3 results: 1 direction as published, 1 without a direction, 1 counted elsewhere',
  );
});

test('raw rates have the titles of their networks, and a sentence each', () => {
  const { run } = experimentFixture();
  assert.ok(run !== undefined);
  const rate = { udpMbps: 10, tcpMbps: null };
  assert.equal(
    rawRateWords({
      ...run,
      rawRates: [
        { network: 'slow', ...rate },
        { network: 'slow/loopback', ...rate },
      ],
      networks: { slow: 'A slow link', 'slow/loopback': 'A slow link' },
    }),
    'Raw rate of the path in Mbit/s, without HTTP. A slow link: 10 over UDP. A slow link, with the proxy: 10 over UDP',
  );
});

test('cells of a heat map that were not measured are told from those that are not sure', () => {
  const heat = figure({
    kind: 'heat',
    rows: ['slow'],
    series: [],
    cells: [{ x: 'cable', row: 'slow', percent: null }],
  });
  const { text } = renderFigure(heat, { titled: false, found: '' });
  assert.match(text, /change not sure: 1/);
  assert.match(text, /not measured: 1/);
  assert.match(text, /class="sf-cell sf-none"[^]*class="sf-cell sf-missing"/);
});

test('a published mean is a line with its name, and a median a mark', () => {
  const distribution = (x: string): string =>
    renderFigure(
      figure({
        kind: 'ratios',
        series: [{ name: 'load', published: [{ x, low: 1.1, high: 1.1 }], points: [], values: [1, 1.2] }],
      }),
      { titled: false, found: '' },
    ).text;
  assert.match(distribution('mean'), /class="sf-p sf-line"[^]*published mean/);
  assert.doesNotMatch(distribution('median'), /sf-p sf-line|published mean/);
});

test('published values of other sizes than ours have a panel of their own', () => {
  const one = renderFigure(figure({}), { titled: false, found: '' }).text;
  const two = renderFigure(figure({ panels: { study: '1 GB', here: '100 MB' } }), {
    titled: false,
    found: '',
  }).text;
  assert.match(two, /study, 1 GB/);
  assert.match(two, /here, 100 MB/);
  assert.equal([...two.matchAll(/>cable</g)].length, 2 * [...one.matchAll(/>cable</g)].length);
  const middle = 199;
  const places = (mine: string): number[] =>
    [...(two.split('</svg>')[0] ?? '').matchAll(new RegExp(`class="${mine}[^"]*" d="M([\\d.]+)`, 'g'))].map(
      ([, x]) => Number(x),
    );
  assert.ok(places('sf-p').length > 0 && places('sf-p').every((x) => x < middle), String(places('sf-p')));
  assert.ok(places('sf-o').length > 0 && places('sf-o').every((x) => x > middle), String(places('sf-o')));
});

test('a published range is a box, our interval a line, axes end where data end, and dashes have keys', () => {
  const { text } = renderFigure(figure({}), { titled: false, found: '' });
  assert.match(text, /<rect class="sf-p sf-range"/);
  assert.doesNotMatch(text, /<path class="sf-p sf-line"/);
  const high = figure({
    series: figure({}).series.map((one) => ({
      ...one,
      published: [],
      points: [{ x: 'cable', value: 430, interval: null }],
    })),
  });
  assert.doesNotMatch(renderFigure(high, { titled: false, found: '' }).text, />1000</);
  const lines = figure({
    kind: 'values',
    series: ['a', 'b'].map((name) => ({ name, published: [], points: [], values: [1, 2, 3] })),
  });
  const drawnLines = renderFigure(lines, { titled: false, found: '' }).text;
  assert.equal([...drawnLines.matchAll(/class="sf-key"[^]*?sf-dash-1/g)].length, 1);
});
