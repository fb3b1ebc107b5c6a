import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Environment } from '../../../../src/core/model/environment.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import type { Comparison, Summary } from '../../../../src/core/model/summary.ts';
import { summarySchema } from '../../../../src/core/model/summary.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { armsAA, generateRun } from '../../../support/generated-run.ts';
import type { GeneratedRunOptions } from '../../../support/generated-run.ts';
import { parseArms } from '../../../../src/plan/arms.ts';

const onePage = { workloads: [{ id: 'page-a', kind: 'page' }] } as const;
const oneDownload = { workloads: [{ id: 'download', kind: 'download' }] } as const;
const oneVideo = { workloads: [{ id: 'video', kind: 'video' }] } as const;

function summaryOf(options: GeneratedRunOptions, environment: Environment | null = null): Summary {
  const { plan, records } = generateRun(options);
  return summarySchema.parse(summarise(plan, records, environment, []));
}

function comparisonOf(summary: Summary, metric: string, workload?: string): Comparison {
  const found = summary.comparisons.find(
    (c) => c.metric === metric && (workload === undefined || c.workload === workload),
  );
  assert.ok(found, `no comparison of ${metric}`);
  return found;
}

const withStatus =
  (status: TrialRecord['status'], reason: string, chosen: (record: TrialRecord) => boolean) =>
  (record: TrialRecord): TrialRecord =>
    chosen(record) ? { ...record, status, reason, metrics: {} } : record;

test('pages of which one arm is 8 % slower come out worse, pooled, with the effect inside the interval', () => {
  const summary = summaryOf({ slowdown: { h3: 1.08 } });
  const pooled = comparisonOf(summary, 'pltMs', 'pooled');
  assert.equal(pooled.verdict, 'worse');
  assert.equal(pooled.primary, true);
  assert.equal(pooled.family, 'primary-page');
  const [low, high] = pooled.ratioInterval ?? [0, 0];
  assert.ok(low > 1.03 && low < 1.08 && high > 1.08 && high < 1.13, `${low} … ${high}`);
  const single = comparisonOf(summary, 'pltMs', 'page-a');
  assert.deepEqual([single.primary, single.exploratory], [false, true]);
  assert.match(
    summary.headline.join(' '),
    /2 pages pooled: HTTP\/3 is worse than HTTP\/2: page load time is \d/,
  );
});

test('a faster rate is better, a slower one worse', () => {
  const verdictOf = (slowdown: number): string =>
    comparisonOf(summaryOf({ ...oneDownload, slowdown: { h3: slowdown } }), 'throughputMbps').verdict;
  assert.equal(verdictOf(0.7), 'better');
  assert.equal(verdictOf(1.4), 'worse');
});

test('equal arms with little noise are equivalent', () => {
  const summary = summaryOf({ noise: 0.004 });
  assert.equal(comparisonOf(summary, 'pltMs', 'pooled').verdict, 'equivalent');
  assert.match(
    summary.headline[0] ?? '',
    /equivalent: page load time differs by less than the margin of 3 %/,
  );
});

test('too much noise is inconclusive and says how many blocks would do', () => {
  const summary = summaryOf({ noise: 0.1, slowdown: { h3: 1.1 } });
  const pooled = comparisonOf(summary, 'pltMs', 'pooled');
  assert.equal(pooled.verdict, 'inconclusive');
  assert.ok((pooled.blocksNeeded?.[0] ?? 0) > 8);
  assert.match(summary.headline[0] ?? '', /not decided .* A decision may need .* blocks/);
});

test('the margin of the plan goes before the metric’s own', () => {
  const wide = summaryOf({ slowdown: { h3: 1.08 }, plan: { margins: { pltMs: 0.2 } } });
  assert.equal(comparisonOf(wide, 'pltMs', 'pooled').verdict, 'equivalent');
  assert.equal(comparisonOf(wide, 'pltMs', 'pooled').margin, 0.2);
});

