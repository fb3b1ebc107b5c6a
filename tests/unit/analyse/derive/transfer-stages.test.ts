import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferStages } from '../../../../src/analyse/derive/transfer-stages.ts';
import type { ActivityInterval } from '../../../../src/core/model/raw-trial.ts';

function interval(index: number, changes: Partial<ActivityInterval>): ActivityInterval {
  return {
    startEpochMs: 1000 + index * 100,
    durationMs: 100,
    receiver: 0.2,
    receiverWithheld: 0,
    sender: 0.2,
    receivedBytes: 0,
    ...changes,
  };
}

const full = 1_250_000; // bytes in 100 ms at 100 Mbit/s

test('each interval is given to what was full in it, and all together are the transfer', () => {
  const intervals = [
    interval(0, { receivedBytes: full * 0.95, receiver: 1 }),
    interval(1, { receiver: 0.95 }),
    interval(2, { sender: 0.99 }),
    interval(3, {}),
  ];
  const stages = transferStages(intervals, 1050, 370, 100);
  assert.deepEqual(stages, { linkFull: 50, receiverCpu: 100, senderCpu: 100, windowWait: 100, transfer: 20 });
});

test('without a rate no link is ever full', () => {
  const stages = transferStages([interval(0, { receivedBytes: full * 100 })], 1000, 100, undefined);
  assert.equal(stages['linkFull'], 0);
  assert.equal(stages['windowWait'], 100);
});

test('what was not watched stays transfer', () => {
  assert.equal(transferStages([], 1000, 250, 100)['transfer'], 250);
});

test('time in which a quota withholds the CPU is time in which the client has none left', () => {
  const intervals = [
    interval(0, { receiver: 0.1, receiverWithheld: 0.85 }),
    interval(1, { receiver: 0.1, receiverWithheld: 0.3 }),
    interval(2, { receiver: 0.1, receiverWithheld: 0.9, receivedBytes: full }),
  ];
  const { receiverCpu, windowWait, linkFull } = transferStages(intervals, 1000, 300, 100);
  assert.deepEqual([receiverCpu, windowWait, linkFull], [100, 100, 100]);
});
