import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderCard } from '../../../../reports/svg/render-card.ts';
import { renderChat } from '../../../../reports/chat/render-chat.ts';
import { renderHtmlReport } from '../../../../reports/html/render-html-report.ts';
import { renderMarkdown } from '../../../../reports/markdown/render-markdown.ts';
import { renderTerminalSummary } from '../../../../reports/terminal/render-terminal-summary.ts';
import { judgeGate } from '../../../../src/analyse/gate/judge-gate.ts';
import { withGateHeadline } from '../../../../src/analyse/gate/with-gate-headline.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import { maxHeadlineCharacters } from '../../../../src/core/model/first-screen.ts';
import type { TrialMetrics } from '../../../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { armsAA, generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks } from '../../../support/played-tracks.ts';

const video = [{ id: 'film', kind: 'video' }] as const;
const fourPages = ['a', 'b', 'c', 'd'].map((name) => ({ id: `page-${name}`, kind: 'page' }) as const);
const download = [{ id: 'file', kind: 'download' }] as const;

function summaryOf(options: GeneratedRunOptions): Summary {
  const { plan, records } = generateRun(options);
  return summarise(plan, records, environmentFixture(['chromium'], ['host']), []);
}

function gateOf(options: Parameters<typeof generateGateRun>[0], trialsFailed = false): Summary {
  const { plan, records } = generateGateRun(options);
  const environment = environmentFixture(['old', 'new'], ['host']);
  const summary = summarise(plan, records, environment, []);
  return withGateHeadline(summary, judgeGate(plan, records, { environment, trialsFailed }));
}

/** Takes a metric from one arm. */
function without(arm: string, metric: string): (record: TrialRecord) => TrialRecord {
  return (record) => {
    const metrics: TrialMetrics = { ...record.metrics };
    metrics[metric] = null;
    return record.arm === arm ? { ...record, metrics } : record;
  };
}

const noisy = { noise: 0.15, seed: 4 } as const;
const longName = `https://${'a'.repeat(190)}.example/`;
const manyArms = ['h2', ...Array.from({ length: 39 }, (_, i) => `h3+congestion=cc${i}`)];
const versions = ['chromium@148:h2', 'chromium@148:h3', 'chromium@153:h2', 'chromium@153:h3'];
/** Slower in every block, by so different amounts that nothing is decided. */
const slowerByBlock = [0.5, 1, 2, 6, 9, 12];

function perBlock(record: TrialRecord): TrialRecord {
  const metrics: TrialMetrics = { ...record.metrics };
  metrics['cpuSecondsPerGigabyte'] = null;
  metrics['throughputMbps'] = 100 - (record.arm === 'h3' ? (slowerByBlock[record.blockIndex] ?? 1) : 0);
  return { ...record, metrics };
}

function costly(record: TrialRecord): TrialRecord {
  const metrics: TrialMetrics = { ...record.metrics };
  metrics['networkingCpuSeconds'] = (record.arm === 'h3' ? 5 : 2) + record.blockIndex / 100;
  return { ...record, metrics };
}

/** A session of so many seconds without a stall, at risk of one. */
function watched(record: TrialRecord, playedSeconds: number): TrialRecord {
  const metrics: TrialMetrics = { ...record.metrics };
  Object.assign(metrics, { playedSeconds, stallTotalMs: 0 });
  return playedTracks({ ...record, metrics }, changingTracks);
}

/** Stalls, quality and CPU of so different amounts that six blocks decide nothing. */
function allOpen(record: TrialRecord): TrialRecord {
  const metrics: TrialMetrics = { ...costly(record).metrics };
  const swing = record.arm === 'h3' ? ([-9, 7, -5, 8, -6, 4][record.blockIndex] ?? 0) : 0;
  metrics['stallTotalMs'] = 5000 + 400 * swing;
  metrics['averageChunkBitrateKbps'] = 100_000 + 4000 * swing;
  return { ...record, metrics };
}

/** Pages that load faster over HTTP/3, and show their main content later. */
function fasterButLater(record: TrialRecord): TrialRecord {
  const metrics: TrialMetrics = { ...record.metrics };
  metrics['lcpMs'] = (record.arm === 'h3' ? 500 : 300) + record.blockIndex;
  return { ...record, metrics };
}

