import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimDigest } from '../../../../src/analyse/studies/claim-digest.ts';
import type { PublishedFigure } from '../../../../src/core/model/published.ts';
import { figure } from '../../../support/measured-study.ts';

const digest = (more: Partial<PublishedFigure>): string => claimDigest({ ...figure, ...more });

test('what makes a claim has a digest, in which each part counts', () => {
  const own = claimDigest(figure);
  assert.match(own, /^[0-9a-f]{16}$/);
  const changes: readonly Partial<PublishedFigure>[] = [
    { expects: 'better' },
    { expects: 'within' },
    { size: { percent: -20 } },
    { least: { percent: 20 } },
    { than: 50 },
    { instead: 'another server' },
    { instead: { quick: 'another server' } },
    { networks: ['slow'] },
    { clients: ['curl'] },
    { workloads: ['small'] },
    { servers: ['nginx'] },
    { compare: ['h2', 'h3'] },
    { against: ['h2', 'h3'] },
    { metric: 'connectMs' },
    { pool: true },
    { atMost: 3 },
    { requires: { side: 'h3', atMost: 900, what: 'room' } },
  ];
  const digests = changes.map(digest);
  assert.equal(new Set([own, ...digests]).size, changes.length + 1);
  assert.notEqual(claimDigest(figure, 0.5), own, 'the margin is a part of the claim');
});

test('words for readers, and what can only take a claim out of a count, may change', () => {
  const own = claimDigest(figure);
  for (const words of [
    { figure: 'a fifth lower' },
    { experiment: 'one download' },
    { source: 'figure 10' },
    { machine: 'a slow one' },
    { quote: ['lower'] },
    { unlike: 'a tenth of the bytes' },
    { overClients: true as const },
  ])
    assert.equal(digest(words), own, JSON.stringify(words));
  assert.equal(
    digest({ compare: [{ arm: 'h2', network: 'slow' }, 'h3'] }),
    digest({ compare: [{ network: 'slow', arm: 'h2' }, 'h3'] }),
    'the order of fields says nothing',
  );
});
