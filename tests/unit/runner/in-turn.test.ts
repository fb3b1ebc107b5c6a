import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn, mayBegin } from '../../runner/in-turn.ts';
import type { FileGroup } from '../../runner/selection.ts';

const groupOf = (name: string, waits = false): FileGroup => ({
  name,
  patterns: [],
  concurrency: null,
  waits,
});
const waiting = groupOf('waiting', true);
const working = groupOf('working');

test('another group begins next to those that wait where next to one that works none does', () => {
  const limits = { atOnce: 2, waitingAtOnce: 3 };
  assert.equal(mayBegin([], limits), true);
  assert.equal(mayBegin([working], limits), true);
  assert.equal(mayBegin([working, waiting], limits), false);
  assert.equal(mayBegin([waiting, waiting], limits), true);
  assert.equal(mayBegin([waiting, waiting, waiting], limits), false);
  assert.equal(mayBegin([waiting, waiting], { atOnce: 2 }), false, 'a phase that says no more');
});

/** Which groups ran at the same time, as each began; each ends once all others have had a turn. */
async function begunNextTo(
  names: readonly string[],
  signal = new AbortController().signal,
): Promise<string[]> {
  const running = new Set<string>();
  const seen: string[] = [];
  const groups = names.map((name) => groupOf(name, name.startsWith('w')));
  await inTurn({ name: 'phase', atOnce: 2, waitingAtOnce: 3, groups }, signal, async ({ name }) => {
    running.add(name);
    seen.push([...running].join(' '));
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(name);
  });
  return seen;
}

test('the groups of a phase begin in their order, each as soon as it may', async () => {
  assert.deepEqual(await begunNextTo(['w1', 'w2', 'w3', 'c1', 'c2', 'c3']), [
    'w1',
    'w1 w2',
    'w1 w2 w3',
    'w2 w3 c1',
    'c1 c2',
    'c2 c3',
  ]);
  assert.deepEqual(await begunNextTo([]), []);
});

test('an interrupted phase begins nothing more', async () => {
  const controller = new AbortController();
  controller.abort();
  assert.deepEqual(await begunNextTo(['c1'], controller.signal), []);
});

test('a group that cannot be run ends the phase', async () => {
  const phase = { name: 'phase', atOnce: 2, groups: [working] };
  const { signal } = new AbortController();
  await assert.rejects(
    inTurn(phase, signal, () => Promise.reject(new Error('no node'))),
    /no node/,
  );
});
