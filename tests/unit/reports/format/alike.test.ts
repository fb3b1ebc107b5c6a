import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupAlike } from '../../../../reports/format/alike.ts';

describe('texts that differ in figures alone', () => {
  test('stand together, the most frequent kind first, with the range of each figure', () => {
    const texts = ['lost 3 packets', 'late by 1.5 ms', 'lost 12 packets', 'lost 3 packets', 'late by 1.5 ms'];
    assert.deepEqual(groupAlike(texts), [
      { text: 'lost 3 to 12 packets', count: 3, isExample: false },
      { text: 'late by 1.5 ms', count: 2, isExample: false },
    ]);
    assert.deepEqual(groupAlike([]), []);
  });

  test('have a range for each figure that differs, by its value and not by its spelling', () => {
    const texts = ['waited 9 ms of 450 (2.5 %)', 'waited 12 ms of 450 (10 %)', 'waited 11.5 ms of 450 (3 %)'];
    assert.deepEqual(groupAlike(texts), [
      { text: 'waited 9 to 12 ms of 450 (2.5 to 10 %)', count: 3, isExample: false },
    ]);
  });

  test('are an example where they differ in a name, an address, a version or an id, of which there is no range', () => {
    const pairs = [
      ['no answer over HTTP/3', 'no answer over HTTP/2'],
      ['https://lab.test:8443/a is gone', 'https://lab.test:9443/a is gone'],
      ['b1-page-h3: 1 frame', 'b2-page-h3: 1 frame'],
      ['nginx@1.26 is slow', 'nginx@1.30 is slow'],
      ['file 1.bin', 'file 2.bin'],
    ];
    for (const pair of pairs)
      assert.deepEqual(groupAlike(pair), [{ text: pair[0], count: 2, isExample: true }], pair[0]);
    assert.deepEqual(groupAlike(['h2 waited 3 ms', 'h3 waited 12 ms']), [
      { text: 'h2 waited 3 to 12 ms', count: 2, isExample: true },
    ]);
  });
});
