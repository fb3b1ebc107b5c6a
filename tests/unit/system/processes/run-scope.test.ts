import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { openRunScope } from '../../../../src/system/processes/run-scope.ts';
import { goneLimitMs, killIfThere, processesWith, waitUntil } from '../../../support/processes.ts';
import { markedEnvironment } from '../../../support/test-scope.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

interface Held {
  readonly process: ChildProcess;
  readonly runId: string;
  readonly tempDir: string;
  readonly scratch: string;
}

/** A process with the scope of a run, in a group of its own. */
async function holdScope(t: TestContext): Promise<Held> {
  const program = join(import.meta.dirname, '../../../support/scope-holder.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: markedEnvironment(),
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

/** Those that wait for the end of the run, by the program that they become. */
const watchersOf = ({ runId }: Held, name: 'reaper' | 'deputy'): number[] =>
  processesWith(runId)
    .filter(({ commandLine }) => commandLine.includes(`${name}.ts`))
    .map((row) => row.pid);

const isGone = (held: Held): boolean =>
  orphansOf(held).length === 0 && !existsSync(held.tempDir) && !existsSync(held.scratch);

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
  const held = await holdScope(t);
  process.kill(held.process.pid ?? 0, 'SIGSTOP');
  const all = [...watchersOf(held, 'reaper'), ...watchersOf(held, 'deputy'), held.process.pid ?? 0];
  assert.equal(all.length, 3);
  for (const pid of all) killIfThere(pid);
  await waitUntil('it is gone', goneLimitMs, () => held.process.signalCode !== null);
  assert.ok(existsSync(held.tempDir), 'nobody was left to remove it');
  assert.equal(orphansOf(held).length, 1, 'nobody was left to end it');
  const next = await openRunScope();
  await next.reaper.finish();
  assert.ok(!existsSync(held.tempDir));
  assert.deepEqual(orphansOf(held), []);
});
