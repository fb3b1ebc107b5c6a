import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priorityFindings } from '../../../../src/analyse/validity/priority-rules.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

const entry = (priority?: string): ServerLogEntry => ({
  host: 'a.test',
  path: '/urgent.png',
  method: 'GET',
  protocol: 'h3',
  status: 200,
  bytes: 1,
  startEpochMs: 1,
  durationMs: 1,
  ...(priority === undefined ? {} : { priority }),
});

test('a priority in the log of a client that was to send none makes the trial invalid, with the object named', () => {
  const [finding] = priorityFindings({ sentPriorities: 'none', serverLog: [entry(), entry('u=1, i')] });
  assert.match(finding?.reason ?? '', /\/urgent\.png was asked for with the priority u=1, i/);
});

test('no priority in the log is what was asked for, and elsewhere any may be there', () => {
  assert.deepEqual(priorityFindings({ sentPriorities: 'none', serverLog: [entry()] }), []);
  assert.deepEqual(priorityFindings({ serverLog: [entry('u=1')] }), []);
});