const cases: Readonly<Record<string, readonly [summary: () => Summary, headline: RegExp]>> = {
  'pages that load slower': [
    () => summaryOf({ slowdown: { h3: 1.24 } }),
    /^Pages load 2\d % slower over HTTP\/3, at 2\d % more networking CPU time\.$/,
  ],
  'pages that load faster': [
    () => summaryOf({ slowdown: { h3: 0.8 } }),
    /^Pages load 2\d % faster over HTTP\/3/,
  ],
  'pages that load faster, which was asked, and are worse in something else': [
    () => summaryOf({ slowdown: { h3: 0.8 }, blocks: 12, alter: fasterButLater }),
    /^Pages load 2\d % faster over HTTP\/3/,
  ],
  'pages that load alike': [() => summaryOf({ noise: 0.004 }), /^Same load time, .* over HTTP\/3/],
  'pages of which nothing is decided': [
    () => summaryOf(noisy),
    /^Load time is not decided after 8 blocks: HTTP\/3 [\d.]+ % faster to \d+ % slower\.$/,
  ],
  'pages of which CPU alone is decided': [
    () => summaryOf({ ...noisy, blocks: 14, alter: costly }),
    /^HTTP\/3 takes 2\.5 times the networking CPU time, but load time is not decided\.$/,
  ],
  'exploratory pages of which CPU alone is decided': [
    () => summaryOf({ ...noisy, blocks: 14, alter: costly, plan: { exploratory: true } }),
    /^A hint: HTTP\/3 takes 2\.5 times the networking CPU time, but load time is not decided\.$/,
  ],
  'aborted pages of which CPU alone is decided': [
    () =>
      summaryOf({
        ...noisy,
        blocks: 18,
        alter: (one) => (one.blockIndex < 14 ? costly(one) : undefined),
      }),
    /^So far: HTTP\/3 takes 2\.5 times the networking CPU time, but load time is not decided\.$/,
  ],
  'a pool of four pages, which a t test judges': [
    () => summaryOf({ ...noisy, blocks: 3, workloads: fourPages }),
    /^No result yet: 3 of the 4 blocks it needs at least\.$/,
  ],
  'default video, slower': [
    () => summaryOf({ workloads: video, slowdown: { h3: 1.3 } }),
    /^Videos get 2\d % lower throughput over HTTP\/3\.$/,
  ],
  'default video, the same for viewers at a higher cost': [
    () => summaryOf({ ...noisy, blocks: 14, workloads: video, alter: (one) => watched(costly(one), 3600) }),
    /^Same stalls and bitrate over HTTP\/3, at 2\.5 times the networking CPU time\.$/,
  ],
  'default video without a stall, which a quarter of an hour does not prove': [
    () => summaryOf({ ...noisy, blocks: 14, workloads: video, alter: (one) => watched(costly(one), 60) }),
    /^Same bitrate over HTTP\/3, at 2\.5 times the networking CPU time\.$/,
  ],
  'video that is asked for its stalls and had none': [
    () =>
      summaryOf({
        ...noisy,
        blocks: 14,
        workloads: video,
        plan: { primary: { video: 'stallTotalMs' } },
        alter: (one) => {
          const metrics: TrialMetrics = { ...watched(one, 60).metrics };
          metrics['averageChunkBitrateKbps'] = null;
          return { ...one, metrics };
        },
      }),
    /^No stall in 14 minutes of play on either side: fewer than 13 an hour\.$/,
  ],
  'downloads that are twelve times as fast': [
    () => summaryOf({ workloads: download, slowdown: { h3: 1 / 12 } }),
    /^Downloads get 12 times the throughput over HTTP\/3, at 9\d % less CPU per gigabyte\.$/,
  ],
  'downloads that were slower in all blocks': [
    () => summaryOf({ workloads: download, blocks: 5, alter: perBlock }),
    /^No result yet: 5 of the 6 blocks it needs at least\.$/,
  ],
  'downloads that were slower in all of enough blocks': [
    () =>
      summaryOf({
        workloads: download,
        blocks: 6,
        alter: perBlock,
      }),
    /^HTTP\/3 was lower in throughput in all 6 blocks( \([\d.]+ to \d+ %\))?, not decided yet\.$/,
  ],
  'several kinds': [
    () => summaryOf({ workloads: [...video, ...download], slowdown: { h3: 1.3 } }),
    /^Videos get 2\d % lower throughput, downloads get 2\d % lower throughput over HTTP\/3\.$/,
  ],
  'three players over one protocol, which is no name of any': [
    () =>
      summaryOf({
        workloads: download,
        arms: parseArms(['h3+player=dashjs@5', 'h3+player=hlsjs', 'h3+player=shaka']),
        slowdown: { 'h3+player=hlsjs': 1.3, 'h3+player=shaka': 1.6 },
      }),
    /^Downloads get 2\d % lower throughput played by hls\.js, 3\d % played by Shaka Player\.$/,
  ],
  'several networks': [
    () => summaryOf({ workloads: download, networks: ['a', 'b', 'c'], slowdown: { h3: 1.3 } }),
    /^Downloads get 2\d( to 2\d)? % lower throughput over HTTP\/3/,
  ],
  'gate failed': [
    () => gateOf({ slowdown: { 'new:h3': 1.25 } }),
    /^Gate failed: pages load 2\d % slower over HTTP\/3 in new, HTTP\/2 is unchanged\.$/,
  ],
  'gate passed': [() => gateOf({}), /^Gate passed: load time is not worse\.$/],
  'gate not decided': [
    () => gateOf({ noise: 0.3 }),
    /^Gate not decided: no regression shown, estimated (\d+(\.\d+)? % (slower|faster)|unchanged), (up to )?\d+ %( slower)?( is)? possible\.$/,
  ],
  'gate that was killed before its end': [
    () => gateOf({ slowdown: { 'new:h3': 1.25 }, alter: (one) => (one.blockIndex < 17 ? one : undefined) }),
    /^Gate failed so far: pages load 2\d % slower over HTTP\/3 in new, HTTP\/2 is unchanged\.$/,
  ],
  'gate that was killed before its first look': [
    () => gateOf({ noise: 0.3, alter: (one) => (one.blockIndex < 8 ? one : undefined) }),
    /^Gate not decided: no regression shown( in 8 of 20 blocks)?, estimated .+ % (slower|faster), (up to )?\d+ %( slower)?( is)? possible\.$/,
  ],
  'gate with a lost arm': [
    () =>
      gateOf({
        alter: (one) => (one.arm === 'new:h3' ? { ...one, status: 'unsupported', reason: 'x' } : one),
      }),
    /^Gate not decided without HTTP\/3 in new: no regression shown, but load time is not decided\.$/,
  ],
  'gate that lost too many trials': [
    () =>
      gateOf(
        { alter: (one) => (one.arm === 'new:h3' ? { ...one, status: 'failed', reason: 'x' } : one) },
        true,
      ),
    /^Gate failed: no valid trial of HTTP\/3 in new\.$/,
  ],
  'gate without a valid trial': [
    () => gateOf({ alter: (one) => ({ ...one, status: 'failed', reason: 'x' }) }, true),
    /^Gate failed: no result: none of 160 trials is valid\.$/,
  ],
  'A/A': [() => summaryOf({ arms: armsAA }), /^Self-check: no false alarm in \d+ comparisons\.$/],
  versions: [
    () =>
      summaryOf({
        arms: parseArms(versions),
        blocks: 12,
        slowdown: { 'chromium@153:h3': 1.2 },
      }),
    /^Pages load [12]\d % slower over HTTP\/3 in Chromium 153, HTTP\/2 is (unchanged|not decided)\.$/,
  ],
  exploratory: [
    () => summaryOf({ slowdown: { h3: 1.2 }, plan: { exploratory: true } }),
    /^A hint: pages load \d+ % slower over HTTP\/3/,
  ],
  aborted: [
    () =>
      summaryOf({
        slowdown: { h3: 1.2 },
        blocks: 12,
        alter: (one) => (one.blockIndex < 9 ? one : undefined),
      }),
    /^So far: pages load \d+ % slower over HTTP\/3/,
  ],
  'one block': [() => summaryOf({ blocks: 1 }), /^No result yet: 1 of the 6 blocks it needs at least\.$/],
  'no trial': [() => summaryOf({ alter: () => undefined }), /^No trial has run yet\.$/],
  'no valid trial': [
    () => summaryOf({ alter: (one) => ({ ...one, status: 'invalid', reason: 'x' }) }),
    /^No result: none of 32 trials is valid\.$/,
  ],
  'one arm lost': [
    () => summaryOf({ alter: (one) => (one.arm === 'h3' ? { ...one, status: 'failed', reason: 'x' } : one) }),
    /^No result: HTTP\/3 has no valid trial to compare\.$/,
  ],
  'one arm only': [
    () => summaryOf({ arms: parseArms(['h3']) }),
    /^HTTP\/3 alone was measured, and compared with nothing\.$/,
  ],
  'forty arms': [
    () =>
      summaryOf({
        arms: parseArms(manyArms),
        blocks: 12,
        workloads: download,
        slowdown: { [manyArms[3] ?? '']: 1.6 },
      }),
    /^Downloads get [34]\d % lower throughput .*, 38 others: |^Throughput is worse in 1 of 39 comparisons/,
  ],
  'three servers, alike': [
    () =>
      summaryOf({
        arms: parseArms(['go', 'caddy', 'nginx', 'envoy'].map((server) => `h3+server=${server}`)),
      }),
    /^Load time is (?:the same in all|not decided in any of) 3 comparisons\.$/,
  ],
  'a metric that one arm alone has': [
    () =>
      summaryOf({
        workloads: download,
        slowdown: { h3: 1.3 },
        alter: without('h2', 'cpuSecondsPerGigabyte'),
      }),
    /^Downloads get 2\d % lower throughput over HTTP\/3\.$/,
  ],
  'the primary metric in one arm alone': [
    () => summaryOf({ workloads: download, alter: without('h2', 'throughputMbps') }),
    /^HTTP\/3 takes the same CPU per gigabyte\.$/,
  ],
  'names of 200 characters': [
    () =>
      summaryOf({ arms: parseArms(['h2', `h3+url=${longName}`]), slowdown: { [`h3+url=${longName}`]: 1.3 } }),
    /^Pages load [23]\d % slower with HTTP\/3 from https:\/\/a+…/,
  ],
  'titles from right to left': [
    () =>
      summaryOf({
        slowdown: { h3: 1.3 },
        plan: { workloads: [{ id: 'page-a', kind: 'page', title: 'דף הבית' }] },
      }),
    /^“דף הבית” loads [23]\d\d ms \([23]\d %\) slower over HTTP\/3/,
  ],
};

