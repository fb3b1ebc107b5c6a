import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectProbes } from '../../../../harness/probes/selection.ts';

test('pages record frames; downloads and video never do', () => {
  assert.deepEqual(selectProbes('page', []), { har: true, frames: true, cpu: true, lighthouse: false });
  for (const kind of ['video', 'download'] as const)
    assert.equal(selectProbes(kind, ['har', 'frames', 'cpu']).frames, false);
});

test('a list that names usual probes names all that are wanted, but the proof of the protocol stays', () => {
  assert.deepEqual(selectProbes('page', ['cpu']), { har: true, frames: false, cpu: true, lighthouse: false });
  assert.equal(selectProbes('page', ['har', 'frames']).cpu, false);
});

test('an audit is added to the usual probes', () => {
  assert.deepEqual(selectProbes('page', ['lighthouse']), {
    har: true,
    frames: true,
    cpu: true,
    lighthouse: true,
  });
});

test('a probe is switched off by its name after no-', () => {
  assert.deepEqual(selectProbes('page', ['no-frames', 'no-har', 'no-cpu']), {
    har: false,
    frames: false,
    cpu: false,
    lighthouse: false,
  });
});
