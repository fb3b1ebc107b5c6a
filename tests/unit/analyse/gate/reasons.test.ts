import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { bisectingRun } from '../../../../src/analyse/gate/reasons.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { generateGateRun } from '../../../support/gate-run.ts';

/** A gate whose records say what their load times were spent on: what got longer is the first byte. */
function gateOf(slowdown: Record<string, number>): ReturnType<typeof judgeGate> {
  const { plan, records } = generateGateRun({ slowdown, recordedBlocks: 'all' });
  const told = records.map((record) => {
    const pltMs = Number(record.metrics['pltMs']);
    const processing = 40 + (record.blockIndex % 3);
    const stagesMs = { processing, firstByte: pltMs - processing };
    return { ...record, metrics: Object.assign({}, record.metrics, { stagesMs }) };
  });
  return judgeGate(plan, told);
}

test('what is worse is told with where it comes from, and what is not worse is not explained', () => {
  const { reasons = [] } = gateOf({ 'new:h3': 1.2 });
  assert.equal(reasons.length, 1);
  assert.match(
    reasons[0] ?? '',
    /HTTP\/3 in new: of \+\d+ ms: first byte \+\d+, unexplained .*because answers begin later/,
  );
  assert.equal(gateOf({}).reasons, undefined);
});

const planOf = (clients: readonly string[], command: string): Plan =>
  ({ arms: clients.map((client) => ({ factors: { client } })), command }) as unknown as Plan;

test('the run between two versions is proposed with the words of the run that was made', () => {
  const command = 'h2h3 gate --baseline chromium@148 --candidate chromium@153 --margin 3% --out results/a';
  const next = bisectingRun(planOf(['chromium@148', 'chromium@148', 'chromium@153'], command));
  assert.match(next ?? '', /^h2h3 gate --baseline chromium@148 --candidate chromium@150 --margin 3% {3}\(/);
  const arms = "--arm chromium@148:h3 --arm 'chromium@153:h3+flags=--enable-features=A'";
  const ran = bisectingRun(planOf(['chromium@148', 'chromium@153'], `h2h3 run download ${arms} --out a`));
  assert.match(
    ran ?? '',
    /^h2h3 run download --arm chromium@148:h3 --arm 'chromium@150:h3\+flags=--enable-features=A' && h2h3 gate results\/latest {3}\(/,
  );
  const judged = bisectingRun(planOf(['chromium@123', 'chromium@126'], 'h2h3 run versions'));
  assert.match(judged ?? '', /^h2h3 gate --baseline chromium@123 --candidate chromium@124 /);
});

test('neighbours, other browsers, names without a version and more than two have no run between', () => {
  for (const clients of [
    ['chromium@152', 'chromium@153'],
    ['chromium@148', 'firefox@153'],
    ['embedded', 'chromium'],
    ['chromium@148'],
    ['chromium@123', 'chromium@138', 'chromium@153'],
  ])
    assert.equal(bisectingRun(planOf(clients, '')), null, clients.join());
});
