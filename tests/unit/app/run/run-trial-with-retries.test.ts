import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTrialWithRetries, settlingOf } from '../../../../src/app/run/run-trial-with-retries.ts';
import { reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { generateRun } from '../../../support/generated-run.ts';

const [good] = generateRun({}).records as [TrialRecord];
const late = 'the emulated path did not keep up: 9 of 100 packets up left more than 2 ms late';
const delayed: TrialRecord = {
  ...good,
  status: 'invalid',
  ...writtenReason(reasonOf('path-delayed', late)),
  metrics: {},
};

/** What comes of a trial whose tries end like this, and what was said of them. */
async function afterTries(
  outcomes: readonly TrialRecord[],
  controller = new AbortController(),
): Promise<{ record: TrialRecord; tries: number; said: number; waits: number }> {
  const counts = { tries: 0, said: 0, waits: 0 };
  const record = await runTrialWithRetries(
    () => Promise.resolve(outcomes[counts.tries++] ?? assert.fail('tried too often')),
    {
      say: () => counts.said++,
      signal: controller.signal,
      settle: () => Promise.resolve(void counts.waits++),
    },
  );
  return { record, ...counts };
}

test('a trial of which nothing was delayed is run once, whatever became of it', async () => {
  const wrong = { ...delayed, ...writtenReason(reasonOf('wrong-protocol')) };
  const both = { ...delayed, otherReasonCodes: ['wrong-protocol'] };
  const lost = { ...delayed, ...writtenReason(reasonOf('packets-lost')) };
  const crashed: TrialRecord = { ...delayed, status: 'failed', ...writtenReason(reasonOf('trial-error')) };
  for (const outcome of [good, wrong, both, lost, crashed]) {
    const { record, tries, waits } = await afterTries([outcome]);
    assert.deepEqual([record, tries, waits], [outcome, 1, 0]);
  }
});

test('a delayed one is run again once the machine is free, and says so', async () => {
  const bothWays = { ...delayed, otherReasonCodes: ['path-delayed'] };
  const { record, tries, said, waits } = await afterTries([bothWays, good]);
  assert.deepEqual([tries, said, waits], [2, 1, 1]);
  assert.deepEqual(record.earlierTries, [{ startedAt: delayed.startedAt, reason: late }]);
  assert.deepEqual([record.status, record.warnings.at(-1)], ['ok', `run again: ${late}`]);
});

test('one that an interface of the machine cut off is run again, whether it ended or what is missing of it', async () => {
  const change = writtenReason(reasonOf('network-changed'));
  const cutOff: TrialRecord = { ...delayed, status: 'failed', ...change };
  const incomplete = { ...delayed, ...change, otherReasonCodes: ['object-failed', 'not-in-har'] };
  const { record, tries } = await afterTries([cutOff, incomplete, good]);
  assert.deepEqual([tries, record.status, record.earlierTries?.length], [3, 'ok', 2]);
});

test('after three tries it is lost', async () => {
  const { record, tries } = await afterTries([delayed, delayed, delayed]);
  assert.deepEqual([tries, record.status, record.earlierTries?.length], [3, 'invalid', 2]);
});

test('stopped while it waits, it has no record', async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(afterTries([delayed, good], controller), { code: 'interrupted' });
});

/** How many looks each of some waits takes on a machine of which the hypervisor takes these shares, look after look. */
async function looksOf(
  isPatient: boolean,
  shares: readonly (number | null)[],
  waits: number,
): Promise<number[]> {
  let looked = 0;
  const settle = settlingOf(isPatient, () => {
    const steal = shares[Math.min(looked++, shares.length - 1)] ?? null;
    return Promise.resolve(steal === null ? null : { busy: 1, steal });
  });
  const looks: number[] = [];
  for (let wait = 0; wait < waits; wait += 1) {
    const before = looked;
    await settle(new AbortController().signal);
    looks.push(looked - before);
  }
  return looks;
}

test('a run waits until less is stolen, and on a machine that is always stolen from once for 30 s', async () => {
  assert.deepEqual(await looksOf(true, [0.2, 0.05, 0.005], 2), [3, 1]);
  assert.deepEqual(await looksOf(true, [0.2], 4), [30, 1, 1, 1]);
  const freeAgain = [...Array.from({ length: 31 }, () => 0.2), 0, 0.2];
  assert.deepEqual(await looksOf(true, freeAgain, 4), [30, 1, 1, 30], 'it may wait again');
  assert.deepEqual(await looksOf(true, [null], 2), [1, 1], 'a system that does not say');
});

test('a quick start looks once, and waits for nothing', async () => {
  assert.deepEqual(await looksOf(false, [0.2, 0.2, 0], 4), [1, 1, 1, 1]);
});
