import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareMargins } from '../../../../src/app/gate/share-margins.ts';

test('one share is the margin of every metric that is judged by a ratio', () => {
  assert.deepEqual(shareMargins(['pltMs', 'throughputMbps'], 0.03), { pltMs: 0.03, throughputMbps: 0.03 });
  assert.deepEqual(shareMargins(['pltMs'], undefined), {});
});

test('a metric that is judged by a difference takes no share, and says where its margin is written', () => {
  assert.throws(() => shareMargins(['pltMs', 'qoeVmaf'], 0.03), {
    code: 'usage',
    message: /3 % is a share, and qoeVmaf is judged by a difference/,
    next: /--margins FILE with the line "qoeVmaf: 2"/,
  });
});
