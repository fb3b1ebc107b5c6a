import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armPairs } from '../../../../src/analyse/comparison/arm-pairs.ts';
import { comparisonRules } from '../../../../src/analyse/comparison/comparison-rules.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { historyRun } from '../../../../src/analyse/history/history-run.ts';
import { trendSeries } from '../../../../src/analyse/history/trend.ts';
import { asGate } from '../../../../src/app/gate/gate-run.ts';
import type { GateSubjects } from '../../../../src/app/gate/gate-subject.ts';
import { trendMetrics } from '../../../../src/app/history/history-file.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Gate } from '../../../../src/core/model/gate.ts';
import type { Observation } from '../../../../src/core/model/history.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun, type GeneratedRun } from '../../../support/generated-run.ts';

const names = ['chromium@148', 'chromium@153'] as const;
const subjects: GateSubjects = { factor: 'client', names, warnings: [] };
const rules = { protocols: ['h2', 'h3'], interims: undefined, margin: undefined, margins: {}, own: [] };
const settings = ['h2+family=both+ipv6=broken', 'h2+family=both+ipv6=slow+1s'];
const { plan } = planFromRequest(asGate(readPlanRequest('gate-timers', {}), subjects, rules), 'test');

/** A night whose candidate waits for so long, where the accepted version waits for 300 ms; each wait a little longer or shorter. */
function nightOf(candidateMs: number): GeneratedRun {
  const withWait = (record: TrialRecord): TrialRecord => {
    const waitMs = record.client === names[1] ? candidateMs : 300;
    const metrics: TrialRecord['metrics'] = { ...record.metrics };
    metrics['addressRaceMs'] = waitMs + ((7 * record.blockIndex) % 5) - 2;
    return { ...record, metrics };
  };
  return generateRun({ plan, alter: withWait });
}

const judged = (candidateMs: number): Gate => {
  const run = nightOf(candidateMs);
  return judgeGate(run.plan, run.records);
};

test('a night of timers keeps IPv6 from both versions in the same ways, and the wait alone decides', () => {
  assert.deepEqual(
    armPairs(plan).map(({ baseline, candidate, primary }) => [baseline.label, candidate.label, primary]),
    settings.map((setting) => [`${names[0]}:${setting}`, `${names[1]}:${setting}`, true]),
  );
  assert.equal(comparisonRules(plan).primaryMetric('page'), 'addressRaceMs');
  assert.ok(trendMetrics.includes('addressRaceMs'));
});

test('a night tells when a version changes a timer, to which side and by how much, and passes where it did not', () => {
  const longer = judged(400);
  assert.equal(longer.outcome, 'worse');
  assert.deepEqual(
    longer.comparisons.map(({ verdict, difference }) => [verdict, Math.round(difference ?? 0)]),
    [
      ['worse', 100],
      ['worse', 100],
    ],
  );
  for (const { sentence } of longer.comparisons)
    assert.match(sentence, /wait before the other version of IP is tried/);
  const shorter = judged(250);
  assert.deepEqual(
    [shorter.outcome, shorter.comparisons.map(({ verdict }) => verdict)],
    ['passed', ['better', 'better']],
  );
  assert.match(shorter.headline.join(' '), /2 better/);
  const same = judged(301);
  assert.deepEqual(
    [same.outcome, same.comparisons.map(({ verdict }) => verdict)],
    ['passed', ['equivalent', 'equivalent']],
  );
});

test('nights keep each way of keeping IPv6 away apart, and apart from loads with nothing set', () => {
  const { records } = nightOf(400);
  const { observations } = historyRun({
    runId: 'a',
    digest: 'b',
    folder: 'c',
    plan,
    environment: environmentFixture([...names], ['cable']),
    records,
    gate: null,
  });
  const ofWait = observations.filter(({ metric }) => metric === 'addressRaceMs');
  assert.deepEqual([...new Set(ofWait.map(({ protocol }) => protocol))].toSorted(), settings);
  const named = ({ role, protocol, version }: Observation): string =>
    JSON.stringify([role, protocol, version]);
  const rows = [...Map.groupBy(ofWait, named).values()].flatMap((group) => {
    const [first] = group;
    const values = group.map(({ value }) => value);
    const blocks = group.map(({ block }) => block);
    const night = { night: '2026-11-30', startedAt: 'x', machineClass: 'm' };
    return first === undefined ? [] : [{ ...first, ...night, values, blocks }];
  });
  const paired = trendSeries(rows).flatMap(({ protocol, pairedWith, nights }) =>
    pairedWith === undefined ? [] : [[protocol, pairedWith.form, nights.map(({ median }) => median)]],
  );
  assert.deepEqual(
    paired.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    settings.map((setting) => [setting, 'difference', [100]]),
  );
});