for (const [name, [make, expected]] of Object.entries(cases))
  test(`the headline of ${name} follows from its verdicts, and hides nothing that is decided`, () => {
    const { firstScreen, answers, comparisons } = make();
    const { headline, chips, picture } = firstScreen;
    assert.match(headline, expected);
    assert.ok([...headline].length <= maxHeadlineCharacters, `${headline.length} characters: ${headline}`);
    assert.deepEqual(
      chips.map(({ about }) => about),
      ['users', 'cpu', 'trust'],
    );
    assert.ok(picture.length <= 5 && picture.every((place) => comparisons[place] !== undefined));
    const words = [headline, ...answers.map(({ advice }) => advice)].join(' ');
    assert.doesNotMatch(words, /nothing to act on/i);
    const isDecided = comparisons.some(
      ({ primary, verdict }) => primary && (verdict === 'better' || verdict === 'worse'),
    );
    if (isDecided && name !== 'A/A') assert.doesNotMatch(headline, /^No result|^Load time is not/);
  });

test('report, title, card, chat, comment and terminal begin with the same sentence and draw the same rows', async () => {
  const summary = summaryOf({ slowdown: { h3: 1.24 } });
  const { headline } = summary.firstScreen;
  const page = (await renderHtmlReport(summary)).replaceAll('\u00a0', ' ');
  assert.match(page, new RegExp(`<h1 id="headline"[^>]*>${headline.replaceAll('.', '\\.')}</h1>`));
  assert.ok(page.includes(`<title>${headline}`));
  const card = renderCard(summary);
  assert.ok(card.includes(`<title>${headline}</title>`));
  assert.equal((JSON.parse(renderChat(summary)) as { text: string }).text, headline);
  assert.ok(renderMarkdown(summary).startsWith(`### ${headline}`));
  const shown = renderTerminalSummary(summary, { columns: 200, colour: false });
  assert.ok(shown.trimStart().startsWith(headline), shown);
  const effects = (svg: string): string[] =>
    [...svg.matchAll(/class="db-effect">([^<]*)</g)].map(([, text = '']) => text);
  const [picture = ''] = /<svg class="dumbbell"[^]*?<\/svg>/.exec(page) ?? [];
  assert.equal(effects(picture).length, summary.firstScreen.picture.length);
  assert.deepEqual(effects(card), effects(picture));
  const drawn = shown.split('\n').filter((line) => line.includes('○') && !line.includes('interval'));
  assert.deepEqual(
    drawn.map((line) => /[▲▼≈◆?] .*$/.exec(line)?.[0].replaceAll('\u00a0', ' ')),
    effects(picture).map((effect) => effect.replaceAll('\u00a0', ' ')),
  );
  assert.ok(page.indexOf('<svg class="dumbbell"') < page.indexOf('<script>'), 'the picture needs no script');
});

