import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byArm, isOfCondition } from '../../../../src/core/model/factor.ts';

test('a trial is of a condition whose names it has, and of every one that leaves them open or to the arms', () => {
  const trial = { workload: 'page-a', client: 'chromium', network: 'dsl', server: 'caddy' };
  assert.ok(isOfCondition(trial, trial));
  assert.ok(isOfCondition({ workload: 'page-a' }, trial));
  assert.ok(isOfCondition({ ...trial, client: byArm, network: undefined, server: byArm }, trial));
  for (const other of ['workload', 'client', 'network', 'server'])
    assert.equal(isOfCondition({ ...trial, [other]: 'another' }, trial), false, other);
});
