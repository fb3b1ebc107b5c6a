import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { openRunScope } from '../../../../../src/core/system/processes/run-scope.ts';
import { goneLimitMs, killIfThere, processesWith, waitUntil } from '../../../../support/processes.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { markedEnvironment, removeWithTest } from '../../../../support/test-scope.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

interface Held {
  readonly process: ChildProcess;
  readonly tempDir: string;
  readonly scratch: string;
  /** In a folder that is none for temporary files. */
  readonly cached: string;
}

/** A process with the scope of a run, in a group of its own. */
async function holdScope(t: TestContext, temp = tmpdir()): Promise<Held> {
  const program = join(import.meta.dirname, '../../../../support/scope-holder.ts');
  const cache = tempFolder(t);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, cache], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...markedEnvironment(), TMPDIR: temp },
    detached: true,
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const held = { process: child, ...(JSON.parse(line) as Omit<Held, 'process'>) };
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(held.scratch, { recursive: true, force: true });
  });
  await waitUntil('what it started runs', goneLimitMs, () => orphansOf(held).length > 0);
  return held;
}

const orphansOf = ({ process: { pid } }: Held): number[] =>
  processesWith(`sleep 600.${pid}`)
    .filter(({ commandLine }) => commandLine.startsWith('sleep'))
    .map((row) => row.pid);

/** Those that wait for the end of the run or of its process, by the program that they become. */
const watchersOf = ({ process: { pid } }: Held, name: 'reaper' | 'deputy'): number[] =>
  processesWith(`${name}.ts`)
    .filter(({ commandLine }) => commandLine.includes(`${name}.ts ${pid}-`))
    .map((row) => row.pid);

const isGone = (held: Held): boolean =>
  orphansOf(held).length === 0 &&
  [held.tempDir, held.scratch, held.cached].every((folder) => !existsSync(folder));

for (const [what, killed] of [
  ['alone', () => []],
  ['with its reaper', (held: Held) => watchersOf(held, 'reaper')],
  ['with its deputy', (held: Held) => watchersOf(held, 'deputy')],
] as const)
  test(`a run whose process is killed ${what} leaves neither folder nor program`, { skip }, async (t) => {
    const held = await holdScope(t);
    const victims = killed(held);
    // It would start another otherwise.
    process.kill(held.process.pid ?? 0, 'SIGSTOP');
    for (const pid of [...victims, held.process.pid ?? 0]) process.kill(pid, 'SIGKILL');
    await waitUntil('nothing is left', goneLimitMs, () => isGone(held));
    const watchers = (): number[] => [...watchersOf(held, 'reaper'), ...watchersOf(held, 'deputy')];
    await waitUntil('nobody watches any more', goneLimitMs, () => watchers().length === 0);
  });

test('what was killed with all that watched it is ended and removed by the next run', { skip }, async (t) => {
  // Of its own, so that no run beside clears it.
  const temp = tempFolder(t);
  const held = await holdScope(t, temp);
  process.kill(held.process.pid ?? 0, 'SIGSTOP');
  const all = [...watchersOf(held, 'reaper'), ...watchersOf(held, 'deputy'), held.process.pid ?? 0];
  assert.equal(all.length, 5, 'two watch the run, two what the process makes outside of it');
  for (const pid of all) killIfThere(pid);
  await waitUntil('it is gone', goneLimitMs, () => held.process.signalCode !== null);
  for (const folder of [held.tempDir, held.scratch, held.cached])
    assert.ok(existsSync(folder), `${folder}: nobody was left to remove it`);
  const { removed, left } = openScopeIn(temp);
  assert.equal(removed, 3, 'of the run, of its process, and the one in a cache');
  assert.deepEqual(left, []);
  assert.ok(!existsSync(held.cached));
  // A run beside may have ended it first.
  assert.deepEqual(orphansOf(held), []);
});

/** A folder for temporary files of its own, in which `place` puts a folder of a run's name. @returns its path */
function tempWith(place: (folder: string) => void): { readonly temp: string; readonly folder: string } {
  const temp = mkdtempSync(join(tmpdir(), 'h2h3-hostile-'));
  removeWithTest(temp);
  const folder = join(temp, 'h2h3-1-0123456789abcdef');
  place(folder);
  return { temp, folder };
}

const withOwner =
  (put: (owner: string) => void) =>
  (folder: string): void => {
    mkdirSync(folder, { mode: 0o700 });
    put(join(folder, 'owner'));
  };