test('CPU that was higher in every block is told below a headline that decides nothing', () => {
  const { firstScreen } = summaryOf({ ...noisy, blocks: 6, workloads: video, alter: allOpen });
  assert.match(firstScreen.headline, /not decided/);
  assert.match(
    firstScreen.detail,
    /Networking CPU time was higher in all 6 blocks \(\d+ %\), not decided yet\./,
  );
});

test('the picture has a row of what the headline says, however many primary comparisons there are', () => {
  const films = ['a', 'b'].map((name) => ({ id: `film-${name}`, kind: 'video' }) as const);
  const { firstScreen, comparisons } = summaryOf({
    workloads: [...films, ...fourPages],
    blocks: 16,
    alter: (record) => {
      if (record.workload !== 'film-b' || record.arm !== 'h3') return record;
      const metrics: TrialMetrics = { ...record.metrics };
      metrics['averageChunkBitrateKbps'] = 90_000 + record.blockIndex;
      return { ...record, metrics };
    },
  });
  assert.match(firstScreen.headline, /^Videos play at \d+ % lower bitrate over HTTP\/3 for 1 of 2 videos\.$/);
  const shown = firstScreen.picture.map((place) => comparisons[place]?.metric);
  assert.ok(shown.includes('averageChunkBitrateKbps'), shown.join(', '));
  assert.ok(shown.length <= 5);
});

