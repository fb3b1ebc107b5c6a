import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInstrumentedBlocks } from '../../../../src/app/plan/instrumented-blocks.ts';

test('recorded blocks are asked for by number or all, and anything else is refused with what would do', () => {
  assert.deepEqual(['0', '2', 'all'].map(parseInstrumentedBlocks), [0, 2, 'all']);
  for (const wrong of ['-1', '1.5', 'ten', '', '1e3', '123456'])
    assert.throws(() => parseInstrumentedBlocks(wrong), {
      code: 'usage',
      message: `--recorded wants a number of blocks or all, got "${wrong}"`,
    });
});
