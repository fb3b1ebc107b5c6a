import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { raiseSocketLimits } from '../../../../harness/network/socket-limits.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const root = { kind: 'root', adminPrefix: [] } as const;
const wantedBytes = 7 * 1024 * 1024;

function machine(t: TestContext, rmemMax: number, wmemMax: number): { folder: string; now: () => number[] } {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'rmem_max'), `${rmemMax}\n`);
  writeFileSync(join(folder, 'wmem_max'), `${wmemMax}\n`);
  const now = (): number[] =>
    ['rmem_max', 'wmem_max'].map((name) => Number(readFileSync(join(folder, name), 'utf8')));
  return { folder, now };
}

test('limits that are too low are raised while a path is up and put back afterwards', async (t) => {
  const { folder, now } = machine(t, 212_992, 4_194_304);
  const limits = await raiseSocketLimits(root, folder, join(folder, 'held'));
  assert.deepEqual(now(), [wantedBytes, 4_194_304]);
  assert.match(limits.note ?? '', /rmem_max is 212992; raised/);
  await limits.stop();
  assert.deepEqual(now(), [212_992, 4_194_304]);
});

test('limits that are high enough are left alone', async (t) => {
  const { folder, now } = machine(t, 4_194_304, 4_194_304);
  const limits = await raiseSocketLimits(root, folder, join(folder, 'held'));
  assert.equal(limits.note, null);
  assert.deepEqual(now(), [4_194_304, 4_194_304]);
  await limits.stop();
});

test('a limit that somebody else has set meanwhile stays', async (t) => {
  const { folder, now } = machine(t, 212_992, 212_992);
  const limits = await raiseSocketLimits(root, folder, join(folder, 'held'));
  writeFileSync(join(folder, 'rmem_max'), '999\n');
  await limits.stop();
  assert.deepEqual(now(), [999, 212_992]);
});

test('without the right to raise them a note says what to do', async (t) => {
  const { folder, now } = machine(t, 212_992, 212_992);
  const limits = await raiseSocketLimits({ kind: 'user-namespace', adminPrefix: [] }, folder);
  assert.match(limits.note ?? '', /sysctl -w net\.core\.rmem_max=7340032/);
  assert.deepEqual(now(), [212_992, 212_992]);
});

test('limits that one path has raised stay until the last path ends, whichever that is', async (t) => {
  const { folder, now } = machine(t, 212_992, 212_992);
  const held = join(folder, 'held');
  for (const firstEndsFirst of [true, false]) {
    const first = await raiseSocketLimits(root, folder, held);
    const second = await raiseSocketLimits(root, folder, held);
    assert.equal(second.note, null, 'they are high enough by then');
    await (firstEndsFirst ? first : second).stop();
    assert.deepEqual(now(), [wantedBytes, wantedBytes]);
    await (firstEndsFirst ? second : first).stop();
    assert.deepEqual(now(), [212_992, 212_992]);
  }
});
