import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { heldSettings } from '../../../../harness/network/held-settings.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { testEnvironment } from '../../../support/test-scope.ts';

const skip = spawnSync('flock', ['--version']).status === 0 ? false : 'there is no flock(1) here';

interface Path {
  /** Ends it in order. */
  readonly end: () => Promise<void>;
  /** Kills the shell that holds. */
  readonly kill: () => Promise<void>;
}

interface MadeUp {
  readonly start: () => Promise<Path>;
  readonly value: () => string;
  readonly set: (value: string) => void;
}

/** A machine with one setting, which is off. */
function machine(t: TestContext): MadeUp {
  const folder = tempFolder(t);
  const file = join(folder, 'ip_forward');
  writeFileSync(file, '0\n');
  const script = `set -e
${heldSettings('forwarding', [{ file, value: 1 }], join(folder, 'held'))}
hold_settings
trap release_settings EXIT
echo held
while read -r ignored; do :; done`;
  const start = async (): Promise<Path> => {
    const child: ChildProcess = spawn('sh', ['-c', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...testEnvironment() },
    });
    const gone = once(child, 'exit');
    await once(child.stdout ?? child, 'data');
    return {
      end: async () => {
        child.stdin?.end();
        await gone;
      },
      kill: async () => {
        child.kill('SIGKILL');
        await gone;
      },
    };
  };
  return {
    start,
    value: () => readFileSync(file, 'utf8').trim(),
    set: (value) => writeFileSync(file, `${value}\n`),
  };
}

test('of two paths at once the last puts the old value back, whichever ends first', { skip }, async (t) => {
  const { start, value } = machine(t);
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const paths = [await start(), await start()];
    assert.equal(value(), '1');
    await paths[order[0] ?? 0]?.end();
    assert.equal(value(), '1', 'the other is still up');
    await paths[order[1] ?? 0]?.end();
    assert.equal(value(), '0');
  }
});

test(
  'a path that is killed counts no longer: the last one left puts the old value back',
  { skip },
  async (t) => {
    const { start, value } = machine(t);
    for (const killed of [0, 1]) {
      const paths = [await start(), await start()];
      await paths[killed]?.kill();
      assert.equal(value(), '1');
      await paths[1 - killed]?.end();
      assert.equal(value(), '0');
    }
  },
);

test('where all paths were killed the next one puts the old value back', { skip }, async (t) => {
  const { start, value } = machine(t);
  const paths = [await start(), await start()];
  for (const path of paths) await path.kill();
  assert.equal(value(), '1', 'nobody was left');
  const next = await start();
  assert.equal(value(), '1');
  await next.end();
  assert.equal(value(), '0');
});

test('what somebody else has set stays, while a path is up and after one was killed', { skip }, async (t) => {
  const { start, value, set } = machine(t);
  const path = await start();
  set('2');
  await path.end();
  assert.equal(value(), '2');
  set('0');
  await (await start()).kill();
  set('-1');
  const next = await start();
  assert.equal(value(), '1');
  await next.end();
  assert.equal(value(), '-1');
});

test('a value that was high enough before is as it was afterwards', { skip }, async (t) => {
  const { start, value, set } = machine(t);
  set('1');
  const paths = [await start(), await start()];
  for (const path of paths) await path.end();
  assert.equal(value(), '1');
});

test(
  'of many paths that begin, end and are killed in any order one at least holds, and at the end none',
  { skip },
  async (t) => {
    const { start, value } = machine(t);
    const random = seededRandom(51);
    let up = await Promise.all(Array.from({ length: 6 }, start));
    for (let round = 0; round < 6; round++) {
      const [first, second, ...others] = up;
      const ends = [first, second].flatMap((path) => path ?? []);
      const begun = [start(), start()];
      await Promise.all(ends.map((path) => (random.next() < 0.4 ? path.kill() : path.end())));
      up = [...others, ...(await Promise.all(begun))];
      assert.equal(value(), '1');
    }
    for (const path of up) {
      assert.equal(value(), '1');
      await path.end();
    }
    assert.equal(value(), '0');
  },
);
