import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracesOf } from '../../../../harness/network/path-traces.ts';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import { eachSecondMbps } from '../../../../harness/network/traces/trace.ts';
import { buildTrialTable } from '../../../../src/analyse/comparison/trial-table.ts';
import {
  lossyPreset,
  nothingAtRisk,
  risks,
  withoutRisk,
} from '../../../../src/analyse/comparison/video-at-risk.ts';
import { presetNamed } from '../../../../src/app/presets/registry.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { Reason } from '../../../../src/core/model/reasons.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { ladders } from '../../../../video/ladders/registry.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { playedTracks } from '../../../support/played-tracks.ts';

const film = [{ id: 'video-x', kind: 'video' }] as const;
/** The ladder of the preset `video`; lower ones are for tests. */
const minFilmKbps = 5000;
const settled = ['240p', '720p', '1080p', '1080p', '1080p', '1080p'];

const warningsOf = (alter: (record: TrialRecord) => TrialRecord): string[] => {
  const { plan, records } = generateRun({ workloads: film, alter });
  return nothingAtRisk(plan, buildTrialTable(plan, records));
};

test('a film that the baseline plays without a stall and in one track once it has settled can tell nothing', () => {
  assert.match(
    warningsOf((record) => playedTracks(record, settled)).join(),
    /nothing was at risk in video-x/,
  );
});

test('one session of the baseline that stalled or changed late is a risk, and the candidate’s is none', () => {
  const steady = ['1080p', '1080p', '1080p', '1080p'];
  const changed = ['1080p', '1080p', '1080p', '720p'];
  const inOneBlock = (arm: string, tracks: readonly string[], stalls: number) => (record: TrialRecord) =>
    record.arm === arm && record.blockIndex === 3
      ? playedTracks(record, tracks, stalls)
      : playedTracks(record, steady);
  assert.deepEqual(warningsOf(inOneBlock('h2', changed, 0)), []);
  assert.deepEqual(warningsOf(inOneBlock('h2', steady, 1)), []);
  assert.equal(warningsOf(inOneBlock('h3', changed, 1)).length, 1);
});

/** What is said of a film whose top track has so many kbit/s, over this network. */
function reasonOver(network: string, topKbps: number): Reason {
  const alter = (record: TrialRecord): TrialRecord => {
    const played = playedTracks(record, settled);
    const chunks = (played.metrics.chunks ?? []).map((chunk) => ({ ...chunk, bitrateKbps: topKbps }));
    const metrics: TrialMetrics = { ...played.metrics };
    Object.assign(metrics, { ladderKbps: [300, topKbps], chunks });
    return { ...played, metrics };
  };
  const { plan, records } = generateRun({ workloads: film, networks: [network], alter });
  const [trials] = buildTrialTable(plan, records).conditions;
  assert.ok(trials !== undefined);
  return withoutRisk(trials, 'h2') ?? assert.fail();
}

test('a harder condition is named: the next slower network, and a preset with loss after the slowest', () => {
  assert.deepEqual(reasonOver('cable', 6000).facts, { harderNetwork: '4g-crowded' });
  assert.deepEqual(reasonOver('cable', 25_000).facts, { harderNetwork: '4g' });
  assert.deepEqual(reasonOver('4g', 25_000).facts, { harderNetwork: '4g-crowded' });
  assert.deepEqual(reasonOver('5g', 200_000).facts, { harderNetwork: '5g-driving' });
  assert.deepEqual(reasonOver('4g', 200_000).facts, { harderNetwork: '4g-crowded' });
  assert.deepEqual(reasonOver('4g-crowded', 6000).facts, { harderPreset: lossyPreset });
  assert.ok(presetNamed(lossyPreset) !== undefined);
});

test('each network that is named exists, and a fourth of its seconds lies below the top of the least such ladder of ours', async () => {
  const topsKbps = ladders().map(({ tracks }) => tracks.at(-1)?.bitrateKbps ?? 0);
  for (const { network, fromKbps } of risks) {
    const spec = networkSpecs.find(({ id }) => id === network) ?? assert.fail(network);
    const { down } = await tracesOf(spec);
    const rates = eachSecondMbps(down ?? assert.fail(network), 0, 3600);
    const topMbps = Math.min(...topsKbps.filter((kbps) => kbps > Math.max(fromKbps, minFilmKbps))) / 1000;
    const below = rates.filter((mbps) => mbps < topMbps).length;
    assert.ok(below >= rates.length / 4, `${network}: ${below} of ${rates.length} s below ${topMbps} Mbit/s`);
  }
});
