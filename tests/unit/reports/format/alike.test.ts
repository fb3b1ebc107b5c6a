import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupAlike } from '../../../../reports/format/alike.ts';

describe('texts that differ in figures alone', () => {
  test('stand together, the most frequent kind first, with its first text', () => {
    const texts = ['lost 3 packets', 'late by 1.5 ms', 'lost 12 packets', 'lost 3 packets', 'late by 1.5 ms'];
    assert.deepEqual(groupAlike(texts), [
      { example: 'lost 3 packets', count: 3, equal: false },
      { example: 'late by 1.5 ms', count: 2, equal: true },
    ]);
    assert.deepEqual(groupAlike([]), []);
  });
});
