import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueFindings } from '../../../../src/analyse/validity/queue-rules.ts';
import type { LinkQueue, QueueCounts } from '../../../../src/core/model/link-queue.ts';
import type { ArmProtocol } from '../../../../src/core/model/protocol.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';

const none: QueueCounts = {
  packets: 0,
  bytes: 0,
  dropped: 0,
  marked: 0,
  tcpEcn: [0, 0, 0, 0],
  udpEcn: [0, 0, 0, 0],
  sojourns: [],
};

function reasons(
  protocol: ArmProtocol,
  ecn: 'on' | 'off' | undefined,
  down: Partial<QueueCounts>,
  beside?: { readonly bytes: number },
): readonly string[] {
  const linkQueue: LinkQueue = {
    up: { measured: none, beside: none },
    down: { measured: { ...none, ...down }, beside: { ...none, bytes: beside?.bytes ?? 0 } },
  };
  const raw = {
    linkQueue,
    testbed: { links: [{ ecn }] },
    ...(beside === undefined ? {} : { otherTraffic: { traffic: 'download', congestionControl: 'cubic' } }),
  } as unknown as RawTrial;
  return queueFindings(protocol, raw).map(({ reason }) => reason);
}

test('ECN that is as the arm says proves the trial, over its own transport alone', () => {
  assert.deepEqual(reasons('h3', 'on', { udpEcn: [2, 0, 500, 3], tcpEcn: [400, 0, 0, 0] }), []);
  assert.deepEqual(reasons('h2', 'on', { tcpEcn: [30, 0, 500, 3] }), []);
  assert.deepEqual(reasons('h2', 'off', { tcpEcn: [500, 0, 0, 0] }), []);
  assert.deepEqual(reasons('h3', undefined, { udpEcn: [500, 0, 500, 0] }), []);
});

test('an end that gave ECN up, or that had it where the arm has none, makes the trial invalid', () => {
  const [gaveUp] = reasons('h3', 'on', { udpEcn: [700, 0, 150, 0] });
  assert.match(gaveUp ?? '', /ecn=on, and 150 of 850 packets from the server could be marked: an end gave/);
  assert.match(reasons('h3', 'off', { udpEcn: [1, 0, 99, 0] })[0] ?? '', /ecn=off, and 99 of 100/);
  assert.deepEqual(reasons('h3', 'on', { udpEcn: [20, 0, 5, 0] }), [], 'too few packets to say');
});

test('traffic beside that carried nothing makes the trial invalid', () => {
  assert.match(
    reasons('h2', undefined, {}, { bytes: 4000 })[0] ?? '',
    /other client’s download carried 4000 bytes/,
  );
  assert.deepEqual(reasons('h2', undefined, {}, { bytes: 5_000_000 }), []);
  assert.deepEqual(queueFindings('h2', {} as RawTrial), []);
});
