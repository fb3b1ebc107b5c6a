import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSpecs } from '../../../../harness/network/registry.ts';
import {
  equalFirstFlight,
  interventions,
  interventionsFor,
} from '../../../../src/analyse/diagnosis/interventions.ts';
import { withInterventions } from '../../../../src/analyse/diagnosis/judge-intervention.ts';
import type { Factors } from '../../../../src/core/model/factor.ts';
import type { Diagnosis } from '../../../../src/core/model/diagnosis.ts';
import { networkSpecSchema } from '../../../../src/core/model/network-spec.ts';
import { seededRandom } from '../../../../src/core/model/seeded-random.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { armsH2H3, gaussian, generateRun } from '../../../support/generated-run.ts';

const halfCpu = interventions.filter(({ id }) => id === 'half-cpu');

function explained(workload: string, metric: string, stage: string): Diagnosis {
  const part = { cause: 'a cause', stage, ms: 100, interval: null, evidence: '', confirmed: false };
  const place = { workload, metric, client: 'chromium', network: 'host', server: 'caddy' };
  return {
    ...place,
    baselineArm: 'h2',
    candidateArm: 'h3',
    differenceMs: 110,
    timed: { differenceMs: 110, interval: [100, 120], blocks: 8 },
    parts: [part],
    unexplainedMs: 10,
    stages: [],
  };
}

/** Baseline 300 ms, candidate 400 ms; with half the CPU the candidate takes `addedMs` more than the baseline does. */
function experiment(addedMs: number, seed: number, lost: readonly string[] = [], differenceMs = 100) {
  const random = seededRandom(seed);
  const arms = [...armsH2H3, ...parseArms(['h2+cpu=50%', 'h3+cpu=50%'])];
  const times: Record<string, number> = {
    h2: 300,
    h3: 300 + differenceMs,
    'h2+cpu=50%': 350,
    'h3+cpu=50%': 350 + differenceMs + addedMs,
  };
  const run = generateRun({
    arms,
    blocks: 6,
    workloads: [{ id: 'download-10mb', kind: 'download' }],
    alter: (record) =>
      lost.includes(record.trialId)
        ? undefined
        : { ...record, metrics: { totalRequestTimeMs: (times[record.arm] ?? 0) + 8 * gaussian(random) } },
  });
  return halfCpu.map((intervention) => ({ intervention, ...run }));
}

const download = explained('download-10mb', 'totalRequestTimeMs', 'receiverCpu');

test('a cause is confirmed when the difference follows its change', () => {
  const runs = Array.from({ length: 100 }, (_, seed) =>
    withInterventions([download], experiment(100, seed + 1), 0.95),
  );
  const confirmed = runs.filter(([one]) => one?.parts[0]?.confirmed === true);
  assert.ok(confirmed.length >= 95, `${confirmed.length} of 100`);
  const [result] = runs[0]?.[0]?.parts[0]?.interventions ?? [];
  assert.equal(result?.setting, 'cpu=50%');
  // 100 of 110 ms, of the 100 or so by which these blocks differ.
  assert.ok(Math.abs(result.expectedMs - (100 / 110) * result.differenceMs) < 1e-9);
  assert.ok(Math.abs(result.changeMs - 100) < 30);
  assert.ok(Math.abs(result.alteredDifferenceMs - result.differenceMs - result.changeMs) < 1e-9);
});

test('what viewers wait for is start-up and stalls together, which no record has as one', () => {
  const video = explained('video-ci-2s', 'viewerWaitMs', 'receiverCpu');
  const asVideo = experiment(100, 3).map(({ intervention, plan, records }) => ({
    intervention,
    plan: {
      ...plan,
      conditions: plan.conditions.map((condition) => ({ ...condition, workload: 'video-ci-2s' })),
      workloads: plan.workloads.map((workload) => ({
        ...workload,
        id: 'video-ci-2s',
        kind: 'video' as const,
      })),
    },
    records: records.map((record) => ({
      ...record,
      workload: 'video-ci-2s',
      metrics: { startupDelayMs: 100, stallTotalMs: Number(record.metrics['totalRequestTimeMs']) - 100 },
    })),
  }));
  const [result] = withInterventions([video], asVideo, 0.95)[0]?.parts[0]?.interventions ?? [];
  assert.ok(result && Math.abs(result.changeMs - 100) < 30, JSON.stringify(result));
});

test('a cause is not confirmed when the difference stays, or goes the other way', () => {
  for (const addedMs of [0, -100]) {
    const runs = Array.from({ length: 100 }, (_, seed) =>
      withInterventions([download], experiment(addedMs, seed + 1), 0.95),
    );
    const confirmed = runs.filter(([one]) => one?.parts[0]?.confirmed === true);
    assert.ok(confirmed.length <= 5, `${confirmed.length} of 100 at ${addedMs} ms`);
    assert.equal(runs[0]?.[0]?.parts[0]?.interventions?.length, 1, 'what was tried is told');
  }
});

test('what is expected is a share of the difference as it is in these blocks', () => {
  const half = withInterventions([download], experiment(40, 5, [], 50), 0.95);
  assert.equal(half[0]?.parts[0]?.confirmed, true, 'half the difference, and it follows');
  const none = withInterventions([download], experiment(40, 5, [], 0), 0.95);
  assert.equal(none[0]?.parts[0]?.confirmed, false, 'where the arms are alike nothing can follow');
  assert.equal(none[0]?.parts[0]?.interventions?.length, 1, 'what was tried is told');
});