test('an A/A run says so and calibrates itself', () => {
  const summary = summaryOf({ arms: armsAA });
  assert.deepEqual([summary.run.baselineArm, summary.run.candidateArm], ['h2', 'h2#2']);
  assert.match(summary.headline[0] ?? '', /A\/A/);
  assert.ok(summary.calibration);
  assert.ok(summary.comparisons.every(({ verdict }) => verdict !== 'better' && verdict !== 'worse'));
});

test('the browser’s own choice of protocol is compared like any arm', () => {
  const arms = parseArms(['h2', 'auto']);
  assert.match(summaryOf({ arms, noise: 0.004 }).headline[0] ?? '', /own choice of protocol/);
});

test('a single arm is summarised without comparison', () => {
  const summary = summaryOf({ arms: parseArms(['h2']) });
  assert.deepEqual(summary.comparisons, []);
  assert.equal(summary.trials.ok, 16);
  assert.match(summary.headline.join(' '), /One arm only/);
});

test('no record at all: everything is not run and nothing is claimed', () => {
  const summary = summaryOf({ alter: () => undefined });
  assert.deepEqual(summary.trials, { ok: 0, invalid: 0, failed: 0, unsupported: 0, notRun: 32 });
  assert.equal(summary.troubles.length, 32);
  assert.equal(summary.run.complete, false);
  assert.equal(summary.run.startedAt, null);
  assert.deepEqual(summary.headline, ['No trial has been run: there is nothing to compare.']);
  assert.ok(summary.comparisons.every(({ verdict }) => verdict === 'inconclusive'));
});

test('only invalid trials: nothing is claimed and the reason is told', () => {
  const reason = 'https://a.test/x.js came over h2';
  const summary = summaryOf({ alter: withStatus('invalid', reason, () => true) });
  assert.equal(summary.trials.invalid, 32);
  assert.match(summary.headline.join(' '), /None of the 32 trials run is valid.*came over h2/);
  assert.equal(summary.troubles[0]?.reason, reason);
});

test('an unfinished run is called preliminary', () => {
  const summary = summaryOf({ blocks: 12, alter: (record) => (record.blockIndex < 8 ? record : undefined) });
  assert.equal(summary.run.complete, false);
  assert.match(summary.headline[0] ?? '', /Preliminary: 16 of 48 planned trials have not run yet/);
  assert.equal(comparisonOf(summary, 'pltMs', 'pooled').blocks, 8);
});

test('a run that stopped for its budget is complete and says that it ended early', () => {
  const summary = summaryOf({
    blocks: 12,
    alter: (r) =>
      r.blockIndex < 8 ? r : { ...r, status: 'not-run', reason: 'budget', reasonCode: 'budget', metrics: {} },
  });
  assert.equal(summary.run.complete, true);
  assert.equal(summary.trials.notRun, 16);
  assert.match(summary.headline[0] ?? '', /^Stopped at the time limit, with 8 of 12 blocks done\.$/);
});

test('times take the deadline and rates the bytes so far of a trial that reached its deadline', () => {
  const late = (record: TrialRecord): TrialRecord =>
    record.arm === 'h3' && record.blockIndex === 0
      ? {
          ...record,
          status: 'failed',
          reason: 'deadline',
          reasonCode: 'deadline',
          metrics: { deadlineMs: 60_000, bytesSoFar: 75_000_000 },
        }
      : record;
  const page = comparisonOf(summaryOf({ ...onePage, alter: late }), 'pltMs');
  assert.equal(page.values[0]?.[2], 60_000);
  assert.equal(page.blocks, 8);
  assert.ok(
    page.warnings.some((warning) => warning.includes('reached their deadline and enter with the deadline')),
  );
  const download = comparisonOf(summaryOf({ ...oneDownload, alter: late }), 'throughputMbps');
  assert.equal(download.values[0]?.[2], 10);
  const cost = comparisonOf(summaryOf({ ...oneDownload, alter: late }), 'cpuSecondsPerGigabyte');
  assert.deepEqual([cost.values[0]?.[2], cost.blocks], [null, 7]);
  const senseless = (record: TrialRecord): TrialRecord => {
    const altered = late(record);
    return altered === record ? record : { ...altered, metrics: { deadlineMs: -1, bytesSoFar: 1 } };
  };
  const none = comparisonOf(summaryOf({ ...oneDownload, alter: senseless }), 'throughputMbps');
  assert.equal(none.values[0]?.[2], null);
});

