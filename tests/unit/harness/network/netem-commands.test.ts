import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateChangeLine, shapeCommands } from '../../../../harness/network/netem-commands.ts';
import { offsetOfLine, stepAt } from '../../../../harness/network/netem-trace-player.ts';
import { directionSpecSchema } from '../../../../src/core/model/network-spec.ts';

const trace = {
  kind: 'steps',
  steps: [
    { startMs: 0, mbps: 0 },
    { startMs: 1000, mbps: 20 },
    { startMs: 3000, mbps: 5 },
  ],
  lengthMs: 4000,
} as const;

test('delay and loss are netem’s, rate and queue in bytes a token bucket’s below it', () => {
  const direction = directionSpecSchema.parse({
    rateMbps: 10,
    queueBytes: 100_000,
    delayMs: 25,
    jitterMs: 2,
    lossPercent: 4,
    reorderPercent: 1,
    duplicatePercent: 2,
  });
  const [root = '', child = '', ...more] = shapeCommands('dev0', direction, null);
  assert.match(
    root,
    /^tc qdisc replace dev dev0 root handle 1: .*netem limit \d+ delay 25ms 2ms loss random 4% duplicate 2% reorder 1%$/,
  );
  assert.match(child, /^tc qdisc add dev dev0 parent 1: .*tbf rate 10000000bit burst 1600 limit 101600$/);
  // The kernel counts link headers of 14 bytes; rates here count IP bytes.
  assert.match(root, /stab overhead -14/);
  assert.match(child, /stab overhead -14/);
  assert.deepEqual(more, []);
});

test('bursts of loss are a model of four chances, and a direction without a rate has no bucket', () => {
  const direction = directionSpecSchema.parse({
    delayMs: 5,
    gilbertElliott: { goodToBadPercent: 1, badToGoodPercent: 25 },
  });
  const commands = shapeCommands('dev0', direction, null);
  assert.equal(commands.length, 1);
  assert.match(commands[0] ?? '', /delay 5ms loss gemodel 1% 25% 100% 0%$/);
});

test('a trace begins with its first rate above zero and is followed by changes of the bucket', () => {
  const direction = directionSpecSchema.parse({
    trace: { format: 'seconds-mbps', file: 'x' },
    queueBytes: 50_000,
  });
  assert.match(shapeCommands('dev0', direction, trace)[1] ?? '', /rate 20000000bit/);
  assert.equal(
    rateChangeLine('dev0', 5, 50_000),
    'qdisc change dev dev0 parent 1: handle 2: tbf rate 5000000bit burst 1600 limit 51600',
  );
});

test('a trace stands at the step of its time, in every repetition', () => {
  assert.deepEqual(stepAt(trace, 500), { mbps: 0, nextInMs: 500 });
  assert.deepEqual(stepAt(trace, 2999), { mbps: 20, nextInMs: 1 });
  assert.deepEqual(stepAt(trace, 4000 * 7 + 3500), { mbps: 5, nextInMs: 500 });
});

test('the line that starts a trace carries its offset', () => {
  assert.equal(offsetOfLine('start 12 2500000000'), 2500);
  assert.throws(() => offsetOfLine('stop'), /not a line that starts a trace/);
});
