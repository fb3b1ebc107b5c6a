import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import { summaryOf } from '../../../../src/app/report/recorded-summary.ts';
import { withResume } from '../../../../src/app/judge/with-resume.ts';
import { reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks } from '../../../support/played-tracks.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const film = [{ id: 'video-streaming-1080p-2s-dynamic', kind: 'video' }] as const;
const sessionMs = 63_000;

/** A run of the preset `video` that a budget of five minutes ended after so many of its six blocks. */
function endedAfter(t: TestContext, blocks: number): Summary {
  let begun = 0;
  const alter = (record: TrialRecord): TrialRecord => {
    if (record.blockIndex >= blocks)
      return { ...record, status: 'not-run', ...writtenReason(reasonOf('budget')), metrics: {} };
    const played = playedTracks(record, changingTracks);
    const metrics: TrialMetrics = { ...played.metrics };
    Object.assign(metrics, {
      qoeVmaf: 70 + begun,
      meanVmaf: 74 + begun,
      timeWeightedBitrateKbps: 3000 + 100 * begun,
      stallRatio: 0,
    });
    const startedAt = new Date(Date.UTC(2026, 0, 1) + begun * sessionMs).toISOString();
    begun += 1;
    return { ...played, startedAt, durationMs: sessionMs, metrics };
  };
  const { plan, records } = generateRun({
    workloads: film,
    networks: ['4g-crowded'],
    blocks: 6,
    alter,
    plan: { name: 'video', primary: { video: 'qoeVmaf' }, interims: [6], pooled: {} },
  });
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  records.forEach((record) => directory.append(record));
  const summary = summaryOf(directory);
  return { ...summary, answers: [...withResume(directory, summary.answers)] };
}

for (const [blocks, minutes, bound] of [
  [1, 'about 11 min', '1 minute of play on either side: fewer than 180 an hour'],
  [2, 'about 8 min', '2 minutes of play on either side: fewer than 90 an hour'],
] as const)
  test(`after five minutes of bench:video, with ${blocks} of 6 blocks, the first screen says what was seen, what is bounded and how long until it is decided`, (t) => {
    const summary = endedAfter(t, blocks);
    const { headline, detail, chips } = summary.firstScreen;
    assert.equal(headline, `No result yet: ${blocks} of the 6 blocks it needs at least.`);
    assert.ok(detail.includes(`No stall in ${bound}.`), detail);
    assert.equal(chips.find(({ about }) => about === 'users')?.text, 'not decided');
    const text = renderTerminalSummary(summary, { columns: 200, colour: false });
    assert.match(text, /What viewers got[^]*HTTP\/2: 3(\.\d+)? Mbit\/s, no stall in \d min, .*VMAF 7\d/);
    assert.match(text, new RegExp(`Next \\(${minutes}\\): .* not decided\\. More blocks may decide it\\.`));
    assert.match(text, /npx h2h3 run --resume \S+ --budget \d+m/);
    for (const { verdict } of summary.comparisons) assert.equal(verdict, 'inconclusive');
  });
