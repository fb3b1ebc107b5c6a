import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitShares } from '../../../../src/analyse/diagnosis/limit-shares.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { trialRecord } from '../../../support/trial-record.ts';

const trial = (stagesMs: Record<string, number>, counters: Record<string, number> = {}): TrialRecord =>
  trialRecord({ metrics: Object.assign<TrialRecord['metrics'], object>({}, { stagesMs }), counters });

const blocks = (baseline: TrialRecord, candidate: TrialRecord) =>
  Array.from({ length: 5 }, () => [{ baseline, candidate }]);

test('the shares of what held a transfer back are those of its time, and add up to it', () => {
  const tcp = trial(
    { firstByte: 50, senderCpu: 100, linkFull: 300, receiverCpu: 0, windowWait: 600 },
    { tcpReceiveWindowLimitedMs: 150, tcpSendBufferLimitedMs: 50 },
  );
  const quic = trial({ firstByte: 50, senderCpu: 0, linkFull: 0, receiverCpu: 1500, windowWait: 500 });
  const shares = limitShares(blocks(tcp, quic), 0.95);
  assert.deepEqual(
    shares.map(({ id, baselinePercent, candidatePercent }) => [id, baselinePercent, candidatePercent]),
    [
      ['sender', 10, 0],
      ['network', 30, 0],
      ['receiver', 0, 75],
      ['flowControl', 20, 0],
      ['congestion', 40, 25],
    ],
  );
});

test('transfers that nobody watched have no shares', () => {
  assert.deepEqual(
    limitShares(blocks(trial({ firstByte: 5, transfer: 9 }), trial({ transfer: 9 })), 0.95),
    [],
  );
});
