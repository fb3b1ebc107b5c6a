import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flameGraph } from '../../../../src/analyse/diagnosis/flame-graph.ts';
import { flameGraphSchema } from '../../../../src/core/model/diagnosis.ts';

const trial = (samples: Record<string, number>) => ({
  sampleMs: 2,
  stacks: Object.entries(samples).map(([stack, count]) => ({ frames: stack.split(';'), samples: count })),
});

test('a graph has the mean time of each arm in each frame and what it called, the widest first', () => {
  const graph = flameGraph(
    'client',
    [trial({ 'network;read': 10 }), trial({ 'network;read': 20, 'network;decrypt': 4 })],
    [trial({ 'network;read': 5, 'network;decrypt': 100 })],
  );
  assert.ok(graph);
  assert.deepEqual([graph.baselineTrials, graph.candidateTrials], [2, 1]);
  const [network] = graph.root.children ?? [];
  assert.deepEqual([network?.name, network?.baselineMs, network?.candidateMs], ['network', 34, 210]);
  assert.deepEqual(
    network?.children?.map(({ name, baselineMs, candidateMs }) => [name, baselineMs, candidateMs]),
    [
      ['decrypt', 4, 200],
      ['read', 30, 10],
    ],
  );
  assert.deepEqual(
    flameGraphSchema.parse(JSON.parse(JSON.stringify(graph))),
    JSON.parse(JSON.stringify(graph)),
  );
});

test('frames too narrow to be read are left out, their time stays in what called them', () => {
  const graph = flameGraph('server', [trial({ 'a;b': 999, 'a;c': 1 })], [trial({ 'a;b': 999 })]);
  const [a] = graph?.root.children ?? [];
  assert.deepEqual([a?.baselineMs, a?.children?.map(({ name }) => name)], [2000, ['b']]);
});

test('without samples of both arms there is no graph', () => {
  assert.equal(flameGraph('client', [trial({ a: 1 })], []), null);
});
