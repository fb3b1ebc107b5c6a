import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unmetDemand } from '../../../../src/analyse/studies/unmet-demand.ts';
import type { PublishedFigure } from '../../../../src/core/model/published.ts';
import type { StudyCell } from '../../../../src/core/model/study-run.ts';

const blocks = [0, 1, 2, 3, 4, 5, 6, 7];
const cellOf = (arm: string, playedSeconds: number | null, unrisked: readonly number[]): StudyCell => ({
  workload: 'video-x',
  kind: 'video',
  network: 'a',
  client: 'chromium',
  server: 'caddy',
  arm,
  instrumentation: 'uninstrumented',
  blocks,
  unrisked: [...unrisked],
  metrics: {
    stallCount: blocks.map(() => 0),
    startupDelayMs: blocks.map(() => 400),
    ...(playedSeconds === null ? {} : { playedSeconds: blocks.map(() => playedSeconds) }),
  },
});
const unmet = (
  metric: string,
  playedSeconds: number | null,
  unrisked: readonly number[] = [],
): string | undefined => {
  const [first, second] = ['h2', 'h3'].map((arm) => ({
    cells: [cellOf(arm, playedSeconds, unrisked)],
    metric,
  }));
  assert.ok(first !== undefined && second !== undefined);
  return unmetDemand({ metric } as PublishedFigure, { compare: [first, second], shared: {} })?.code;
};

test('sessions of a study that are alike are called so only where enough was watched', () => {
  assert.equal(unmet('stallCount', null), 'exposure-unknown');
  assert.equal(unmet('stallCount', 12), 'sessions-too-short');
  assert.equal(unmet('stallCount', 60), 'too-little-exposure');
  assert.equal(unmet('stallCount', 600), undefined);
  assert.equal(unmet('startupDelayMs', null), undefined);
});

test('sessions of a study in which nothing was at risk are not called alike', () => {
  assert.equal(unmet('stallCount', 600, blocks), 'nothing-at-risk');
  assert.equal(unmet('stallCount', 600, blocks.slice(1)), undefined);
  assert.equal(unmet('startupDelayMs', 600, blocks), undefined);
});