test('a failed trial that merely mentions a deadline enters nothing', () => {
  const failed = withStatus(
    'failed',
    'no load event before the deadline',
    (r) => r.arm === 'h3' && r.blockIndex === 0,
  );
  assert.equal(comparisonOf(summaryOf({ ...onePage, alter: failed }), 'pltMs').blocks, 7);
});

test('an arm that seems faster and lost trials is not better: each could have been the slowest', () => {
  const alter = withStatus('invalid', 'h2 seen', (r) => r.arm === 'h3' && r.blockIndex < 3);
  const faster = comparisonOf(summaryOf({ ...onePage, blocks: 12, slowdown: { h3: 0.7 }, alter }), 'pltMs');
  assert.deepEqual([faster.verdict, faster.reason], ['inconclusive', 'unequal losses']);
  assert.deepEqual([faster.worstRank?.lostBaseline, faster.worstRank?.lostCandidate], [0, 3]);
  assert.ok((faster.worstRank?.pBeyondMargin ?? 0) > (faster.pBeyondMargin ?? 1));
  const slower = comparisonOf(summaryOf({ ...onePage, blocks: 12, slowdown: { h3: 1.5 }, alter }), 'pltMs');
  assert.deepEqual([slower.verdict, slower.worstRank?.verdict], ['worse', 'worse']);
});

