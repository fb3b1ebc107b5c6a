import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords, TimeLeft } from '../../runner/time-left.ts';

const one = 'tests/e2e/one.test.ts';
const other = 'tests/e2e/other.test.ts';

test('the rest is told by what the files took last time, and by the pace of this run', () => {
  const left = new TimeLeft(
    [one, other].map((file) => ({ file, concurrency: 2 })),
    { [one]: 10_000, [other]: 40_000 },
  );
  assert.equal(left.leftMs(0), 25_000, 'two at a time');
  left.ended(one);
  assert.equal(left.filesLeft, 1);
  assert.equal(left.leftMs(5000), 20_000);
  assert.equal(left.leftMs(10_000), 40_000, 'twice as slow as last time');
  left.ended(one);
  assert.equal(left.filesLeft, 1, 'a file ends once');
  left.ended(other);
  assert.equal(left.leftMs(60_000), 0);
});

test('of a file that never ran a unit test is expected to take less than one with browsers', () => {
  const ofFile = (file: string): number => new TimeLeft([{ file, concurrency: 1 }], {}).leftMs(0);
  assert.ok(ofFile('tests/unit/app/a.test.ts') < ofFile(one));
  assert.equal(ofFile('tests/unit/app/a.test.ts'), ofFile('tests/words.test.ts'));
});

test('durations are seconds below a minute and a half, else minutes', () => {
  assert.deepEqual([0, 1499, 89_000, 91_000, 600_000].map(inWords), [
    '0 s',
    '1 s',
    '89 s',
    '2 min',
    '10 min',
  ]);
});
