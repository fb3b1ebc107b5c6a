import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns } from '../../../../src/analyse/compare-runs/compare-runs.ts';
import { noiseBetweenRuns } from '../../../../src/analyse/between-runs/between-run-noise.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Audience } from '../../../../src/core/model/audience.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { RunComparison } from '../../../../src/core/model/run-comparison.ts';
import { runComparisonSchema } from '../../../../src/core/model/run-comparison.ts';
import { reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';
import type { Summary } from '../../../../src/core/model/summary.ts';
import { audienceFixture } from '../../../support/audience-fixture.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { changingTracks, playedTracks, settledTracks } from '../../../support/played-tracks.ts';

const environment = environmentFixture(['chromium'], ['host']);

function summaryOf(options: Parameters<typeof generateRun>[0]): Summary {
  const { plan, records } = generateRun({ noise: 0.01, ...options });
  return summarise(plan, records, environment, []);
}

/** Five quiet runs of the same thing: what runs differ by without any reason. */
const known = noiseBetweenRuns([11, 12, 13, 14, 15].map((seed) => summaryOf({ seed }).comparisons));

function compared(a: Summary, b: Summary, noise = known): RunComparison {
  return compareRuns({ folder: 'a', summary: a }, { folder: 'b', summary: b }, noise);
}

function refusals({ differences }: RunComparison): string[] {
  return differences.filter(({ refuses }) => refuses).map(({ what }) => what);
}

test('a gap that grew is worse, and so is the arm that moved; the other arm is the same', () => {
  const result = compared(summaryOf({ seed: 1 }), summaryOf({ seed: 2, slowdown: { h3: 1.2 } }));
  runComparisonSchema.parse(result);
  const [gap] = result.contrasts.filter(({ what, primary }) => what === 'gap' && primary);
  assert.equal(gap?.verdict, 'worse');
  assert.ok((gap?.ratio ?? 0) > 1.15 && (gap?.ratio ?? 0) < 1.25);
  const level = (arm: string): string | undefined =>
    result.contrasts.find(
      ({ what, arms, metric, workload }) =>
        what === 'level' && arms[0] === arm && metric === 'pltMs' && workload === 'page-a',
    )?.verdict;
  assert.equal(level('h3'), 'worse');
  assert.equal(level('h2'), 'equivalent');
  assert.deepEqual(refusals(result), []);
  assert.match(
    result.headline[0] ?? '',
    /HTTP\/3 got (1[5-9]|2\d) % slower from run A to run B, compared with HTTP\/2/,
  );
  assert.match(result.caution, /weaker evidence than a paired run/);
});

test('a machine that slowed both arms alike moves the arms and not the gap', () => {
  const slower = summaryOf({ seed: 2, slowdown: { h2: 1.3, h3: 1.3 } });
  const { contrasts } = compared(summaryOf({ seed: 1 }), slower);
  const primary = contrasts.filter((one) => one.what === 'gap' && one.primary);
  assert.ok(primary.length > 0 && primary.every(({ verdict }) => verdict === 'equivalent'));
  const levels = contrasts.filter(({ what, metric }) => what === 'level' && metric === 'pltMs');
  assert.ok(levels.length === 4 && levels.every(({ verdict }) => verdict === 'worse'));
});

test('another machine, site set or network is a reason to refuse; another browser version is named', () => {
  const a = summaryOf({ seed: 1 });
  const machine = { ...environment.machine, cpuModel: 'Other CPU' };
  assert.deepEqual(refusals(compared(a, { ...a, environment: { ...environment, machine } })), ['machine']);
  assert.deepEqual(refusals(compared(a, { ...a, environment: null })).slice(0, 1), ['machine']);
  const sites = summaryOf({ seed: 2, workloads: [{ id: 'page-a', kind: 'page' }] });
  assert.deepEqual(refusals(compared(a, sites)), ['workloads']);
  const networks = environment.networks.map((network) => ({ ...network, description: 'another path' }));
  assert.deepEqual(refusals(compared(a, { ...a, environment: { ...environment, networks } })), [
    'network host',
  ]);
  const clients = environment.clients.map((client) => ({ ...client, version: '999.0' }));
  const newer = compared(a, { ...a, environment: { ...environment, clients } });
  assert.deepEqual(refusals(newer), []);
  assert.deepEqual(
    newer.differences.map(({ what }) => what),
    ['client chromium'],
  );
});

test('a run of another browser meets its counterpart where each run has one only', () => {
  const a = summaryOf({ seed: 1 });
  const b = summaryOf({ seed: 2 });
  const renamed = b.comparisons.map((comparison) => ({ ...comparison, client: 'firefox' }));
  assert.ok(compared(a, { ...b, comparisons: renamed }).contrasts.length > 10);
});

test('losses veto, gaps in the data are no error, and nothing in common is refused with the arms named', () => {
  const a = summaryOf({ seed: 1 });
  const vetoed = a.comparisons.map((one) => ({ ...one, ...writtenReason(reasonOf('unequal-losses')) }));
  const { contrasts } = compared(a, { ...a, comparisons: vetoed });
  assert.ok(
    contrasts.every(
      ({ verdict, reason, reasonCode }) =>
        verdict === 'inconclusive' && reason === 'unequal losses in run B' && reasonCode === 'unequal-losses',
    ),
  );
  const empty = a.comparisons.map((one) => ({ ...one, values: [] }));
  const nothing = compared(a, { ...a, comparisons: empty });
  assert.ok(nothing.contrasts.every(({ reason }) => reason === 'one of the runs has no value'));
  assert.throws(
    () => compared(a, { ...a, comparisons: [] }),
    (error) => error instanceof H2h3Error && error.code === 'bad-input',
  );
  const elsewhere = a.comparisons.map((one) => ({ ...one, network: 'cable' }));
  assert.throws(
    () => compared(a, { ...a, comparisons: elsewhere }),
    (error) =>
      error instanceof H2h3Error &&
      /^networks \S+$/.test(String(error.context['expected'])) &&
      error.context['got'] === 'networks cable',
  );
});

test('without a variance between runs there are figures and no verdict, and how to get one is said', () => {
  const { contrasts, warnings } = compared(
    summaryOf({ seed: 1 }),
    summaryOf({ seed: 2, slowdown: { h3: 1.5 } }),
    [],
  );
  assert.ok(contrasts.every(({ verdict }) => verdict === 'inconclusive'));
  assert.ok(contrasts.every(({ pValue }) => pValue === null));
  assert.ok(contrasts.some(({ ratio }) => (ratio ?? 1) > 1.4));
  assert.match(warnings.join(' '), /h2h3 calibrate/);
});

test('two runs without a stall are called alike only if their sessions were long, and enough was watched', () => {
  const stallsOf = (playedSeconds: number): string | undefined => {
    const sessionsOf = (seed: number): Summary =>
      summaryOf({
        seed,
        workloads: [{ id: 'video-a', kind: 'video' }],
        alter: (record) => ({ ...record, metrics: { stallCount: 0, playedSeconds } }),
      });
    const noise = noiseBetweenRuns([11, 12, 13, 14, 15].map((seed) => sessionsOf(seed).comparisons));
    const { contrasts } = compared(sessionsOf(1), sessionsOf(2), noise);
    const stalls = contrasts.filter(({ what, metric }) => what === 'level' && metric === 'stallCount');
    assert.equal(stalls.length, 2);
    const [first] = stalls;
    return first?.verdict === 'equivalent' ? 'equivalent' : first?.reasonCode;
  };
  assert.equal(stallsOf(12), 'sessions-too-short');
  assert.equal(stallsOf(60), 'too-little-exposure');
  assert.equal(stallsOf(3600), 'equivalent');
});

test('two runs in which nothing was at risk are not called alike in stalls', () => {
  const verdictOf = (tracks: readonly string[]): string | undefined => {
    const sessionsOf = (seed: number): Summary =>
      summaryOf({
        seed,
        workloads: [{ id: 'video-a', kind: 'video' }],
        alter: (record) => {
          const played = playedTracks(record, tracks);
          Object.assign(played.metrics, { playedSeconds: 3600 });
          return played;
        },
      });
    const noise = noiseBetweenRuns([11, 12, 13, 14, 15].map((seed) => sessionsOf(seed).comparisons));
    const { contrasts } = compared(sessionsOf(1), sessionsOf(2), noise);
    const stalls = contrasts.find(({ what, metric }) => what === 'level' && metric === 'stallCount');
    return stalls?.reasonCode ?? stalls?.verdict;
  };
  assert.equal(verdictOf(settledTracks), 'nothing-at-risk');
  assert.equal(verdictOf(changingTracks), 'equivalent');
});

/** A run for users of these shares, each segment with a gap of its own. */
function forUsers(seed: number, users: Audience): Summary {
  return summaryOf({
    seed,
    workloads: [{ id: 'page-a', kind: 'page' }],
    networks: users.conditions.map(({ network }) => network),
    plan: { audience: users },
    alter: (record) => {
      const isFar = record.network === users.conditions[0]?.network && record.arm === 'h3';
      const { pltMs = 0 } = record.metrics;
      return {
        ...record,
        metrics: Object.assign({}, record.metrics, { pltMs: Number(pltMs) * (isFar ? 1.4 : 1) }),
      };
    },
  });
}

test('runs for unlike users have no verdict for all of them, and the shares are among what differs', () => {
  const even = audienceFixture([0.5, 0.5]);
  const uneven = audienceFixture([0.7, 0.3]);
  const noise = noiseBetweenRuns([21, 22, 23, 24].map((seed) => forUsers(seed, even).comparisons));
  const primaryOf = (b: Summary): RunComparison['contrasts'][number] | undefined =>
    compared(forUsers(1, even), b, noise).contrasts.find(({ what, primary }) => what === 'gap' && primary);
  const alike = primaryOf(forUsers(2, even));
  assert.deepEqual([alike?.network, alike?.verdict], ['audience', 'equivalent']);
  const unlike = primaryOf(forUsers(2, uneven));
  assert.deepEqual([unlike?.verdict, unlike?.reasonCode], ['inconclusive', 'audiences-differ']);
  const result = compared(forUsers(1, even), forUsers(2, uneven), noise);
  assert.deepEqual(refusals(result), ['audience']);
  const shares = result.differences.find(({ what }) => what === 'audience');
  assert.match(shares?.a ?? '', /^50\.00 % 20 ms at 50 Mbit\/s down and 10 up; 50\.00 % 40 ms/);
  assert.match(shares?.b ?? '', /^70\.00 % 20 ms/);
  const renamed = compared(forUsers(1, even), forUsers(2, { ...even, source: 'newer.csv' }), noise);
  assert.deepEqual(refusals(renamed), []);
  assert.deepEqual(
    renamed.differences.map(({ what }) => what),
    ['file of the audience'],
  );
});
