import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { lockHolder } from '../../../../src/core/system/lock-file.ts';
import { chooseCacheDir, openToolCache, userCacheDir } from '../../../../src/core/system/tool-cache.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { waitUntil } from '../../../support/processes.ts';

/** Above the largest process id that Linux gives. */
const deadPid = 2 ** 22 + 1;

test('a tool is installed once and found afterwards', async (t) => {
  const cache = openToolCache(tempFolder(t));
  let fills = 0;
  const fill = (directory: string): Promise<void> => {
    fills++;
    return writeFile(path.join(directory, 'program'), 'x');
  };
  const first = await cache.install('tool-1', fill);
  assert.equal(await cache.install('tool-1', fill), first);
  assert.equal(fills, 1);
  assert.ok(existsSync(path.join(first, 'program')));
});

test('what failed half way does not count as installed and leaves nothing behind', async (t) => {
  const folder = tempFolder(t);
  const cache = openToolCache(folder);
  const failing = cache.install('tool-1', async (directory) => {
    await writeFile(path.join(directory, 'half'), 'x');
    throw new Error('the network went away');
  });
  await assert.rejects(failing, /network went away/);
  assert.equal(await cache.isInstalled('tool-1'), false);
  assert.deepEqual(readdirSync(path.join(folder, 'tools')), []);
});

test('two set-ups at once install a tool one after the other, and the second is told that it waits', async (t) => {
  const folder = tempFolder(t);
  let running = 0;
  let fills = 0;
  let waits = 0;
  const install = (): Promise<string> =>
    openToolCache(folder).install(
      'tool-1',
      async () => {
        assert.equal(++running, 1);
        fills++;
        await waitUntil('the second is told that it waits', 60_000, () => waits > 0);
        running--;
      },
      () => waits++,
    );
  const [first, second] = await Promise.all([install(), install()]);
  assert.equal(first, second);
  assert.equal(fills, 1);
  assert.equal(waits, 1);
});

test('the lock and the remains of a run that was killed do not stop the next one', async (t) => {
  const folder = tempFolder(t);
  const tools = path.join(folder, 'tools');
  mkdirSync(path.join(tools, `tool-1.partial-${deadPid}-abcd`), { recursive: true });
  writeFileSync(path.join(tools, 'tool-1.lock'), String(deadPid));
  await openToolCache(folder).install('tool-1', () => Promise.resolve());
  assert.deepEqual(readdirSync(tools), ['tool-1']);
});

test('a set-up that was killed while it took its lock is not waited for', async (t) => {
  const folder = tempFolder(t);
  const tools = path.join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  // What a version left that made the file first and wrote its holder then.
  writeFileSync(path.join(tools, 'tool-1.lock'), '');
  await openToolCache(folder).install(
    'tool-1',
    () => Promise.resolve(),
    () => assert.fail('it waits'),
  );
  assert.deepEqual(readdirSync(tools), ['tool-1']);
});

test('a lock names its holder from the first moment on', async (t) => {
  const file = path.join(tempFolder(t), 'tool.lock');
  const taker = `
    import { rmSync } from 'node:fs';
    import { makeLock } from ${JSON.stringify(path.join(import.meta.dirname, '../../../../src/core/system/lock-file.ts'))};
    for (;;) { makeLock(${JSON.stringify(file)}, String(process.pid)); rmSync(${JSON.stringify(file)}, { force: true }); }`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', taker];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const seen = new Set<number | null>();
  try {
    const endMs = performance.now() + 60_000;
    for (let looks = 0; looks < 500 && performance.now() < endMs;) {
      const holder = lockHolder(file);
      if (holder === null) await setImmediate();
      else {
        seen.add(holder.pid);
        looks++;
      }
    }
  } finally {
    child.kill('SIGKILL');
    // It would write into the folder that is removed.
    await ended;
  }
  assert.deepEqual([...seen], [child.pid]);
});

test('the project folder is preferred, the user cache is used where it cannot be written', async (t) => {
  const folder = tempFolder(t);
  const place = { homeDir: folder, platform: 'linux', environment: {} } as const;
  const projectDir = path.join(folder, 'project');
  mkdirSync(projectDir);
  assert.equal(await chooseCacheDir({ ...place, projectDir }), path.join(projectDir, '.h2h3'));
  // A file where a folder should be stops even root.
  const blocked = path.join(folder, 'blocked');
  writeFileSync(blocked, '');
  assert.equal(await chooseCacheDir({ ...place, projectDir: blocked }), path.join(folder, '.cache', 'h2h3'));
  await assert.rejects(chooseCacheDir({ ...place, projectDir: blocked, homeDir: blocked }), (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'storage');
    return true;
  });
});

test('the user cache lies where each platform keeps caches', () => {
  const place = { projectDir: '/p', homeDir: '/home/u', environment: {} };
  assert.equal(userCacheDir({ ...place, platform: 'linux' }), '/home/u/.cache/h2h3');
  assert.equal(
    userCacheDir({ ...place, platform: 'linux', environment: { XDG_CACHE_HOME: '/xdg' } }),
    '/xdg/h2h3',
  );
  assert.equal(userCacheDir({ ...place, platform: 'darwin' }), '/home/u/Library/Caches/h2h3');
});
