import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tracesOf } from '../../../../harness/network/path-traces.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { networkSpecSchema, type NetworkSpec } from '../../../../src/core/model/network-spec.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A network whose way down follows a trace of these lines. */
function follows(
  t: TestContext,
  text: string,
  format: 'seconds-mbps' | 'mahimahi',
  more: object = {},
): NetworkSpec {
  const file = join(tempFolder(t), 'road.txt');
  writeFileSync(file, text);
  const { capMbps, ...down } = { capMbps: undefined, ...more };
  return networkSpecSchema.parse({
    id: 'n',
    title: 'n',
    source: 'a test',
    up: { rateMbps: 10, queueBytes: 64_000 },
    down: { trace: { format, file, capMbps }, queueBytes: 64_000, delayMs: 20, ...down },
  });
}

test('a trace that no path carries is refused before it is used, with its file and the figures', async (t) => {
  const fast = '0 5\n10 20000\n20 5\n';
  const long = { delayMs: 20, schedule: [{ atMs: 1000, delayMs: 60_000 }] };
  const cases: readonly (readonly [NetworkSpec, RegExp])[] = [
    [
      follows(t, fast, 'seconds-mbps'),
      /road\.txt is too fast for its path: the emulator carries 10000 Mbit\/s/,
    ],
    [
      follows(t, fast, 'seconds-mbps', { capMbps: 100, ...long }),
      /road\.txt is too fast for its path: 500000 packets would be under way, with 42 in the queue/,
    ],
    [follows(t, '1\n'.repeat(1_000_000), 'mahimahi'), /road\.txt is too fast for its path/],
  ];
  for (const [spec, expected] of cases)
    await assert.rejects(tracesOf(spec), (thrown) => {
      assert.ok(thrown instanceof H2h3Error && thrown.code === 'bad-input');
      assert.match(thrown.message, expected);
      assert.match(thrown.context.got ?? '', /^up to \d+ Mbit\/s and a delay of \d+ ms$/);
      return true;
    });
});

test('a trace whose highest rates are cut is carried', async (t) => {
  const { down } = await tracesOf(follows(t, '0 5\n10 20000\n20 5\n', 'seconds-mbps', { capMbps: 100 }));
  assert.equal(down?.kind === 'steps' && Math.max(...down.steps.map(({ mbps }) => mbps)), 100);
});
