import assert from 'node:assert/strict';
import { maxSilenceMs } from '../../../../../src/core/model/schedule-course.ts';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import {
  parseMahimahi,
  parseSecondsMbps,
  readTrace,
} from '../../../../../harness/network/traces/read-trace.ts';
import {
  capped,
  eachSecondMbps,
  meanMbps,
  megabitsBetween,
  requireUsable,
} from '../../../../../harness/network/traces/trace.ts';

function fault(run: () => unknown): H2h3Error {
  try {
    run();
  } catch (thrown) {
    assert.ok(thrown instanceof H2h3Error);
    assert.equal(thrown.code, 'bad-input');
    return thrown;
  }
  assert.fail('nothing was thrown');
}

test('lines of seconds and Mbit/s become steps that last until the next line', () => {
  const trace = parseSecondsMbps('5.0 10\n6.0\t20\n\n# a remark\n8 0.5\n', 'x');
  assert.deepEqual(trace, {
    kind: 'steps',
    steps: [
      { startMs: 0, mbps: 10 },
      { startMs: 1000, mbps: 20 },
      { startMs: 3000, mbps: 0.5 },
    ],
    lengthMs: 5000,
  });
  assert.ok(Math.abs(meanMbps(trace) - (10 + 40 + 1) / 5) < 1e-9);
});

test('mahimahi lines become opportunities of 1500 bytes', () => {
  const trace = parseMahimahi('0\n1\n1\n10\n', 'x');
  assert.deepEqual(trace, { kind: 'opportunities', timesMs: [0, 1, 1, 10], lengthMs: 10 });
  assert.ok(Math.abs(meanMbps(trace) - 4.8) < 1e-9);
});

test('what a trace carries goes on into its repetition', () => {
  const trace = parseSecondsMbps('0 10\n1 20\n', 'x');
  assert.ok(Math.abs(megabitsBetween(trace, 1500, 2500) - 15) < 1e-9);
  assert.ok(Math.abs(megabitsBetween(trace, 0, 20_000) - 300) < 1e-9);
});

test('the rate of each second is a mean from wherever a block begins, and goes on into the repetition', () => {
  const steps = parseSecondsMbps('0 10\n1 20\n', 'x');
  const rates = eachSecondMbps(steps, 1500, 3).map((mbps) => Number(mbps.toFixed(9)));
  assert.deepEqual(rates, [15, 15, 15]);
  const opportunities = parseMahimahi('0\n100\n1500\n2000\n', 'x');
  const each = eachSecondMbps(opportunities, 1000, 3).map((mbps) => Number((mbps / 0.012).toFixed(9)));
  assert.deepEqual(each, [1, 3, 1], 'opportunities of 12 kbit a second');
});

test('a cap cuts rates above it and leaves the others', () => {
  const trace = capped(parseSecondsMbps('0 10\n1 2000\n', 'x'), 1000);
  assert.equal(meanMbps(trace), 505);
});

test('malformed lines are named with file, line, what was expected and what was got', () => {
  const cases: readonly (readonly [() => unknown, number, RegExp])[] = [
    [() => parseSecondsMbps('0 10\n1 fast\n', 'a.trace'), 2, /a\.trace:2.*got "1 fast"/],
    [() => parseSecondsMbps('0 10\n1\n', 'a.trace'), 2, /a\.trace:2/],
    [() => parseSecondsMbps('0 10\n1 -3\n', 'a.trace'), 2, /at least 0/],
    [() => parseSecondsMbps('0 10\n0 3\n', 'a.trace'), 2, /a time after 0 s/],
    [() => parseSecondsMbps('\n\n', 'a.trace'), 1, /empty/],
    [() => parseSecondsMbps('0 10\n3e20 3\n', 'a.trace'), 2, /at most 86400 s/],
    [() => parseSecondsMbps('0 10\n1 1e300\n', 'a.trace'), 2, /at most 1000000 Mbit/],
    [() => parseMahimahi(`1\n${'9'.repeat(400)}\n`, 'a.trace'), 2, /at most 86400000 ms/],
    [() => parseMahimahi('1\n2.5\n', 'a.trace'), 2, /whole number/],
    [() => parseMahimahi('5\n3\n', 'a.trace'), 2, /at least 5 ms/],
    [() => parseMahimahi('', 'a.trace'), 1, /empty/],
    [() => parseMahimahi('0\n', 'a.trace'), 1, /above 0 ms/],
  ];
  for (const [run, line, message] of cases) {
    const { message: got, context } = fault(run);
    assert.match(got, message);
    assert.equal(context.line, line);
    assert.equal(context.file, 'a.trace');
    assert.ok(context.expected !== undefined && context.got !== undefined);
  }
});

test('a file of more lines than a trace may have is refused by the first that is too many, and none is left out', () => {
  const most = 10_000_000;
  const whole = `${'#\n'.repeat(most - 1)}7\n\n`;
  assert.equal(parseMahimahi(whole, 'a.trace').lengthMs, 7);
  const { message, context } = fault(() => parseMahimahi(`${'#\n'.repeat(most)}12\n13\n`, 'a.trace'));
  assert.match(message, /^a\.trace:10000001: .* no more than 10000000 lines in a file, got "12"$/);
  assert.equal(context.line, most + 1);
});

test('a trace without any rate, or silent for longer than a trial may take, is refused', () => {
  assert.match(fault(() => requireUsable(parseSecondsMbps('0 0\n1 0\n', 'x'), 'x')).message, /has no rate/);
  const silence = maxSilenceMs / 1000;
  const wrapped = parseSecondsMbps(`0 0\n${silence / 2} 5\n${silence / 2 + 1} 0\n${silence} 0\n`, 'x');
  assert.match(fault(() => requireUsable(wrapped, 'x')).message, /has no rate/);
  assert.ok(requireUsable(parseSecondsMbps(`0 0\n${silence - 1} 5\n`, 'x'), 'x'));
  assert.match(
    fault(() => requireUsable(parseSecondsMbps('0 1e-15\n1 1e-15\n', 'x'), 'x')).message,
    /has no rate/,
  );
  assert.match(fault(() => requireUsable(parseMahimahi('0\n90000\n', 'x'), 'x')).message, /has no rate/);
});

test('a trace whose length the emulator would take for nothing is refused', () => {
  const { message, context } = fault(() => requireUsable(parseSecondsMbps('0 10\n1e-10 10\n', 'x'), 'x'));
  assert.match(message, /changes too often/);
  assert.match(context.expected ?? '', /at least 1 ms on average/);
});

test('a trace that cannot be read is named, and none is waited for', async (t) => {
  const pipe = join(tempFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [file, reason] of [
    ['/no/such/trace', /the trace cannot be read: ENOENT/],
    [pipe, /it is no regular file/],
    ['/dev/zero', /it is no regular file/],
  ] as const)
    await assert.rejects(readTrace(file, 'mahimahi'), reason);
});

const folder = process.env['H2H3_TRACES'];

test(
  'measured traces are read whole',
  { skip: folder === undefined ? 'H2H3_TRACES names no folder with measured traces' : false },
  async () => {
    for (const name of readdirSync(folder ?? '')) {
      const trace = requireUsable(await readTrace(join(folder ?? '', name), 'seconds-mbps'), name);
      assert.ok(trace.kind === 'steps' && trace.steps.length > 200, name);
      assert.ok(meanMbps(trace) > 1 && meanMbps(trace) < 2000, name);
    }
  },
);
