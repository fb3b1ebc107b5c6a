import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectProbes } from '../../../../harness/probes/selection.ts';

test('pages record frames without being asked, downloads and video not even when a plan names them', () => {
  assert.deepEqual(selectProbes('page', []), { har: true, frames: true, cpu: true, lighthouse: false });
  assert.equal(selectProbes('video', []).frames, false);
  for (const kind of ['video', 'download'] as const)
    assert.equal(selectProbes(kind, ['har', 'frames', 'cpu']).frames, false);
});

test('a probe is switched off by its name after no-', () => {
  assert.deepEqual(selectProbes('page', ['no-frames', 'no-har', 'no-cpu', 'lighthouse']), {
    har: false,
    frames: false,
    cpu: false,
    lighthouse: true,
  });
});
