import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NightEvent } from '../../../../src/core/model/history.ts';
import { historyRun } from '../../../../src/analyse/history/history-run.ts';
import type { SeriesNight } from '../../../../src/analyse/history/series-night.ts';
import { protocolGaps } from '../../../../src/analyse/history/protocol-gaps.ts';
import { nightsOf, trendOf, trendSeries } from '../../../../src/analyse/history/trend.ts';
import { medianInterval } from '../../../../src/analyse/statistics/median-interval.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { gaussian } from '../../../support/generated-run.ts';
import { generateGateRun } from '../../../support/gate-run.ts';

const day = (index: number): string =>
  new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);

function row(night: string, version: string, values: readonly number[], role = 'candidate'): SeriesNight {
  return {
    machineClass: 'm',
    family: 'chromium',
    build: 'full',
    protocol: 'h3',
    workload: 'page-a',
    metric: 'pltMs',
    network: 'loopback',
    server: 'caddy',
    night,
    startedAt: `${night}T02:00:00Z`,
    role,
    version,
    values,
  };
}

test('a release that made pages slower is named with its night and version', () => {
  const random = seededRandom(3);
  const rows = Array.from({ length: 20 }, (_, index) => {
    const slower = index >= 12 ? 1.1 : 1;
    const values = Array.from({ length: 12 }, () => 800 * slower * Math.exp(0.02 * gaussian(random)));
    return row(day(index), index >= 12 ? '154.0.1' : '153.0.9', values);
  });
  const [series] = trendSeries(rows);
  assert.equal(series?.changes.length, 1);
  const [change] = series.changes;
  assert.deepEqual([change?.night, change?.version], [day(12), '154.0.1']);
  assert.ok(Math.abs((change?.after ?? 0) / (change?.before ?? 1) - 1.1) < 0.02);
  assert.deepEqual(
    series.versions.map(({ version, n }) => [version, n]),
    [
      ['153.0.9', 144],
      ['154.0.1', 96],
    ],
  );
});

test('a change of level inside the practical margin is not named', () => {
  const rows = Array.from({ length: 20 }, (_, index) =>
    row(
      day(index),
      '153',
      Array.from({ length: 12 }, (_, i) => (index >= 10 ? 810 : 800) + i / 100),
    ),
  );
  assert.deepEqual(trendSeries(rows)[0]?.changes, []);
});

test('the newest version stands for its night, and builds are never mixed', () => {
  const rows = [
    row(day(0), '99.0', [1, 1], 'baseline'),
    row(day(0), '100.0', [2, 2]),
    { ...row(day(0), '100.0', [9]), build: 'headless-shell' },
  ];
  const series = trendSeries(rows);
  assert.equal(series.length, 2);
  assert.deepEqual([series[0]?.nights[0]?.version, series[0]?.nights[0]?.median], ['100.0', 2]);
});

test('the interval of a median covers it about as often as it says', () => {
  const random = seededRandom(7);
  const runs = 2000;
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const interval = medianInterval(
      Array.from({ length: 12 }, () => gaussian(random)),
      0.95,
    );
    if (interval !== null && interval[0] <= 0 && interval[1] >= 0) covered++;
  }
  // Order statistics 3 and 10 of 12 cover with 96.1 %.
  assert.ok(covered / runs > 0.95 && covered / runs < 0.975, `${covered / runs}`);
  assert.equal(medianInterval([1, 2, 3, 4, 5], 0.95), null);
});

const event = (night: string, kind: 'begin' | 'end', note = ''): NightEvent => ({
  night,
  event: kind,
  at: `${night}T02:00:00Z`,
  folder: null,
  exitCode: kind === 'end' ? 3 : null,
  note,
});

test('missed, crashed, half and failed nights are seen, none is left out', () => {
  const runs = [
    { night: day(0), state: 'complete', reason: '', folder: 'a' },
    { night: day(2), state: 'half', reason: 'the budget ended', folder: 'b' },
    { night: day(4), state: 'complete', reason: '', folder: 'c' },
  ] as const;
  const events = [
    event(day(0), 'begin'),
    event(day(0), 'end'),
    event(day(2), 'begin'),
    event(day(3), 'begin'),
    event(day(5), 'begin'),
    event(day(5), 'end', 'no baseline'),
  ];
  const nights = nightsOf(runs, events, day(6));
  assert.deepEqual(
    nights.map(({ night, state }) => [night, state]),
    [
      [day(0), 'complete'],
      [day(1), 'missed'],
      [day(2), 'half'],
      [day(3), 'crashed'],
      [day(4), 'complete'],
      [day(5), 'failed'],
    ],
  );
  assert.equal(nights[5]?.note, 'no baseline');
});

