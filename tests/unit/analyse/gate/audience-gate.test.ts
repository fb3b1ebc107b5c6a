import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderGateMarkdown } from '../../../../reports/gate/render-gate-markdown.ts';
import { renderGateText } from '../../../../reports/gate/render-gate-text.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { gateSchema, type Gate } from '../../../../src/core/model/gate.ts';
import { audienceFixture } from '../../../support/audience-fixture.ts';
import { generateGateRun } from '../../../support/gate-run.ts';

/** A gate for users of two segments. @param ratios candidate ÷ baseline of each */
function gateFor(shares: readonly number[], ratios: readonly number[], seed = 1): Gate {
  const audience = audienceFixture(shares);
  const { plan, records } = generateGateRun({
    seed,
    noise: 0.01,
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: audience.conditions.map(({ network }) => network),
    plan: { audience },
    alter: (record) => {
      const place = audience.conditions.findIndex(({ network }) => network === record.network);
      const ratio = record.arm.startsWith('new:') ? (ratios[place] ?? NaN) : 1;
      return {
        ...record,
        metrics: Object.assign({}, record.metrics, { pltMs: 4 * ratio * Number(record.metrics['pltMs']) }),
      };
    },
  });
  return judgeGate(plan, records);
}

test('a segment that is worse fails the gate, although the users gain on the whole', () => {
  const gate = gateFor([0.9, 0.1], [0.8, 1.3]);
  assert.doesNotThrow(() => gateSchema.parse(gate));
  assert.equal(gate.outcome, 'worse', gate.headline.join(' '));
  for (const { network, verdict, ratio } of gate.comparisons) {
    assert.deepEqual([network, verdict], ['audience', 'mixed']);
    assert.ok((ratio ?? 1) < 0.9, 'better on average');
  }
});

test('the comment of a gate has its segments, and who gains and who loses', () => {
  const gate = gateFor([0.9, 0.1], [0.8, 1.3]);
  const comment = renderGateMarkdown(gate);
  assert.match(comment, /Segment 2, 40 ms at 50 Mbit\/s \| 10(?:\.0)? % \| \+(?:29|30|31)/);
  assert.match(comment, /90 % of page views gain 100 ms or more on average/);
  assert.match(comment, /10 % lose as much/);
  assert.match(comment, /\| p75 \|/);
  const text = renderGateText(gate, { columns: 200, colour: false });
  assert.match(text, /10 % lose as much/);
  const plain = { ...gate, audience: undefined };
  assert.doesNotMatch(
    renderGateMarkdown(plain) + renderGateText(plain, { columns: 80, colour: false }),
    /lose/,
  );
});

test('the same release twice is silent about the users', () => {
  const gates = Array.from({ length: 10 }, (_, seed) => gateFor([0.7, 0.3], [1, 1], seed + 1));
  assert.deepEqual([...new Set(gates.map(({ outcome }) => outcome))], ['passed']);
  for (const { audience } of gates)
    for (const { noticeable } of audience?.answers ?? [])
      assert.deepEqual(
        [noticeable?.gaining.interval, noticeable?.losing.interval],
        [
          [0, 0],
          [0, 0],
        ],
      );
});
