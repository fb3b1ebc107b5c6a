import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodePasses } from '../../../../video/encoder/encode-passes.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';

const request = { ladder: ladderNamed('streaming-1080p'), filmSeconds: 20 };

test('time left is that of all passes, and what was cached is no measure of speed', () => {
  let nowMs = 0;
  const steps: { title: string; fraction?: number; detail?: string }[] = [];
  const passes = new EncodePasses(
    request,
    { compares: true, report: (step) => steps.push(step) },
    () => nowMs,
  );
  passes.skip('encode', 0);
  passes.at('encode', 1, 0, '360p');
  nowMs = 10_000;
  passes.at('encode', 1, 1, '360p');
  passes.finish('encode', 1);
  passes.at('encode', 2, 0, '480p');
  const [first, over, next] = steps;
  assert.deepEqual([first?.fraction, first?.detail], [0, '360p']);
  assert.match(over?.detail ?? '', /^360p, about \d+ min left$/);
  assert.equal(next?.fraction, over?.fraction);
  const share = over?.fraction ?? 0;
  assert.ok(share > 0 && share < 0.1, `one small track of four, and five to compare: ${share}`);
  const minutes = Number(/(\d+) min/.exec(over?.detail ?? '')?.[1]);
  assert.ok(Math.abs(minutes * 60_000 - (10_000 / share) * (1 - share)) <= 60_000);
});
