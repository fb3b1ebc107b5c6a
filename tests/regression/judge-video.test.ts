import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../src/analyse/summary/summarise.ts';
import type { TrialMetrics } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { armsAA, armsH2H3, generateRun } from '../support/generated-run.ts';
import { changingTracks, playedTracks } from '../support/played-tracks.ts';
import { faultsOfItself, faultsOfPlanted, promisedMs } from './judge-video.ts';

const film = [{ id: 'video-x', kind: 'video' }] as const;

/** Six blocks of a film, of which every session of the second arm scores so many points less. */
function filmRun({ isAA = false, pointsLess = 0, stalls = 0, playedSeconds = 60 } = {}): Summary {
  const arms = isAA ? armsAA : armsH2H3;
  const alter = (record: TrialRecord): TrialRecord => {
    const played = playedTracks(record, changingTracks, stalls);
    const isCandidate = record.arm !== arms[0]?.label;
    const metrics: TrialMetrics = { ...played.metrics };
    const place = 70 + record.blockIndex + (isCandidate ? 0.1 * (record.blockIndex % 2) - pointsLess : 0);
    Object.assign(metrics, { qoeVmaf: place, meanVmaf: 80, playedSeconds, stallRatio: 0 });
    return { ...played, metrics };
  };
  const plan = { primary: { video: 'qoeVmaf' }, interims: [6], pooled: {} };
  const made = generateRun({ workloads: film, arms, blocks: 6, networks: ['4g-crowded'], alter, plan });
  return summarise(made.plan, made.records, null, []);
}

const withVerdict = (summary: Summary, metric: string, verdict: 'better' | 'equivalent'): Summary => ({
  ...summary,
  comparisons: summary.comparisons.map((one) => (one.metric === metric ? { ...one, verdict } : one)),
});

test('a run that calls late chunks worse in its time is as it should be, and no other is', () => {
  const found = filmRun({ pointsLess: 9 });
  assert.deepEqual(faultsOfPlanted(found), []);
  assert.match(faultsOfPlanted(filmRun()).join(), /^qoeVmaf: -?\d.*(inconclusive|equivalent), 6 blocks/);
  assert.match(faultsOfPlanted(filmRun({ pointsLess: -9 })).join(), /better/);
  assert.match(
    faultsOfPlanted({ ...found, run: { ...found.run, spanMs: promisedMs + 60_000 } }).join(),
    /it took 16\.0 min/,
  );
  assert.match(faultsOfPlanted({ ...found, run: { ...found.run, spanMs: null } }).join(), /it took/);
  assert.match(faultsOfPlanted({ ...found, comparisons: [] }).join(), /0 primary comparisons/);
});

test('an arm against itself is as it should be without an alarm, and where nothing is called the same that was not watched long enough', () => {
  const silent = filmRun({ isAA: true });
  assert.match(silent.firstScreen.headline, /^Self-check: no false alarm/);
  assert.deepEqual(faultsOfItself(silent), []);
  assert.match(faultsOfItself(filmRun({ isAA: true, pointsLess: 9 })).join(), /false alarm, qoeVmaf/);
  assert.match(faultsOfItself(withVerdict(silent, 'qoeVmaf', 'better')).join(), /false alarm, qoeVmaf/);
  assert.match(
    faultsOfItself(withVerdict(silent, 'stallCount', 'equivalent')).join(),
    /called the same without the bound, stallCount/,
  );
  // Six times an hour of play without any stall.
  const watched = filmRun({ isAA: true, playedSeconds: 3600 });
  assert.deepEqual(faultsOfItself(withVerdict(watched, 'stallCount', 'equivalent')), []);
  assert.match(faultsOfItself({ ...silent, comparisons: [] }).join(), /0 primary comparisons/);
});
