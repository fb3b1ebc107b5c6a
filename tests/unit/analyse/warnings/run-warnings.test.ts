import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { blocksWords } from '../../../../reports/format/counts.ts';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const trialWarning = 'wireBytes: 2 of 15 objects have no size in the HAR';
const warned = (record: TrialRecord): TrialRecord => ({ ...record, warnings: [trialWarning] });
const screen = { columns: 200, colour: false };

test('at most three warnings, those that may change the verdict, stand on the first screen; the others are counted', () => {
  const { plan, records } = generateRun({ alter: warned });
  const store = ['first', 'second', 'third', 'fourth'].map((nth) => `${nth} line of the journal was cut off`);
  const summary = summarise(plan, records, environmentFixture(['chromium'], ['host']), store);
  assert.deepEqual(summary.firstScreen.warnings, store.slice(0, 3));
  assert.ok(
    summary.warnings.some((warning) => warning.endsWith(trialWarning)),
    'the summary has all',
  );
  const text = renderTerminalSummary(summary, screen);
  assert.equal(text.match(/^Warning: /gm)?.length, 3);
  const rest = summary.warnings.length - 3;
  assert.match(text, new RegExp(`^and ${rest} more warnings in the report$`, 'm'));
});

test('what changes no verdict is counted and does not stand on the first screen, nor darken its trust', () => {
  const quiet = {
    ...environmentFixture(['chromium'], ['host']),
    warnings: ['Chromium used /tmp for shared memory'],
  };
  const { plan, records } = generateRun({ noise: 0.004, alter: warned });
  const summary = summarise(plan, records, quiet, []);
  const deciding = summary.firstScreen.warnings ?? [];
  assert.ok(![...deciding].some((warning) => /wireBytes|shared memory/.test(warning)), deciding.join());
  const text = renderTerminalSummary(summary, screen);
  assert.doesNotMatch(text, /wireBytes|shared memory/);
  assert.match(text, /^(?:and )?\d+ (?:more )?warnings? in the report$/m);
});

test('trials that were run again because sleeping CPUs wake late are named, with what helps', () => {
  const again = (record: TrialRecord): TrialRecord =>
    record.blockIndex === 0
      ? {
          ...record,
          earlierTries: [{ startedAt: record.startedAt, reason: 'the emulated path did not keep up' }],
        }
      : record;
  const { plan, records } = generateRun({ blocks: 6, alter: again });
  const machine = environmentFixture(['chromium'], ['host']);
  const [network] = machine.networks;
  assert.ok(network);
  const warningsWhere = (cpusWakeLate: boolean, from: readonly TrialRecord[]): readonly string[] =>
    summarise(plan, from, { ...machine, networks: [{ ...network, cpusWakeLate }] }, []).warnings.filter(
      (warning) => warning.includes('wake late'),
    );
  const [warning] = warningsWhere(true, records);
  assert.match(warning ?? '', /the machine disturbed \d+ of \d+ trials\. .*h2h3 doctor says/);
  assert.deepEqual(warningsWhere(false, records), []);
  const undisturbed = records.map((record) => ({ ...record, earlierTries: undefined }));
  assert.deepEqual(warningsWhere(true, undisturbed), []);
});

/** A sequential run whose later blocks were left out. */
function endedAfter(blocks: number, slowdown: number): Summary {
  const { plan, records } = generateRun({
    workloads: [{ id: 'page-a', kind: 'page' }],
    slowdown: { h3: slowdown },
    plan: { interims: [8, 12] },
    blocks: 12,
    alter: (record) =>
      record.blockIndex < blocks ? record : { ...record, status: 'not-run', reason: 'left out', metrics: {} },
  });
  return summarise(plan, records, null, []);
}

test('a run that was decided says so and warns of no early end; one that was not says how far it came', () => {
  const decided = endedAfter(8, 1.5);
  assert.equal(blocksWords(decided), 'decided after 8 blocks');
  assert.deepEqual(decided.caveats, []);
  const open = endedAfter(8, 1.03);
  assert.equal(blocksWords(open), '8 of 12 blocks');
  assert.deepEqual(open.caveats, ['Ended early, with 8 of 12 blocks done.']);
});