/** A scope is opened and ended by a process that has this folder for temporary files; a minute without an end fails the test. */
function openScopeIn(temp: string): { readonly removed: number; readonly left: readonly string[] } {
  const file = join(import.meta.dirname, '../../../../../src/core/system/processes/run-scope.ts');
  const program = `const { openRunScope } = await import(${JSON.stringify(file)});
    const scope = await openRunScope((sentence) => console.log(sentence)); await scope.reaper.finish();`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { env: { ...markedEnvironment(), TMPDIR: temp }, encoding: 'utf8', timeout: 60_000 },
  );
  assert.equal(status, 0, stderr);
  // Programs that others left are ended by whoever comes first.
  const form =
    /^(?:cleared what a killed run had left: (?:ended \d+ programs?)?(?:, )?(?:removed (?<folders>\d+) temporary folders?)?\n)?$/;
  const told = form.exec(stdout);
  assert.ok(told, stdout);
  return { removed: Number(told.groups?.['folders'] ?? 0), left: readdirSync(temp) };
}

const gone = '4194304 1';

for (const [what, put] of [
  ['a named pipe', (owner: string) => void execFileSync('mkfifo', [owner])],
  ['a folder', (owner: string) => mkdirSync(owner)],
  ['a link to /dev/zero', (owner: string) => symlinkSync('/dev/zero', owner)],
  ['a link to itself', (owner: string) => symlinkSync('owner', owner)],
  ['a link to the memory of the process', (owner: string) => symlinkSync('/proc/self/mem', owner)],
  ['a megabyte', (owner: string) => writeFileSync(owner, Buffer.alloc(1 << 20, '1'))],
] as const)
  test(`a run begins where the owner of a folder for temporary files is ${what}`, { skip }, () => {
    const { temp } = tempWith(withOwner(put));
    assert.deepEqual(openScopeIn(temp), { removed: 0, left: ['h2h3-1-0123456789abcdef'] });
  });

for (const [what, change] of [
  ['is a link to itself', (folder: string) => symlinkSync('h2h3-1-0123456789abcdef', folder)],
  ['is a named pipe', (folder: string) => void execFileSync('mkfifo', [folder])],
  [
    'is a link to a folder of the user',
    (folder: string) => {
      mkdirSync(`${folder}-own`);
      writeFileSync(join(`${folder}-own`, 'owner'), gone);
      symlinkSync(`${folder}-own`, folder);
    },
  ],
  [
    'can be written to by others',
    (folder: string) => {
      withOwner((owner) => writeFileSync(owner, gone))(folder);
      chmodSync(folder, 0o777);
    },
  ],
] as const)
  test(`what ${what} is neither looked into nor removed`, { skip }, () => {
    const { temp, folder } = tempWith(change);
    assert.equal(openScopeIn(temp).removed, 0);
    assert.ok(lstatSync(folder, { throwIfNoEntry: false }));
  });

const asRoot = process.getuid?.() === 0 ? skip : 'gives a file to another user, so root only';

test('a named pipe in the folder of another user stops nobody', { skip: asRoot }, () => {
  const { temp, folder } = tempWith(withOwner((owner) => void execFileSync('mkfifo', [owner])));
  chownSync(folder, 65_534, 65_534);
  assert.equal(openScopeIn(temp).removed, 0);
  assert.ok(existsSync(folder));
});

test('a folder that got no owner, for its process was killed, goes when a minute is over', { skip }, () => {
  const { temp, folder } = tempWith((made) => mkdirSync(made, { mode: 0o700 }));
  assert.ok(openScopeIn(temp).left.includes('h2h3-1-0123456789abcdef'));
  utimesSync(folder, new Date(), new Date(Date.now() - 120_000));
  assert.deepEqual(openScopeIn(temp), { removed: 1, left: [] });
});

test('the folder of a living run stays, and that of another container', { skip }, async (t) => {
  const held = await holdScope(t);
  const { temp } = tempWith(withOwner((owner) => writeFileSync(owner, `${gone}\nanother-boot pid:[1]`)));
  assert.equal(openScopeIn(temp).removed, 0);
  const next = await openRunScope(() => undefined);
  await next.reaper.finish();
  for (const folder of [held.tempDir, held.scratch, held.cached]) assert.ok(existsSync(folder), folder);
  assert.equal(orphansOf(held).length, 1);
});
