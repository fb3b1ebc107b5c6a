import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirePictureQuality } from '../../../../src/app/run/picture-quality.ts';

const vmaf = { chunkSeconds: 2, segments: {} };
const film = (known: boolean): { kind: 'video'; vmaf?: typeof vmaf } => ({
  kind: 'video',
  ...(known ? { vmaf } : {}),
});

test('a run that picture quality decides does not begin with a film of which none is known', () => {
  const prepared = new Map([
    ['film-a', film(true)],
    ['film-b', film(false)],
  ]);
  assert.throws(() => requirePictureQuality({ primary: { video: 'qoeVmaf' } }, prepared), {
    code: 'unsupported',
    message: /qoeVmaf decides, and the picture quality of film-b is not known/,
    next: /primary: \{ video: startupDelayMs \}/,
  });
});

test('a run that something else decides, or whose films are all known, begins', () => {
  const unknown = new Map([['b', film(false)]]);
  for (const primary of [{ video: 'meanChunkThroughputMbps' }, {}])
    assert.doesNotThrow(() => requirePictureQuality({ primary }, unknown));
  const known = new Map([['a', film(true)]]);
  assert.doesNotThrow(() => requirePictureQuality({ primary: { video: 'qoeVmaf' } }, known));
});
