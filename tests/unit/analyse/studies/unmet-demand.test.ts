import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unmetDemand } from '../../../../src/analyse/studies/unmet-demand.ts';
import type { PublishedFigure } from '../../../../src/core/model/published.ts';
import type { StudyCell } from '../../../../src/core/model/study-run.ts';

const blocks = [0, 1, 2, 3, 4, 5, 6, 7];
const cellOf = (arm: string, playedSeconds: number | null): StudyCell => ({
  workload: 'video-x',
  kind: 'video',
  network: 'a',
  client: 'chromium',
  server: 'caddy',
  arm,
  watch: 'bare',
  blocks,
  metrics: {
    stallCount: blocks.map(() => 0),
    startupDelayMs: blocks.map(() => 400),
    ...(playedSeconds === null ? {} : { playedSeconds: blocks.map(() => playedSeconds) }),
  },
});
const unmet = (metric: string, playedSeconds: number | null): string | undefined => {
  const [first, second] = ['h2', 'h3'].map((arm) => ({ cells: [cellOf(arm, playedSeconds)], metric }));
  assert.ok(first !== undefined && second !== undefined);
  return unmetDemand({ metric } as PublishedFigure, { compare: [first, second], shared: {} })?.code;
};

test('sessions of a study that are alike are called so only where enough was watched', () => {
  assert.equal(unmet('stallCount', null), 'exposure-unknown');
  assert.equal(unmet('stallCount', 12), 'sessions-too-short');
  assert.equal(unmet('stallCount', 60), 'too-little-watched');
  assert.equal(unmet('stallCount', 600), undefined);
  assert.equal(unmet('startupDelayMs', null), undefined);
});