test('a small change does not confirm a large part', () => {
  const [one] = withInterventions([download], experiment(30, 7), 0.95);
  assert.equal(one?.parts[0]?.confirmed, false);
});

test('parts that an experiment does not act upon, and runs with too few whole blocks, say nothing', () => {
  const other = explained('download-10mb', 'totalRequestTimeMs', 'linkFull');
  const [untouched] = withInterventions([other], experiment(100, 1), 0.95);
  assert.equal(untouched?.parts[0]?.interventions, undefined);
  const lost = [3, 4, 5].map((block) => `b${block}-download-10mb-host-h2-cpu-50`);
  const [short] = withInterventions([download], experiment(100, 1, lost), 0.95);
  assert.equal(short?.parts[0]?.interventions, undefined);
});

test('what is proposed fits the parts and the link', () => {
  const path = (delayMs: number, lossPercent: number, offloads = false) =>
    networkSpecSchema.parse({
      id: 'n',
      title: 'n',
      source: 'a test',
      offloads,
      up: { rateMbps: 10, queueBytes: 50_000, delayMs, lossPercent },
      down: { rateMbps: 10, queueBytes: 50_000, delayMs, lossPercent },
    });
  const ids = (stage: string, network: ReturnType<typeof path> | undefined, common: Factors = {}) =>
    interventionsFor(explained('x', 'pltMs', stage), network, common).map(
      ({ intervention, value }) => `${intervention.id} ${value}`,
    );
  assert.deepEqual(ids('connection', path(20, 0)), ['double-delay delay=+100%']);
  assert.deepEqual(ids('connection', path(0, 0)), []);
  assert.deepEqual(ids('windowWait', path(20, 1)), ['no-loss loss=-1%', 'no-priorities off', 'bbr bbr']);
  assert.deepEqual(ids('receiverCpu', path(0, 0, true)), [
    'half-cpu 50%',
    'no-offloads off',
    'small-mtu 1280',
  ]);
  assert.deepEqual(ids('receiverCpu', undefined), ['half-cpu 50%']);
  assert.deepEqual(ids('linkFull', path(20, 1)), ['small-mtu 1280']);
  assert.deepEqual(ids('queueing', path(20, 1)), []);
  assert.deepEqual(ids('receiverCpu', undefined, { cpu: '40%' }), ['half-cpu 20%', 'twice-cpu 80%']);
  assert.deepEqual(ids('processing', undefined, { cpu: '8%' }), ['twice-cpu 16%'], 'no less than 5 %');
  assert.deepEqual(ids('linkFull', path(20, 0), { mtu: '1280' }), ['full-mtu 1500']);
  assert.deepEqual(ids('windowWait', path(20, 0), { tcpbuffers: '64kb' }), [
    'large-buffers 32mb',
    'no-priorities off',
    'bbr bbr',
  ]);
});

/** HTTP/3 is 100 ms faster; of these `goneMs` go when TCP begins with as much. */
function equalFlights(goneMs: number, seed: number) {
  const random = seededRandom(seed);
  const times: Record<string, number> = { h2: 500, h3: 400, 'h2+initialwindow=32': 500 - goneMs };
  const run = generateRun({
    arms: [...armsH2H3, ...parseArms(['h2+initialwindow=32'])],
    blocks: 6,
    workloads: [{ id: 'download-10mb', kind: 'download' }],
    alter: (record) => ({
      ...record,
      metrics: { totalRequestTimeMs: (times[record.arm] ?? 0) + 5 * gaussian(random) },
    }),
  });
  return interventions
    .filter(({ id }) => id === equalFirstFlight)
    .map((intervention) => ({ intervention, ...run }));
}

const faster: Diagnosis = {
  ...explained('download-10mb', 'totalRequestTimeMs', 'windowWait'),
  differenceMs: -100,
  parts: [
    {
      cause: 'a cause',
      stage: 'windowWait',
      ms: -100,
      interval: null,
      evidence: '',
      confirmed: false,
    },
  ],
};

test('the share of a gain that goes when both begin alike is told with its interval, which holds it', () => {
  for (const goneMs of [0, 50, 100]) {
    const results = Array.from(
      { length: 100 },
      (_, seed) =>
        withInterventions([faster], equalFlights(goneMs, seed + 1), 0.95)[0]?.parts[0]?.interventions?.[0],
    );
    const holding = results.filter((result) => {
      const [low, high] = result?.goneInterval ?? [1, 0];
      return low <= goneMs / 100 && high >= goneMs / 100;
    });
    assert.ok(holding.length >= 88, `${goneMs}: ${holding.length} of 100`);
    assert.equal(results[0]?.setting, 'initialwindow=32');
    assert.ok(Math.abs((results[0]?.goneShare ?? -1) - goneMs / 100) < 0.15);
  }
});

test('equal first flights are tried where a smaller one is named, between protocols, and where no arm has set it', () => {
  const network = networkSpecs.find(({ id }) => id === 'cable');
  const named: Diagnosis = {
    ...faster,
    causes: [{ id: 'first-flight', title: '', stages: [], ms: -90, evidence: '' }],
  };
  const ids = (diagnosis: Diagnosis, common: Factors = {}): string[] =>
    interventionsFor(diagnosis, network, common).map(({ intervention: { id } }) => id);
  assert.ok(ids(named).includes(equalFirstFlight));
  assert.ok(!ids(faster).includes(equalFirstFlight));
  assert.ok(!ids(named, { protocol: 'h2' }).includes(equalFirstFlight));
  assert.ok(!ids(named, { initialwindow: '10' }).includes(equalFirstFlight));
});
