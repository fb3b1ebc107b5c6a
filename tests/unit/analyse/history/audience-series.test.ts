import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyRun } from '../../../../src/analyse/history/history-run.ts';
import type { SeriesNight } from '../../../../src/analyse/history/series-night.ts';
import { trendOf } from '../../../../src/analyse/history/trend.ts';
import { audienceSeries } from '../../../../src/core/model/audience-series.ts';
import type { Audience } from '../../../../src/core/model/audience.ts';
import type { HistoryRun, ProtocolGap, Trend } from '../../../../src/core/model/history.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { readAudienceLines } from '../../../../src/plan/audience/read-audience.ts';
import { generateRun } from '../../../support/generated-run.ts';

const users = (...lines: string[]): Audience =>
  readAudienceLines(['share,rttMs,downMbps,upMbps', ...lines], 'users.csv');

/** Load times by round trip: HTTP/3 gains 20 % on long ones alone. */
function loadMs(audience: Audience, { network, arm }: TrialRecord): number {
  const rttMs = audience.conditions.find((one) => one.network === network)?.rttMs ?? NaN;
  return 500 + 10 * rttMs * (arm === 'h3' && rttMs > 100 ? 0.8 : 1);
}

function nightOf(
  audience: Audience,
  night: number,
  alter: (record: TrialRecord) => TrialRecord | undefined = (record) => record,
): HistoryRun {
  const { plan, records } = generateRun({
    seed: night,
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: audience.conditions.map(({ network }) => network),
    plan: { audience },
    alter: (record) =>
      alter({
        ...record,
        startedAt: `2026-01-0${night}T02:00:00.000Z`,
        metrics: Object.assign({}, record.metrics, { pltMs: loadMs(audience, record) }),
      }),
  });
  return historyRun({
    runId: `run-${night}`,
    digest: String(night),
    folder: `run-${night}`,
    plan,
    records,
    environment: null,
    gate: null,
  });
}

/** As the history gives them back: the values of a series in one run. */
function rowsOf(run: HistoryRun): SeriesNight[] {
  const groups = Map.groupBy(run.observations, (one) =>
    JSON.stringify([one.role, one.protocol, one.workload, one.kind, one.network, one.metric]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { role, protocol, family, version, build, workload, kind, network, server, metric } = first;
    const { machineClass, night, startedAt } = run;
    return [
      {
        machineClass,
        night,
        startedAt,
        role,
        protocol,
        family,
        version,
        build,
        workload,
        kind,
        network,
        server,
        metric,
        values: group.map(({ value }) => value),
        blocks: group.map(({ block }) => block),
      },
    ];
  });
}

function trendOver(...runs: readonly HistoryRun[]): Trend {
  const names = { workloads: {}, clients: {}, networks: {}, servers: {} };
  const rows = runs.flatMap(rowsOf);
  return trendOf({ rows, runs, events: [], metrics: ['pltMs'], names, now: '2026-01-05T00:00:00.000Z' });
}

const gapsOver = ({ gaps }: Trend, network: string): readonly ProtocolGap[] =>
  gaps.filter((gap) => gap.network === network && gap.metric === 'pltMs');

const near = users('60,20,50,10', '40,200,8,2');
/** The same links the other way round, and one that is new. */
const far = users('30,20,50,10', '45,200,8,2', '25,400,2,0.4');

test('a renewed file of users never mixes unlike links in a series, and alike ones stay together', () => {
  const [slow] = far.conditions;
  assert.equal(slow?.network, near.conditions[1]?.network);
  const { series } = trendOver(nightOf(near, 1), nightOf(far, 2));
  const ofLoad = series.filter(({ metric, protocol }) => metric === 'pltMs' && protocol === 'h2');
  const nightsOf = (network: string | undefined): number =>
    ofLoad.find((one) => one.network === network)?.nights.length ?? 0;
  assert.equal(nightsOf(slow?.network), 2);
  assert.equal(nightsOf(far.conditions[2]?.network), 1);
  for (const { network, nights } of ofLoad)
    assert.equal(new Set(nights.map(({ median }) => median.toFixed(6))).size, 1, network);
});

test('the weighted change of an audience is a series of its own, and another audience another one', () => {
  const trend = trendOver(nightOf(near, 1), nightOf(near, 2), nightOf(far, 3));
  const [gap] = gapsOver(trend, audienceSeries(near).id);
  assert.deepEqual([gap?.workload, gap?.kind, gap?.form], ['pooled', 'page', 'ratio']);
  assert.equal(gap?.nights.length, 2);
  const weighted = (2100 / 2500) ** 0.4;
  for (const { median, n } of gap.nights) {
    assert.ok(Math.abs(median - weighted) < 1e-9, String(median));
    assert.equal(n, 8);
  }
  const [other] = gapsOver(trend, audienceSeries(far).id);
  assert.equal(other?.nights.length, 1);
  assert.ok((other.nights[0]?.median ?? 1) < weighted);
});

test('a lost trial costs its cell, a lost segment the weighted value of its night', () => {
  const lossy = nightOf(near, 1, (record) =>
    record.blockIndex === 2 && record.network === near.conditions[1]?.network && record.arm === 'h3'
      ? { ...record, status: 'failed', metrics: {} }
      : record,
  );
  const [gap] = gapsOver(trendOver(lossy), audienceSeries(near).id);
  assert.ok(Math.abs((gap?.nights[0]?.median ?? 0) - (2100 / 2500) ** 0.4) < 1e-9);
  const without = nightOf(near, 1, (record) =>
    record.network === near.conditions[1]?.network
      ? { ...record, status: 'unsupported', metrics: {} }
      : record,
  );
  assert.deepEqual(gapsOver(trendOver(without), audienceSeries(near).id), []);
});

test('an audience is known by its figures and shares, not by its file, its names or its order', () => {
  const { id } = audienceSeries(near);
  const turned = { ...near, source: 'other.csv', conditions: near.conditions.toReversed() };
  assert.equal(audienceSeries(turned).id, id);
  const named = near.conditions.map((one) => ({ ...one, title: 'Phones', segments: 7 }));
  assert.equal(audienceSeries({ ...near, conditions: named }).id, id);
  assert.notEqual(audienceSeries(users('61,20,50,10', '39,200,8,2')).id, id);
  assert.notEqual(audienceSeries(users('60,20,50,11', '40,200,8,2')).id, id);
});
