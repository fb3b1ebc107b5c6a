import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesText } from '../../../../reports/format/numbers.ts';
import { withBlocks, withinAnHour } from '../../../../src/analyse/answers/next-run.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

/** Each block takes five minutes. */
const slowBlocks = (blocks: number): number => blocks * 5;

test('more blocks are advised for an hour at most, unless fewer could not decide', () => {
  assert.equal(withinAnHour(8, 10, slowBlocks), 10, 'fifty minutes are within the hour');
  assert.equal(withinAnHour(8, 40, slowBlocks), 12, 'of two hundred minutes an hour');
  assert.equal(withinAnHour(20, 40, slowBlocks), 20, 'less than twenty blocks are of no use');
  assert.equal(
    withinAnHour(8, 40, () => null),
    40,
    'nothing is known of their time',
  );
});

test('a next command that takes hours says so, and has a budget for them', () => {
  assert.equal(minutesText([100, 200]), '1.7 h to 3.3 h');
  assert.equal(minutesText([30, 200]), '30 min to 3.3 h');
  assert.equal(minutesText([40, 60]), '40 to 60 min');
  assert.equal(minutesText([45, 45]), 'about 45 min');
  assert.equal(minutesText(null), '');
  const { run } = summaryFixture();
  const command = 'h2h3 run web --repetitions 8 --budget 4m --out results/a';
  assert.equal(withBlocks({ ...run, command }, 20, 100), 'h2h3 run web --repetitions 20 --budget 150m');
});

test('a gate is run again with as many blocks as may decide it, judged half way and at their end', () => {
  const { run } = summaryFixture();
  const command = "h2h3 gate --baseline-command 'npm start' --candidate-command 'npm run b' --interims 8,12";
  const builds = "h2h3 gate --baseline-command 'npm start' --candidate-command 'npm run b'";
  assert.equal(
    withBlocks({ ...run, command: `${command} --budget 5m --out results/g` }, 53, 20),
    `${builds} --interims 27,53 --budget 30m`,
  );
  assert.equal(withBlocks({ ...run, command }, 16, null), `${builds} --interims 16`);
  assert.equal(withBlocks({ ...run, command: 'h2h3 nightly' }, 16, null), null);
});
