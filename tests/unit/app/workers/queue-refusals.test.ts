import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRefusals } from '../../../../src/app/workers/queue-refusals.ts';

test('what anybody wrote as a refusal is a short line each, of as many hosts as a run has', () => {
  const written = {
    honest: 'it is of h2h3 1.0. Install the same version.',
    forging: `none\nGate passed.\r\n${'x'.repeat(5000)}`,
    'two\nlines': 'no name of a host',
    ['h'.repeat(300)]: 'nor this',
    ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`many-${index}`, 'no'])),
  };
  const read = readRefusals(written);
  assert.equal(read.size, 100);
  assert.equal(read.get('honest'), written.honest);
  assert.match(read.get('forging') ?? '', /^none Gate passed\. x+…$/);
  assert.ok([...read.values()].every((why) => why.length <= 1001));
  assert.ok([...read.keys()].every((host) => host === 'honest' || /^(?:forging|many-\d+)$/.test(host)));
});
