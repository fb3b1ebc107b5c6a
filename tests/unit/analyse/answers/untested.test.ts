import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderChat } from '../../../../reports/chat/render-chat.ts';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { renderMarkdown } from '../../../../reports/markdown/render-markdown.ts';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { metricsOfKind } from '../../../../src/core/metrics/registry.ts';
import { maxHeadlineCharacters } from '../../../../src/core/model/first-screen.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks, settledTracks } from '../../../support/played-tracks.ts';

const film = [{ id: 'film', kind: 'video' }] as const;
const watched = metricsOfKind('video').filter(({ needsPlayedTime }) => needsPlayedTime === true);

/** Sessions that are alike on both sides in all that needs watching, played in these tracks. */
const alike =
  (tracks: readonly string[]) =>
  (record: TrialRecord): TrialRecord => {
    const metrics: TrialMetrics = { ...record.metrics };
    for (const { name, form } of watched) metrics[name] = form === 'ratio' ? 4000 : 60;
    Object.assign(metrics, { stallTotalMs: 0, stallRatio: 0, playedSeconds: 3600 });
    return playedTracks({ ...record, metrics }, tracks);
  };

function summaryOf(tracks: readonly string[], options: GeneratedRunOptions = {}): Summary {
  const { plan, records } = generateRun({
    workloads: film,
    networks: ['4g'],
    blocks: 14,
    alter: alike(tracks),
    ...options,
    plan: { command: 'h2h3 run video --network 4g', primary: { video: 'qoeVmaf' }, ...options.plan },
  });
  return summarise(plan, records, environmentFixture(['chromium'], ['4g']), []);
}

test('where nothing was at risk no metric of stalls or quality is called the same, and each says why', () => {
  assert.ok(watched.length >= 8);
  const verdictsOf = (tracks: readonly string[]): Map<string, string | undefined> =>
    new Map(
      summaryOf(tracks).comparisons.map(({ metric, verdict, reasonCode }) => [metric, reasonCode ?? verdict]),
    );
  const untested = verdictsOf(settledTracks);
  const tested = verdictsOf(changingTracks);
  for (const { name } of watched) {
    assert.equal(untested.get(name), 'nothing-at-risk', name);
    assert.equal(tested.get(name), 'equivalent', name);
  }
  assert.notEqual(untested.get('startupDelayMs'), 'nothing-at-risk');
});

test('headline, chip, answer and next step say so everywhere, and name a harder condition', async () => {
  const summary = summaryOf(settledTracks);
  const { firstScreen, answers } = summary;
  assert.match(firstScreen.headline, /^Nothing was at risk here, /);
  assert.match(firstScreen.detail, /HTTP\/2 never stalled, and kept its track .* could hardly differ\./);
  assert.equal(firstScreen.chips.find(({ about }) => about === 'users')?.text, 'nothing was at risk');
  const [answer] = answers;
  assert.equal(answer?.action, 'measure-harder');
  assert.match(answer.advice, /Nothing was at risk\. .* such as over 4g-crowded\./);
  assert.equal(answer.command, 'h2h3 run video --network 4g-crowded');
  assert.match(answer.sentence, /nothing was at risk/);
  const pages = [
    renderTerminalSummary(summary, { columns: 200, colour: false }),
    renderMarkdown(summary),
    renderChat(summary),
    (await renderHtmlReport(summary)).replaceAll('\u00a0', ' '),
  ];
  for (const page of pages) {
    assert.match(page, /Nothing was at risk here/);
    assert.doesNotMatch(page, /Choose on cost|Same (stalls|QoE|picture|bitrate)/);
  }
});

test('a film that is at risk is the same as before', () => {
  const { firstScreen, answers } = summaryOf(changingTracks);
  assert.match(firstScreen.headline, /^Same QoE score by VMAF/);
  assert.deepEqual([answers[0]?.action, answers[0]?.command], ['either', null]);
});

test('what changed for the worse is told first, although the baseline was at no risk', () => {
  const slower = (record: TrialRecord): TrialRecord => {
    const { metrics } = alike(settledTracks)(record);
    const changed: TrialMetrics = { ...metrics };
    changed['qoeVmaf'] = (record.arm === 'h3' ? 40 : 60) + record.blockIndex / 10;
    return { ...record, metrics: changed };
  };
  const { firstScreen, answers } = summaryOf(settledTracks, { alter: slower });
  assert.doesNotMatch(firstScreen.headline, /at risk/);
  assert.equal(answers[0]?.action, 'do-not');
  assert.match(firstScreen.detail, /could hardly differ/);
});

test('where the CPU is decided it stands with it, and names of any length fit', () => {
  const costly = (record: TrialRecord): TrialRecord => {
    const { metrics } = alike(settledTracks)(record);
    const changed: TrialMetrics = { ...metrics };
    changed['networkingCpuSeconds'] = (record.arm === 'h3' ? 5 : 2) + record.blockIndex / 100;
    return { ...record, metrics: changed };
  };
  const { headline } = summaryOf(settledTracks, { alter: costly }).firstScreen;
  assert.match(
    headline,
    /^Nothing was at risk here, and HTTP\/3 takes 2\.5 times the networking CPU time\.$/,
  );
  assert.ok([...headline].length <= maxHeadlineCharacters);
});
