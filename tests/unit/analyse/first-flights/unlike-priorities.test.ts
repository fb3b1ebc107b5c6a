import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unlikePriorities } from '../../../../src/analyse/first-flights/unlike-priorities.ts';
import type { Environment, ServerDescription } from '../../../../src/core/model/environment.ts';
import type { Factors } from '../../../../src/core/model/factor.ts';
import type { Arm, Plan } from '../../../../src/core/model/plan.ts';
import type { Comparison } from '../../../../src/core/model/summary.ts';

const described = (id: string, ...obeysPriorities: ('h2' | 'h3')[]): ServerDescription =>
  ({ id, name: id, obeysPriorities }) as unknown as ServerDescription;
const environment = {
  servers: [
    described('caddy', 'h3'),
    described('nginx', 'h2'),
    described('go'),
    described('go', 'h2', 'h3'),
    { id: 'own', name: 'own' },
  ],
} as unknown as Environment;

function told(a: Factors, b: Factors, server = 'caddy', kind: 'page' | 'download' = 'page'): string[] {
  const arms = [a, b].map((factors, index) => ({ label: String(index), factors })) as Arm[];
  const plan = { arms, workloads: [{ kind }] } as unknown as Plan;
  const comparison = { server, baseline: { arm: '0' }, candidate: { arm: '1' } } as unknown as Comparison;
  return unlikePriorities(plan, [comparison, comparison], environment);
}

const h2: Factors = { protocol: 'h2' };
const h3: Factors = { protocol: 'h3' };

test('a server that obeys priorities over one protocol alone is told once of each comparison of pages', () => {
  const over =
    'caddy sends urgent objects first over HTTP/3, not over HTTP/2: priorities are part of this difference';
  assert.deepEqual(told(h2, h3), [over]);
  assert.deepEqual(told(h3, h2), [over]);
  assert.match(told(h2, h3, 'nginx')[0] ?? '', /first over HTTP\/2, not over HTTP\/3/);
});

test('two servers of which one obeys are both named', () => {
  const sides = [
    { ...h3, server: 'caddy' },
    { ...h3, server: 'nginx' },
  ] as const;
  assert.match(
    told(...sides)[0] ?? '',
    /caddy sends urgent objects first over HTTP\/3, nginx not over HTTP\/3/,
  );
});

test('nothing is told where both obey or neither does, where priorities are what is compared, and of single bodies', () => {
  assert.deepEqual(told(h2, h3, 'go'), []);
  assert.deepEqual(told({ ...h2, priorities: 'off' }, { ...h3, priorities: 'off' }, 'go'), []);
  assert.deepEqual(told({ ...h3, priorities: 'none' }, { ...h2, priorities: 'none' }), []);
  assert.deepEqual(told({ ...h3, priorities: 'off' }, { ...h3, priorities: 'on' }, 'go'), []);
  assert.deepEqual(told(h2, h3, 'caddy', 'download'), []);
});

test('nothing is told of a browser that chooses, and of a server that does not say', () => {
  assert.deepEqual(told(h2, { protocol: 'auto' }), []);
  assert.deepEqual(told(h2, h3, 'own'), []);
});
