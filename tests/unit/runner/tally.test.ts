import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tally } from '../../runner/tally.ts';
import type { Counts, TestEvent } from '../../runner/test-events.ts';
import { projectDir } from '../../support/cli.ts';

const counts: Counts = { tests: 3, suites: 0, passed: 2, failed: 0, cancelled: 0, skipped: 1, todo: 0 };
const fileOf = (name: string): string => join(projectDir, 'tests', `${name}.test.ts`);
const passing = (name: string, rest: Partial<TestEvent> = {}): TestEvent =>
  ({
    type: 'test',
    file: fileOf(name),
    name: 'a sentence',
    nesting: 0,
    durationMs: 1000,
    ...rest,
  }) as TestEvent;

function tallyOf(...events: readonly TestEvent[]): Tally {
  const tally = new Tally();
  events.forEach((event) => tally.add(event));
  return tally;
}

test('tests of all processes are counted together, in the words of the test runner', () => {
  const tally = tallyOf({ type: 'end', counts }, { type: 'end', counts });
  assert.equal(tally.passed, true);
  assert.deepEqual(tally.closingLines(61_234.5), [
    '2 of 6 tests were skipped, as told above. `npx h2h3 setup --system` brings the browsers and programs that they lack.',
    'ℹ tests 6',
    'ℹ suites 0',
    'ℹ pass 4',
    'ℹ fail 0',
    'ℹ cancelled 0',
    'ℹ skipped 2',
    'ℹ todo 0',
    'ℹ duration_ms 61235',
  ]);
});

test('one line says how busy each phase kept the CPUs', () => {
  const tally = tallyOf();
  tally.ended({ name: 'unit', durationMs: 61_000, busy: 0.954 });
  tally.ended({ name: 'together', durationMs: 600_000, busy: null });
  assert.equal(tally.cpuLine(), 'CPU time in use: unit 95 % of 61 s, together not known of 10 min');
});

test('where nothing was skipped nothing is said to be brought', () => {
  const [first] = tallyOf({ type: 'end', counts: { ...counts, skipped: 0 } }).closingLines(1);
  assert.equal(first, 'ℹ tests 3');
});

test('a failed test, a failed count and a test runner that ended early each fail the run', () => {
  const failed = tallyOf(passing('e2e/one', { failure: 'Error: expected 1\n  got 2' }));
  assert.equal(failed.passed, false);
  assert.deepEqual(failed.failureLines(), [
    '✖ e2e/one: a sentence',
    '    Error: expected 1\n      got 2',
    '',
  ]);
  assert.equal(tallyOf({ type: 'end', counts: { ...counts, failed: 1 } }).passed, false);
  assert.equal(tallyOf({ type: 'end', counts: { ...counts, cancelled: 1 } }).passed, false);
  const early = new Tally();
  early.fail({ file: 'app', name: 'it ended', text: '' });
  assert.equal(early.passed, false);
  assert.ok(early.closingLines(1).includes('ℹ fail 1'));
});

test('what was skipped is told by reason, the most frequent first, with its tests', () => {
  const lines = tallyOf(
    passing('e2e/one', { skipped: 'there is no Firefox\n  next: install it' }),
    passing('e2e/two', { skipped: 'there is no valkey' }),
    passing('e2e/two', { skipped: 'there is no valkey' }),
  ).skippedLines();
  assert.deepEqual(lines, [
    'Skipped:',
    '  2 × there is no valkey',
    '      e2e/two: a sentence',
    '      e2e/two: a sentence',
    '  1 × there is no Firefox',
    '      e2e/one: a sentence',
  ]);
  assert.deepEqual(tallyOf(passing('e2e/one')).skippedLines(), []);
});

test('the ten slowest files are told: by their process, or by their tests where they share one', () => {
  const own = tallyOf(passing('e2e/own'), { type: 'file', file: fileOf('e2e/own'), durationMs: 12_340 });
  assert.deepEqual(own.slowestLines(), ['The 1 slowest files:', '    12.3 s  e2e/own']);
  const inner = passing('unit/shared', { nesting: 1, durationMs: 500 });
  const shared = tallyOf(passing('unit/shared'), inner, passing('unit/shared', { durationMs: 250 }));
  assert.deepEqual(shared.slowestLines().slice(1), ['     1.3 s  unit/shared']);
  const many = Array.from({ length: 12 }, (_, index) => passing(`unit/${index}`, { durationMs: index }));
  const lines = tallyOf(...many).slowestLines();
  assert.equal(lines.length, 11);
  assert.match(lines[1] ?? '', /unit\/11$/);
});
