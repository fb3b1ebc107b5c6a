import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { mainDocument } from '../../../../sites/replicas/main-document.ts';
import { planReplica } from '../../../../sites/replicas/plan-replica.ts';
import { shippedShapes } from '../../../../sites/replicas/shipped-shapes.ts';

/** A page-like world in which tasks wait until they are run, and nothing tells the time. */
function worldOf(): { world: Record<string, unknown>; laidOut: string[]; tasks: (() => void)[] } {
  const laidOut: string[] = [];
  const tasks: (() => void)[] = [];
  const box = { textContent: '', remove: () => undefined };
  Object.defineProperty(box, 'offsetHeight', { get: () => laidOut.push(box.textContent) });
  const document = { createElement: () => box, documentElement: { append: () => undefined } };
  const world = { document, setTimeout: (task: () => void) => tasks.push(task), location: { port: '' } };
  return { world, laidOut, tasks };
}

test('a script’s work is an amount and not a time: so many turns, each laid out, in a task of its own', async () => {
  const shape = shippedShapes().find(({ site }) => site === '123rf.com');
  assert.ok(shape);
  const page = await mainDocument({
    plan: planReplica(shape),
    port: 443,
    turnsPerMs: 12.3,
    unstyled: new Set<number>(),
  });
  const [, runtime = ''] = /<script>(.*?)<\/script>/s.exec(page.compose({ dense: '', light: '' })) ?? [];
  const { world, laidOut, tasks } = worldOf();
  const context = createContext(world);
  runInContext(runtime, context);
  runInContext('k(10)', context);
  assert.equal(laidOut.length, 0, 'what the script causes is asked for first');
  tasks.forEach((task) => task());
  assert.equal(laidOut.length, 123);
  assert.equal(new Set(laidOut).size, 123, 'no turn can take over what another did');
});