test('a run is taken in with its state, roles and values', () => {
  const { plan, records } = generateGateRun({});
  const input = { runId: 'r', digest: 'd', folder: 'f', plan, environment: null, gate: null };
  const whole = historyRun({ ...input, records });
  assert.deepEqual([whole.state, whole.blocksDone, whole.trialsOk], ['complete', 20, records.length]);
  assert.deepEqual([...new Set(whole.observations.map(({ role }) => role))].sort(), [
    'baseline',
    'candidate',
  ]);
  assert.equal(historyRun({ ...input, records: records.slice(0, 50) }).state, 'crashed');
  assert.equal(historyRun({ ...input, records: [] }).state, 'empty');
  const cut = records.map((record) =>
    record.blockIndex < 10 ? record : { ...record, status: 'not-run' as const },
  );
  assert.equal(historyRun({ ...input, records: cut }).state, 'half');
  const failed = records.map((record) =>
    record.blockIndex < 6 ? { ...record, status: 'failed' as const } : record,
  );
  assert.equal(historyRun({ ...input, records: failed }).state, 'failed');
});

test('nights with a baseline beside the candidate are judged by the two, not by a machine that got slower', () => {
  const random = seededRandom(11);
  const blocks = Array.from({ length: 8 }, (_, block) => block);
  const noisy = (level: number): number[] => blocks.map(() => level * Math.exp(0.01 * gaussian(random)));
  const nights = (candidate: (night: number) => number): SeriesNight[] =>
    Array.from({ length: 24 }, (_, night) => {
      const machine = night >= 12 ? 1.3 : 1;
      const version = night >= 12 ? '154' : '153';
      return [
        { ...row(day(night), '150', noisy(800 * machine), 'baseline'), blocks },
        { ...row(day(night), version, noisy(800 * machine * candidate(night))), blocks },
      ];
    }).flat();
  const [level, paired, ...more] = trendSeries(nights(() => 1));
  assert.deepEqual(more, []);
  assert.deepEqual([level?.changes, paired?.changes], [[], []], 'the machine alone changed');
  assert.deepEqual(paired?.pairedWith, { baseline: '150', form: 'ratio' });
  const [point] = paired.nights;
  assert.ok(point?.n === 8 && Math.abs(point.median - 1) < 0.02, JSON.stringify(point));
  const slower = trendSeries(nights((night) => (night >= 12 ? 1.1 : 1)))[1]?.changes;
  assert.deepEqual(
    slower?.map(({ night, version }) => [night, version]),
    [[day(12), '154']],
  );
});

test('another baseline begins another series: its ratio is another one', () => {
  const blocks = [0, 1];
  const rows = ['150', '151'].flatMap((baseline, night) => [
    { ...row(day(night), baseline, [100, 100], 'baseline'), blocks },
    { ...row(day(night), '152', [110, 120]), blocks },
  ]);
  assert.deepEqual(
    trendSeries(rows).map(({ pairedWith, nights }) => [pairedWith?.baseline, nights.length]),
    [
      [undefined, 2],
      ['150', 1],
      ['151', 1],
    ],
  );
});

test('the gap of HTTP/3 to HTTP/2 is taken block by block, by version, and stands in the order of importance', () => {
  const both = (night: string, version: string, metric: string, gap: number): SeriesNight[] =>
    (['h2', 'h3'] as const).map((protocol) => ({
      // The machine is twice as slow in every other block, to both.
      ...row(
        night,
        version,
        Array.from({ length: 8 }, (_, i) => 800 * (1 + (i % 2)) * (protocol === 'h3' ? gap : 1)),
      ),
      protocol,
      metric,
      blocks: [0, 1, 2, 3, 4, 5, 6, 7],
    }));
  const rows = [
    ...both(day(0), '153.0', 'lcpMs', 1.3),
    ...both(day(0), '153.0', 'pltMs', 1.1),
    ...both(day(1), '154.0', 'pltMs', 1.2),
  ];
  const gap = protocolGaps(rows).find(({ metric }) => metric === 'pltMs');
  assert.deepEqual(
    gap?.versions.map(({ version, n, median }) => [version, n, Number(median.toFixed(6))]),
    [
      ['153.0', 8, 1.1],
      ['154.0', 8, 1.2],
    ],
  );
  const names = { workloads: {}, clients: {}, networks: {}, servers: {} };
  const facts = { runs: [], events: [], names, now: `${day(2)}T00:00:00Z` };
  const trend = trendOf({ ...facts, rows, metrics: ['pltMs', 'lcpMs'] });
  assert.deepEqual(
    trend.gaps.map(({ metric }) => metric),
    ['pltMs', 'lcpMs'],
  );
  assert.deepEqual(protocolGaps(rows.filter(({ protocol }) => protocol === 'h3')), []);
});
