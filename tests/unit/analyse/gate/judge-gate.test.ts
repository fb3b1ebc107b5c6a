import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { exitCodeOfGate } from '../../../../src/app/report/gate-outputs.ts';
import { reasonToStop } from '../../../../src/analyse/comparison/interim-analyses.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { gateSchema, type Gate } from '../../../../src/core/model/gate.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
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

test('a clear regression ends the run at the first interim analysis, at the level of that interim analysis', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 } });
  assert.equal(reasonToStop(plan, firstBlocks(records, 11), 11), null);
  assert.deepEqual(reasonToStop(plan, firstBlocks(records, 12), 12), {
    code: 'decided',
    text: 'decided after 12 blocks: worse',
  });
  const gate = judgeGate(plan, firstBlocks(records, 12));
  assert.equal(gate.outcome, 'worse');
  assert.deepEqual(
    gate.interims.map(({ blocks, open }) => [blocks, open]),
    [[12, 0]],
  );
  assert.ok((gate.interims[0]?.level ?? 1) <= 0.0301, '12 of 20 blocks spend 12/20 of 5 %');
  assert.ok((gate.comparisons[0]?.level ?? 1) < 0.0301, 'two comparisons share it');
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

test('what an interim analysis decided stands, whatever later blocks say', () => {
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

test('noise goes on to the last interim analysis and ends undecided', () => {
  const { plan, records } = generateGateRun({ noise: 0.4 });
  assert.equal(reasonToStop(plan, firstBlocks(records, 12), 12), null);
  const gate = judgeGate(plan, records);
  assert.equal(gate.outcome, 'undecided');
  assert.deepEqual(
    gate.interims.map(({ blocks }) => blocks),
    [12, 16, 20],
  );
});

test('what may be better or alike, and is not worse for certain, passes; what may be worse does not', () => {
  const gateOf = (candidate: number, noise: number): Gate => {
    const { plan, records } = generateGateRun({
      noise,
      slowdown: { 'new:h2': candidate, 'new:h3': candidate },
    });
    return judgeGate(plan, records);
  };
  const better = gateOf(0.95, 0.04);
  assert.ok(
    better.comparisons.some(({ verdict, shownNotWorse }) => verdict === 'inconclusive' && shownNotWorse),
  );
  assert.equal(better.outcome, 'passed', better.headline.join(' '));
  assert.match(better.headline.join(' '), /shown not to be worse, 0 not decided/);
  assert.equal(exitCodeOfGate(better, true), 0);
  const open = gateOf(1.05, 0.1);
  assert.equal(open.outcome, 'undecided', open.headline.join(' '));
  assert.match(
    open.headline[0] ?? '',
    /no regression shown, estimated \d.* %( slower| faster)?, up to \d+ %( slower)? is possible/i,
  );
  assert.deepEqual([exitCodeOfGate(open, true), exitCodeOfGate(open, false)], [5, 0]);
  const { plan, records } = generateGateRun({ noise: 0.001, slowdown: { 'new:h2': 0.95, 'new:h3': 0.95 } });
  const early = judgeGate({ ...plan, interims: [4, 20] }, firstBlocks(records, 4));
  assert.equal(
    early.outcome,
    'undecided',
    'four blocks rule out nothing at the level of an interim analysis',
  );
});

test('a budget that ends between two interim analyses gives one more interim analysis, at which all that is left is spent', () => {
  const { plan, records } = generateGateRun({ noise: 0.4 });
  const seen = firstBlocks(records, 14);
  const going = judgeGate(plan, seen, { ended: false });
  const ended = judgeGate(plan, seen);
  assert.deepEqual(
    [going, ended].map(({ interims }) => interims.map(({ blocks }) => blocks)),
    [[12], [12, 14]],
  );
  assert.ok((ended.interims[1]?.level ?? 0) > (ended.interims[0]?.level ?? 1));
  assert.deepEqual(judgeGate(plan, []).interims, []);
});

test('only whole blocks are judged', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 } });
  const cut = records.slice(0, records.findIndex(({ blockIndex }) => blockIndex === 12) - 1);
  assert.equal(judgeGate(plan, cut, { ended: false }).interims.length, 0);
  assert.equal(judgeGate(plan, cut).blocks, 11);
});

test('a run without interim analyses is judged once at 5 %, with margins of its own if asked for', () => {
  const { plan, records } = generateRun({ arms: armsH2H3, noise: 0.01, slowdown: { h3: 1.08 }, blocks: 10 });
  assert.equal(judgeGate(plan, records).outcome, 'worse');
  assert.equal(judgeGate(plan, records, { margins: { pltMs: 0.15 } }).outcome, 'passed');
});

test('the summary of a sequential run carries the verdicts of its interim analyses', () => {
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.2 } });
  const summary = summarise(plan, records, null, []);
  const gate = judgeGate(plan, records);
  const primary = summary.comparisons.filter((one) => one.primary);
  assert.deepEqual(
    primary.map(({ verdict, ratioInterval }) => [verdict, ratioInterval]),
    gate.comparisons.map(({ verdict, ratioInterval }) => [verdict, ratioInterval]),
  );
  assert.ok(
    primary.some(({ blocks, values }) => blocks < values.length),
    'plots have all blocks',
  );
});
