import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSchedule, readSchedule } from '../../../../../harness/network/traces/read-schedule.ts';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { directionSpecSchema } from '../../../../../src/core/model/network-spec.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const direction = directionSpecSchema.parse({ rateMbps: 10, queueBytes: 30_000, delayMs: 20, jitterMs: 5 });
const head = 't_ms,rate_mbps,delay_ms,loss_percent\n';

test('each line holds until the next, the last as long as the one before it, and empty cells set nothing', () => {
  const { repeating, roundMs } = parseSchedule(
    `# a road\n${head}500,10,,0.5\n700,,30,\n1000,0,20,0\n`,
    'x',
    direction,
  );
  assert.equal(roundMs, 800);
  assert.deepEqual(repeating, [
    { startMs: 0, rateMbps: 10, delayMs: undefined, lossPercent: 0.5 },
    { startMs: 200, rateMbps: undefined, delayMs: 30, lossPercent: undefined },
    { startMs: 500, rateMbps: 0, delayMs: 20, lossPercent: 0 },
  ]);
});

test('columns may stand in any order', () => {
  const { repeating } = parseSchedule('loss_percent,t_ms,delay_ms,rate_mbps\n1,0,30,5\n', 'x', direction);
  assert.deepEqual(repeating, [{ startMs: 0, rateMbps: 5, delayMs: 30, lossPercent: 1 }]);
});

test('files of other systems and editors are read', () => {
  const { repeating } = parseSchedule(`\uFEFF${head}0,5,30,1\n`.replaceAll('\n', '\r\n'), 'x', direction);
  assert.deepEqual(repeating, [{ startMs: 0, rateMbps: 5, delayMs: 30, lossPercent: 1 }]);
});

test('a file that is no schedule is refused with file, line, what was expected and what was got', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /a\.csv:1: .*expected t_ms,rate_mbps/],
    [head, /a\.csv:1: .*a line of figures/],
    ['t_ms,rate_mbps,loss_percent\n0,1,1\n', /a\.csv:1: .*\(delay_ms is missing\)/],
    [`${head.trim()},colour\n0,1,1,1,red\n`, /a\.csv:1: .*alone/],
    [`${head}0,1,30\n`, /a\.csv:2: .*4 cells/],
    [`${head}0,fast,30,1\n`, /a\.csv:2: .*rate_mbps from 0 to 10000, got "fast"/],
    [`${head}0,1,30,101\n`, /a\.csv:2: .*loss_percent from 0 to 100, got "101"/],
    [`${head},1,30,1\n`, /a\.csv:2: .*expected t_ms/],
    [`${head}0,1,30,1\n# a\n0,1,30,1\n`, /a\.csv:4: .*a time after 0 ms, got "0"/],
    [`${head}0,0,30,1\n61000,1,30,1\n`, /a\.csv:2: .*60000 ms in which nothing passes, got "61000 ms"/],
    [`${head}0,0,30,1\n40000,0,30,1\n70000,1,30,1\n`, /a\.csv:3: .*in which nothing passes, got "70000 ms"/],
    [`${head}0,0,30,1\n9000,0,30,1\n`, /a\.csv:2: .*got "no line in which anything does"/],
    [
      `${head}0,0,30,1\n40000,5,30,1\n50000,0,30,1\n90000,1e-9,30,1\n`,
      /a\.csv:5: .*nothing passes, got "80000 ms"/,
    ],
    [`${head}0,1,30,1\n1e-9,1,30,1\n`, /a\.csv:2: .*at least 10 ms apart on average, got "1e-9 ms"/],
    [`${head.trim()},delay_ms\n0,1,30,1\n`, /a\.csv:1: .*alone/],
    [`${head}0,NaN,30,1\n`, /a\.csv:2: .*rate_mbps from 0 to 10000, got "NaN"/],
    [`${head}0,Infinity,30,1\n`, /a\.csv:2: .*rate_mbps/],
    [`${head}-5,1,30,1\n`, /a\.csv:2: .*t_ms from 0/],
    [`${head}${'0,1,30,1\n'.repeat(10_001)}`, /a\.csv:1: .*at most 10000 lines, got "10001"/],
    [`${head}0,1,3,1\n`, /a\.csv:2: .*jitter of 5 ms cannot exceed the delay of 3 ms/],
  ];
  for (const [text, expected] of cases)
    assert.throws(
      () => parseSchedule(text, 'a.csv', direction),
      (thrown) => thrown instanceof H2h3Error && thrown.code === 'bad-input' && expected.test(thrown.message),
      text,
    );
  const free = directionSpecSchema.parse({ delayMs: 20 });
  assert.throws(() => parseSchedule(`${head}0,1,30,1\n`, 'a.csv', free), /a rateMbps of its own/);
});

test('a file is read, and one that is not there is named', async (t) => {
  const file = join(tempFolder(t), 'road.csv');
  writeFileSync(file, `${head}0,5,20,0\n`);
  assert.equal((await readSchedule(file, direction)).roundMs, 1000);
  await assert.rejects(readSchedule('/no/such/schedule', direction), /the schedule cannot be read: ENOENT/);
  writeFileSync(file, '#'.repeat(17 * 1024 * 1024));
  await assert.rejects(readSchedule(file, direction), /it has 17825792 bytes, more than 16777216/);
});
