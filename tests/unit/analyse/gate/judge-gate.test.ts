import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate, reasonToStop } from '../../../../src/analyse/gate/judge-gate.ts';
import { dueLooks } from '../../../../src/analyse/gate/look-schedule.ts';
import { withGateVerdicts } from '../../../../src/analyse/gate/with-gate-verdicts.ts';
import { scheduledLevels } from '../../../../src/analyse/sequential-look.ts';
import { summarise } from '../../../../src/analyse/summarise.ts';
import { gateSchema } from '../../../../src/model/gate.ts';
import type { TrialMetrics } from '../../../../src/model/metrics.ts';
import type { TrialRecord } from '../../../../src/model/record.ts';
import { armsH2H3, generateRun } from '../../../support/generated-run.ts';
import { generateGateRun } from '../../../support/gate-run.ts';

const firstBlocks = (records: readonly TrialRecord[], blocks: number): TrialRecord[] =>
  records.filter(({ blockIndex }) => blockIndex < blocks);

test('the same browser twice passes the gate, and says equivalent', () => {
  const { plan, records } = generateGateRun({ noise: 0.01 });
  const gate = judgeGate(plan, records);
  assert.equal(gate.outcome, 'passed', gate.headline.join(' '));
  assert.deepEqual(
    gate.comparisons.map(({ verdict, baselineArm, candidateArm }) => [verdict, baselineArm, candidateArm]),
    [
      ['equivalent', 'old:h2', 'new:h2'],
      ['equivalent', 'old:h3', 'new:h3'],
    ],
  );
  assert.doesNotThrow(() => gateSchema.parse(gate));
});

test('a clear regression ends the run at the first look, at the level of that look', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 } });
  assert.equal(reasonToStop(plan, firstBlocks(records, 11), 11), null);
  assert.equal(reasonToStop(plan, firstBlocks(records, 12), 12), 'decided after 12 blocks: worse');
  const gate = judgeGate(plan, firstBlocks(records, 12));
  assert.equal(gate.outcome, 'worse');
  assert.deepEqual(gate.looks, [{ blocks: 12, level: scheduledLevels()[0], open: 0 }]);
  assert.equal(gate.comparisons[0]?.level, scheduledLevels()[0]);
  assert.match(gate.comparisons[0]?.sentence ?? '', /HTTP\/2 in new is worse than HTTP\/2 in old/);
});

test('a regression of the browser is told apart from one of HTTP/3', () => {
  const causes = (slowdown: Record<string, number>): string[] => {
    const { plan, records } = generateGateRun({ slowdown });
    return judgeGate(plan, records).attribution.map(({ cause }) => cause);
  };
  assert.deepEqual(causes({ 'new:h2': 1.2, 'new:h3': 1.2 }), ['browser']);
  assert.deepEqual(causes({ 'new:h3': 1.2 }), ['protocol']);
  assert.deepEqual(causes({ 'new:h2': 1.2 }), ['other-protocol']);
  assert.deepEqual(causes({ 'new:h2': 1.2, 'new:h3': 1.6 }), ['both']);
  assert.deepEqual(causes({}), []);
});

test('secondary metrics are named for the judged pairs only, and fail nothing', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'old:h3': 1.5, 'new:h3': 1.5 } });
  const gate = judgeGate(plan, records);
  assert.notEqual(gate.outcome, 'worse');
  assert.deepEqual(
    gate.secondaryWorse.filter((line) => line.includes('h3 against old:h2')),
    [],
  );
});

test('what a look decided stands, whatever later blocks say', () => {
  const { plan, records } = generateGateRun({
    noise: 0.01,
    alter: (record) => {
      const late = record.blockIndex >= 12 && record.arm.startsWith('new');
      const { pltMs } = record.metrics;
      const metrics: TrialMetrics = { ...record.metrics };
      if (late && typeof pltMs === 'number') metrics['pltMs'] = pltMs * 3;
      return { ...record, metrics };
    },
  });
  assert.equal(judgeGate(plan, firstBlocks(records, 12)).outcome, 'passed');
  assert.equal(judgeGate(plan, records).outcome, 'passed');
});

test('noise goes on to the last look and ends undecided', () => {
  const { plan, records } = generateGateRun({ noise: 0.4 });
  assert.equal(reasonToStop(plan, firstBlocks(records, 12), 12), null);
  const gate = judgeGate(plan, records);
  assert.equal(gate.outcome, 'undecided');
  assert.deepEqual(
    gate.looks.map(({ blocks }) => blocks),
    [12, 16, 20],
  );
});

test('a budget that ends between two looks gives one more look, paid out of the same error', () => {
  const { plan } = generateGateRun({});
  const [first, extra, ...rest] = dueLooks(plan, 14, true);
  assert.equal(first?.level, scheduledLevels()[0]);
  assert.deepEqual([extra?.blocks, rest.length], [14, 0]);
  assert.ok((extra?.level ?? 1) < (scheduledLevels()[1] ?? 0));
  assert.deepEqual(dueLooks(plan, 14, false), [first]);
  assert.deepEqual(dueLooks(plan, 0, true), []);
});

test('only whole blocks are judged', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 } });
  const cut = records.slice(0, records.findIndex(({ blockIndex }) => blockIndex === 12) - 1);
  assert.equal(judgeGate(plan, cut, { ended: false }).looks.length, 0);
  assert.equal(judgeGate(plan, cut).blocks, 11);
});

test('a run without looks is judged once at 5 %, with margins of its own if asked for', () => {
  const { plan, records } = generateRun({ arms: armsH2H3, noise: 0.01, slowdown: { h3: 1.08 }, blocks: 10 });
  assert.equal(judgeGate(plan, records).outcome, 'worse');
  assert.equal(judgeGate(plan, records, { margins: { pltMs: 0.15 } }).outcome, 'passed');
});

test('over A/A gates hardly any is worse', () => {
  const outcomes = Array.from({ length: 120 }, (_, seed) => {
    const { plan, records } = generateGateRun({ seed, noise: 0.05 });
    return judgeGate(plan, records).outcome;
  });
  assert.ok(outcomes.filter((outcome) => outcome === 'worse').length <= 4, outcomes.join(' '));
});

test('the summary of a sequential run carries the verdicts of its looks', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.2 } });
  const summary = summarise(plan, records, null, []);
  const gate = judgeGate(plan, records);
  const shown = withGateVerdicts(summary, gate, plan);
  assert.equal(shown.headline[0], gate.headline[0]);
  const primary = shown.comparisons.filter((one) => one.primary);
  assert.deepEqual(
    primary.map(({ verdict }) => verdict),
    gate.comparisons.map(({ verdict }) => verdict),
  );
  assert.match(shown.warnings[0] ?? '', /looks \(after 12, 16, 20 blocks\)/);
});