test('the chip of CPU says the whole client’s time first, then that of its networking', () => {
  const cpuChip = (client: number, networking: number): string | undefined => {
    const alter = (record: TrialRecord): TrialRecord => {
      const metrics: TrialMetrics = { ...record.metrics };
      const factorOf = (factor: number): number =>
        (record.arm === 'h3' ? factor : 1) + record.blockIndex / 1000;
      metrics['cpuSeconds'] = 2 * factorOf(client);
      metrics['networkingCpuSeconds'] = factorOf(networking);
      return { ...record, metrics };
    };
    const { firstScreen } = summaryOf({ ...noisy, blocks: 14, workloads: download, alter });
    return firstScreen?.chips.find(({ about }) => about === 'cpu')?.text;
  };
  assert.equal(cpuChip(1.27, 1.71), '27 % more, networking 1.7 times as much');
  assert.equal(cpuChip(1, 1.71), 'the same, networking 1.7 times as much');
});

test('users are better by what the plan asked, not by a secondary metric', () => {
  const usersOf = (summary: Summary): string =>
    summary.firstScreen.chips.find(({ about }) => about === 'users')?.text ?? '';
  assert.equal(usersOf(summaryOf({ slowdown: { h3: 0.8 }, blocks: 12, alter: fasterButLater })), 'better');
});
