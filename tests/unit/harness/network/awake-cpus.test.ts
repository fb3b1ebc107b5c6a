import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { keepCpusAwake } from '../../../../harness/network/awake-cpus.ts';
import { foundOr } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const root = { kind: 'root', adminPrefix: [] } as const;

/** A virtual machine whose first idle state wakes after so long, as files. */
function machine(t: TestContext, latencyUs: number) {
  const folder = tempFolder(t);
  const device = join(folder, 'latency');
  writeFileSync(device, '');
  mkdirSync(join(folder, 'state0'));
  writeFileSync(join(folder, 'state0', 'latency'), `${latencyUs}\n`);
  return { environment: {}, virtualised: 'a guest', statesDir: folder, device };
}

/** Processes that have the file open. */
function holders(file: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const folder = `/proc/${pid}/fd`;
      const gone = ['EACCES', 'ENOENT', 'ESRCH'];
      return foundOr(() => readdirSync(folder), [], ...gone).some(
        (fd) => foundOr(() => readlinkSync(join(folder, fd)), '', ...gone) === file,
      );
    });
}

test('the wanted latency is 0 for as long as the path is up', async (t) => {
  const guest = machine(t, 0);
  const awake = await keepCpusAwake(root, guest);
  assert.match(awake.note ?? '', /are kept awake/);
  assert.equal(awake.wakeLate, false);
  assert.deepEqual([...readFileSync(guest.device)], [0, 0, 0, 0], 'the device takes 32 bits');
  assert.equal(holders(guest.device).length, 1);
  await awake.stop();
  assert.deepEqual(holders(guest.device), []);
});

test('two paths hold it each for itself', async (t) => {
  const guest = machine(t, 0);
  const first = await keepCpusAwake(root, guest);
  const second = await keepCpusAwake(root, guest);
  await first.stop();
  assert.equal(holders(guest.device).length, 1);
  await second.stop();
  assert.deepEqual(holders(guest.device), []);
});

test('a physical machine is left as it is, without a word', async (t) => {
  const guest = machine(t, 0);
  const { note, wakeLate } = await keepCpusAwake(root, { ...guest, virtualised: null });
  assert.deepEqual([note, wakeLate], [null, false]);
  assert.equal(readFileSync(guest.device, 'utf8'), '');
});

test('what keeps a guest from it is said', async (t) => {
  const guest = machine(t, 0);
  const environment = { H2H3_IDLE_CPUS: 'sleep' };
  const cases = [
    [root, { ...guest, environment }, /H2H3_IDLE_CPUS=sleep/],
    [root, machine(t, 2), /no idle state that polls/],
    [root, { ...guest, statesDir: '/nowhere' }, /no idle state that polls/],
    [root, { ...guest, device: '/nowhere/latency' }, /cannot be written/],
    [{ ...root, kind: 'user-namespace' as const }, guest, /as root/],
  ] as const;
  for (const [privilege, options, reason] of cases) {
    const { note, wakeLate, stop } = await keepCpusAwake(privilege, options);
    assert.match(note ?? '', reason);
    assert.ok(wakeLate);
    await stop();
  }
  assert.equal(readFileSync(guest.device, 'utf8'), '', 'nothing was written');
});
