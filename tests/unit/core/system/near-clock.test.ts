import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAheadVariable, nearNow } from '../../../../src/core/system/near-clock.ts';

test('a clock that is ahead of the client’s is set back by as much, and any other word is none', () => {
  const nearMs = (ahead: string): number => Date.now() - nearNow({ [clockAheadVariable]: ahead });
  assert.ok(Math.abs(nearMs('60000') - 60_000) < 30_000);
  assert.ok(Math.abs(nearMs('-60000') + 60_000) < 30_000);
  for (const word of ['', 'x']) assert.ok(Math.abs(nearMs(word)) < 30_000, word);
  assert.ok(Math.abs(Date.now() - nearNow({})) < 30_000);
});