test('in a pool a lost trial counts with the worst value of its site, and one of many changes little', () => {
  const workloads = Array.from({ length: 6 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const pooled = (lost: (r: TrialRecord) => boolean): Comparison =>
    comparisonOf(
      summaryOf({ workloads, slowdown: { h3: 0.85 }, alter: withStatus('invalid', 'h2 seen', lost) }),
      'pltMs',
      'pooled',
    );
  const one = pooled((r) => r.arm === 'h3' && r.blockIndex === 2 && r.workload === 'page-1');
  assert.deepEqual([one.verdict, one.blocks, one.worstRank?.verdict], ['better', 8, 'better']);
  const many = pooled((r) => r.arm === 'h3' && r.blockIndex % 2 === 0 && Number(r.workload.slice(5)) < 3);
  assert.equal(many.worstRank?.lostCandidate, 12);
  assert.ok((many.worstRank?.ratio ?? 0) > (many.ratio ?? 1), 'against the arm that lost');
});

test('losses of one trial or equal losses in both arms do not', () => {
  for (const lost of [
    (r: TrialRecord) => r.arm === 'h3' && r.blockIndex === 0,
    (r: TrialRecord) => r.blockIndex < 3,
  ]) {
    const alter = withStatus('invalid', 'h2 seen', lost);
    const summary = summaryOf({ ...onePage, blocks: 12, slowdown: { h3: 1.5 }, alter });
    assert.equal(comparisonOf(summary, 'pltMs').verdict, 'worse');
  }
});

test('a metric that only one arm often lacks is not judged', () => {
  const summary = summaryOf({
    ...onePage,
    blocks: 12,
    slowdown: { h3: 0.7 },
    alter: (r) =>
      r.arm === 'h3' && r.blockIndex < 4
        ? { ...r, metrics: Object.assign({}, r.metrics, { lcpMs: null }) }
        : r,
  });
  assert.equal(comparisonOf(summary, 'lcpMs').reason, 'unequal losses');
  assert.equal(comparisonOf(summary, 'pltMs').verdict, 'better');
});

test('a block with fewer than half of its workloads is left out of the pool, with a warning', () => {
  const workloads = Array.from({ length: 10 }, (_, i) => ({ id: `page-${i}`, kind: 'page' as const }));
  const lose = (count: number): Summary =>
    summaryOf({
      workloads,
      alter: withStatus(
        'invalid',
        'h2 seen',
        (r) => r.blockIndex === 3 && Number(r.workload.slice(5)) < count,
      ),
    });
  assert.equal(comparisonOf(lose(5), 'pltMs', 'pooled').blocks, 8);
  const pooled = comparisonOf(lose(6), 'pltMs', 'pooled');
  assert.equal(pooled.blocks, 7);
  assert.ok(pooled.warnings.some((warning) => /1 blocks? left out of the pool.*block 3/.test(warning)));
});

test('the pooled ratio of a block is the geometric mean of its workloads’ ratios', () => {
  const summary = summaryOf({});
  const rowOf = (workload: string): number => {
    const [, baseline, candidate] = comparisonOf(summary, 'pltMs', workload).values[2] ?? [0, null, null];
    return (candidate as number) / (baseline as number);
  };
  assert.ok(Math.abs(rowOf('pooled') - Math.sqrt(rowOf('page-a') * rowOf('page-b'))) < 1e-12);
});

test('a saturated ladder leaves bitrate undecided with its figures', () => {
  const atTop = (record: TrialRecord): TrialRecord => {
    const chunks = record.metrics.chunks?.map((chunk) => ({ ...chunk, bitrateKbps: 200_000 }));
    return chunks === undefined
      ? record
      : { ...record, metrics: Object.assign({}, record.metrics, { chunks }) };
  };
  const bitrate = comparisonOf(summaryOf({ ...oneVideo, alter: atTop }), 'averageChunkBitrateKbps');
  assert.deepEqual([bitrate.verdict, bitrate.reason], ['inconclusive', 'ladder-saturated']);
  assert.deepEqual([bitrate.baseline.n, bitrate.baseline.median], [8, 150_000]);
  const unsaturated = comparisonOf(summaryOf(oneVideo), 'averageChunkBitrateKbps');
  assert.equal(unsaturated.verdict, 'equivalent');
  const onlyOneArm = (record: TrialRecord): TrialRecord => (record.arm === 'h2' ? atTop(record) : record);
  assert.notEqual(
    comparisonOf(summaryOf({ ...oneVideo, alter: onlyOneArm }), 'averageChunkBitrateKbps').reason,
    'ladder-saturated',
  );
});

test('metrics that can be zero are compared by difference', () => {
  const stalls = comparisonOf(summaryOf(oneVideo), 'stallTotalMs');
  assert.deepEqual([stalls.ratio, stalls.difference], [null, 0]);
  assert.ok(stalls.warnings.some((warning) => warning.includes('equal in every block')));
});

test('an exploratory plan establishes nothing: one family by Benjamini–Hochberg', () => {
  const summary = summaryOf({ plan: { exploratory: true }, slowdown: { h3: 1.08 } });
  assert.ok(
    summary.comparisons.every(({ exploratory, family }) => exploratory && family === 'exploratory-page'),
  );
  assert.match(summary.headline[0] ?? '', /Exploratory plan/);
});

test('records that the plan does not name and repeated ones are left out with a warning', () => {
  const { plan, records } = generateRun();
  const stranger = { ...(records[0] as TrialRecord), trialId: 'stranger' };
  const repeated = { ...(records[0] as TrialRecord), status: 'failed' as const };
  const summary = summarise(plan, [...records, stranger, repeated], null, [
    'journal.jsonl: line 7 is damaged',
  ]);
  assert.equal(summary.trials.ok, 32);
  assert.equal(summary.trials.failed, 0);
  assert.deepEqual(
    ['line 7', 'stranger', 'journalled twice'].filter((text) =>
      summary.warnings.some((w) => w.includes(text)),
    ),
    ['line 7', 'stranger', 'journalled twice'],
  );
});

test('the order of the journal changes nothing', () => {
  const { plan, records } = generateRun({ ...oneVideo });
  assert.deepEqual(summarise(plan, records.toReversed(), null, []), summarise(plan, records, null, []));
});

test('different congestion control is a warning, heavier on an impaired network', () => {
  const environment = environmentFixture(['chromium'], ['host']);
  const server = {
    ...environment.servers[0],
    quicCongestionControl: 'New Reno',
    tcpCongestionControl: 'bbr',
  };
  const summary = summaryOf({}, { ...environment, servers: [server as Environment['servers'][number]] });
  assert.ok(summary.warnings.some((warning) => /congestion control differs.*New Reno.*bbr/.test(warning)));
  assert.match(summary.banners?.[0] ?? '', /congestion control differs.*measures the algorithms/);
  const networks = environment.networks.map((network) => ({ ...network, impaired: false }));
  const servers = [server as Environment['servers'][number]];
  assert.equal(summaryOf({}, { ...environment, servers, networks }).banners, undefined);
  const same = { ...server, tcpCongestionControl: 'reno' } as Environment['servers'][number];
  const matched = summaryOf({}, { ...environment, servers: [same] });
  assert.ok(!matched.warnings.some((warning) => warning.includes('congestion control differs')));
});

test('warnings of trials are gathered by kind with the range of their figures, and counted by arm', () => {
  const summary = summaryOf({
    ...oneVideo,
    alter: (r) => ({
      ...r,
      warnings: r.arm === 'h3' ? [`decode-bound: ${r.blockIndex + 30} of 450 frames dropped`] : [],
    }),
  });
  const lines = summary.warnings.filter((warning) => warning.includes('decode-bound'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /8 trials \(8 of h3\): decode-bound: 30 to 37 of 450 frames dropped/);
});

test('timelines of video sessions are kept with chunks and buffer', () => {
  const summary = summaryOf(oneVideo);
  assert.equal(summary.sessions.length, 16);
  assert.equal(summary.sessions[0]?.chunks.length, 8);
  const long = summaryOf({ ...oneVideo, blocks: 300 });
  assert.ok(long.sessions.length < 600 && long.warnings.some((warning) => warning.includes('timelines')));
  assert.equal(long.sessions[0]?.blockIndex, 0);
});

test('the difference in differences finds the protocol that a version made slower', () => {
  const arms = parseArms(['old:h2', 'old:h3', 'new:h2', 'new:h3']);
  const [pooled] = summaryOf({ arms, slowdown: { 'new:h3': 1.2 } }).differenceInDifferences;
  assert.equal(pooled?.metric, 'pltMs');
  assert.equal(pooled.workload, 'pooled');
  assert.equal(pooled.verdict, 'worse');
  assert.ok((pooled.interval?.[0] ?? 0) > 1.1 && (pooled.interval?.[1] ?? 9) < 1.3);
  const alone = summaryOf({ arms, slowdown: { 'new:h3': 1.2 }, noise: 0.004 });
  assert.match(
    alone.headline.at(-1) ?? '',
    /HTTP\/3 alone got worse, the browser over HTTP\/2 did not change/,
  );
  const both = summaryOf({ arms, slowdown: { 'new:h2': 1.2, 'new:h3': 1.2 }, noise: 0.004 });
  assert.equal(both.differenceInDifferences[0]?.verdict, 'equivalent');
  assert.match(both.headline.at(-1) ?? '', /the browser itself got worse, over HTTP\/2 and HTTP\/3 alike/);
  const versions = both.comparisons.filter(({ primary }) => primary);
  assert.deepEqual(
    versions.map(({ candidate, verdict }) => [candidate.arm, verdict]),
    [
      ['new:h2', 'worse'],
      ['new:h3', 'worse'],
    ],
  );
});

test('many conditions are counted in the headline, the surest told in full', () => {
  const networks = Array.from({ length: 6 }, (_, i) => `network-${i}`);
  const { headline } = summaryOf({ ...oneDownload, networks, slowdown: { h3: 1.3 }, blocks: 10 });
  assert.match(
    headline[0] ?? '',
    /^With HTTP\/3 instead of HTTP\/2, your downloads get 2[0-9](\.\d)?( to 2\d)? % lower throughput over all 6 networks\.$/,
  );
  assert.equal(headline.length, 5);
  assert.match(headline[1] ?? '', /network-\d/);
});
