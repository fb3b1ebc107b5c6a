import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSenders } from '../../../../src/app/senders/gate-senders.ts';
import type { Sender } from '../../../../src/core/model/senders.ts';

const properties = [
  { id: 'first-flight', title: 'First flight', unit: 'packets', meaning: '', source: '' },
  { id: 'burst-recovery', title: 'Back at its rate', unit: 'ms', meaning: '', source: '' },
];

function sender(server: string, values: Readonly<Record<string, number | null>>): Sender {
  return {
    server,
    protocol: 'h3',
    version: null,
    congestionControl: null,
    courses: [],
    properties: Object.entries(values).map(([property, median]) => ({
      property,
      verdict: 'as-rfc',
      median,
      interval: median === null ? null : [median, median],
      count: median === null ? 0 : 8,
      sentence: '',
    })),
  };
}

test('of two servers in one measurement the property that changed is told, and which way', () => {
  const senders = [
    sender('nginx@1.26', { 'first-flight': 111, 'burst-recovery': 600 }),
    sender('nginx@1.30', { 'first-flight': 10, 'burst-recovery': 4000 }),
  ];
  const { changes, undecided } = judgeSenders({ senders, properties }, 'nginx@1.26', 'nginx@1.30');
  assert.deepEqual(
    changes.map(({ property, isWorse }) => [property, isWorse]),
    [
      ['first-flight', false],
      ['burst-recovery', true],
    ],
  );
  assert.match(
    changes[0]?.sentence ?? '',
    /^nginx 1\.30 over HTTP\/3, first flight: 111 packets before, 10 packets now$/,
  );
  assert.deepEqual(undecided, []);
});

test('two servers of other software are compared too, alike ones have no change, and what too few tell is said', () => {
  const senders = [
    sender('caddy', { 'first-flight': 32, 'burst-recovery': null }),
    sender('go', { 'first-flight': 32, 'burst-recovery': 700 }),
  ];
  assert.deepEqual(judgeSenders({ senders, properties }, 'caddy', 'go'), {
    changes: [],
    undecided: ['Caddy over HTTP/3: Back at its rate'],
  });
  const other = [sender('caddy', { 'first-flight': 10 }), sender('go', { 'first-flight': 32 })];
  const { changes } = judgeSenders({ senders: other, properties }, 'caddy', 'go');
  assert.deepEqual(
    changes.map(({ isWorse }) => isWorse),
    [true],
  );
});
