import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abrRules } from '../../../../video/abr/registry.ts';
import { checked } from '../../../../video/ladders/check-ladder.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { workloadsOf } from '../../../../video/workloads.ts';

const only = { bitratesKbps: [1000], bufferTargetSeconds: 20, chunkSeconds: 2 };

test('of a ladder with one track every rule of ours plays that one, whatever buffer and rate are', () => {
  const ours = abrRules.flatMap((rule) => (rule.kind === 'ours' ? [rule] : []));
  assert.ok(ours.length >= 3);
  for (const rule of ours)
    for (const bufferSeconds of [0, 5, 20])
      for (const previousIndex of [null, 0])
        for (const chunkThroughputsKbps of [[], [10], [100_000, 90_000]]) {
          const state = { ...only, bufferSeconds, previousIndex, chunkThroughputsKbps };
          assert.equal(rule.decide(state).index, 0, rule.id);
        }
});

test('a ladder with one track is taken, and can be played by each rule but those of a track that it has not', () => {
  const { tracks, ...streaming } = ladderNamed('streaming');
  const ladder = checked({ ...streaming, id: 'one', tracks: tracks.slice(0, 1) });
  const workloads = workloadsOf({ ladder, source: { kind: 'generated' } });
  for (const rule of abrRules) {
    const rank = rule.kind === 'ours' ? (rule.fixedRank ?? 1) : 1;
    assert.equal(
      workloads.some((workload) => workload.id.includes(`-${rule.id}`)),
      rank === 1,
      rule.id,
    );
  }
});
