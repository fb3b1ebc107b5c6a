import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedDifference } from '../../../../src/analyse/diagnosis/flame-difference.ts';

test('a differential flame graph has each stack with the own time of both arms', () => {
  const read = { name: 'read', baselineMs: 10, candidateMs: 4 };
  const decrypt = { name: 'decrypt;fast', baselineMs: 0, candidateMs: 50.5 };
  const network = { name: 'network', baselineMs: 12, candidateMs: 54.5, children: [decrypt, read] };
  const root = { name: 'all', baselineMs: 12, candidateMs: 54.5, children: [network] };
  const graph = { side: 'client', baselineTrials: 1, candidateTrials: 1, minShare: 0.005, root } as const;
  assert.deepEqual(foldedDifference(graph).trim().split('\n'), [
    'all;network 200 0',
    'all;network;decrypt:fast 0 5050',
    'all;network;read 1000 400',
  ]);
});
