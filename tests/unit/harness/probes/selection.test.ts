import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectProbes, selectWarmUpProbes } from '../../../../harness/probes/selection.ts';
import type { WorkloadKind } from '../../../../src/core/model/workload.ts';

const names = (kind: WorkloadKind, asked: readonly string[]): string[] =>
  selectProbes(kind, asked, 'instrumented').map(({ id }) => id);

test('pages record frames; downloads and video never do', () => {
  assert.deepEqual(names('page', []), ['har', 'frames', 'cpu']);
  for (const kind of ['video', 'download'] as const)
    assert.deepEqual(names(kind, ['har', 'frames', 'cpu']), ['har', 'cpu']);
});

test('a list that names usual probes names all that are wanted, but the proof of the protocol stays', () => {
  assert.deepEqual(names('page', ['cpu']), ['har', 'cpu']);
  assert.deepEqual(names('page', ['har', 'frames']), ['har', 'frames']);
});

test('a probe that is only asked for is added to the usual ones', () => {
  assert.deepEqual(new Set(names('page', ['lighthouse'])), new Set(['har', 'frames', 'cpu', 'lighthouse']));
});

test('in a timed trial only what reads from outside the client records, and a client that records by itself', () => {
  const asked = ['net-log', 'packets', 'context-switches', 'cpu-samples'];
  const chosen = selectProbes('page', asked, 'uninstrumented').map(({ id }) => id);
  assert.deepEqual(new Set(chosen), new Set(['har', 'packets', 'context-switches', 'cpu-samples', 'cpu']));
});

test('a discarded trial takes no measurement of its own', () => {
  assert.deepEqual(
    selectWarmUpProbes('page', ['lighthouse'], 'instrumented').map(({ id }) => id),
    ['har', 'frames', 'cpu'],
  );
});
