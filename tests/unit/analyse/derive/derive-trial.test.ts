import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import { metricDifferences } from '../../../../src/analyse/derive/metric-differences.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import { metricsOfKind } from '../../../../src/core/metrics/registry.ts';
import { trialMetricsSchema } from '../../../../src/core/model/metrics.ts';
import {
  chunk,
  downloadEvidence,
  harEntry,
  harOf,
  logEntry,
  pageEvidence,
  rawTrial,
  stream,
  uploadEvidence,
  videoEvidence,
  videoSession,
} from './evidence.ts';
import { filledImage } from './images.ts';

/** A trial as a real browser left it, with the frames as base64. */
function recorded(name: string): TrialEvidence {
  const text = readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8');
  const stored = JSON.parse(text) as Omit<TrialEvidence, 'frameImages'> & { frameImages: string[] };
  return { ...stored, frameImages: stored.frameImages.map((image) => Buffer.from(image, 'base64')) };
}

const wholePage = (): TrialEvidence =>
  pageEvidence({
    raw: rawTrial({ frames: [{ file: '0.jpg', tMs: 150 }], counters: {} }),
    frameImages: [filledImage(16, 16, 8)],
  });

/** A session of a video whose pictures were compared when it was encoded. */
function comparedVideo(): TrialEvidence {
  const chunks = [chunk(0, 1000), chunk(1, 4000)];
  const evidence = videoEvidence(videoSession({ chunks, playedSeconds: 4 }));
  const vmaf = { chunkSeconds: 2, segments: { v1000: [40, 50], v4000: [80, 91] } };
  return { ...evidence, workload: { ...evidence.workload, vmaf } };
}

for (const [kind, evidence] of [
  ['page', wholePage()],
  ['video', comparedVideo()],
  ['download', downloadEvidence()],
  ['upload', uploadEvidence()],
] as const) {
  test(`a ${kind} trial has every metric of its kind that needs no diagnosis run`, async () => {
    const { status, metrics } = await deriveTrial(evidence);
    assert.equal(status, 'ok');
    const diagnosis = [
      'packetsReceived',
      'packetsSent',
      'transportPacketsReceived',
      'netifReceiveSkbCalls',
      'syscalls',
      'receiveCallPercent',
      'contextSwitches',
      'smoothedRttMs',
      'packetToAckMs',
      'applicationLimitedPercent',
      'cpuSampledPercent',
    ];
    // No link of ours saw them.
    const ofFlights = [
      'firstFlightBytes',
      'largestBurstBytes',
      'acksPerPacket',
      'ackDelayMs',
      'amplificationFactor',
      'restedFlightPackets',
      'restedBurstPackets',
    ];
    // Nothing else is on the link.
    const ofLoad = ['loadedRttMs', 'loadedRttP95Ms', 'responsivenessRpm'];
    // No link of its changes with time.
    const ofSchedules = [
      'rateRecoveryMs',
      'outageResumeMs',
      'outageStallMs',
      'rateDuringMbps',
      'outageProbes',
      'lossWindowPercent',
    ];
    // Its names lead to one address.
    const ofFamilies = ['addressRaceMs'];
    // The player's page tells no connect time: its first request is another host's.
    // It plays alone, on demand and without a stall.
    const ofBroadcast = ['liveLatencyMs', 'frameLatencyMs', 'frameLatencyP95Ms', 'lateFrames', 'lostFrames'];
    const ofVideo = ['connectMs', 'fairnessIndex', 'stallLengthMs', ...ofBroadcast];
    // It has the path to itself, keeps its address, and connects for the first time. No path is known of either.
    const ofDownload = ['connectRoundTrips', 'fairnessIndex', 'fairShare', 'recoveryMs', 'resumedTtfbMs'];
    // Its arm says nothing of UDP or of how HTTP/3 is found, and no app stands behind its server.
    const ofPage = [
      'connectRoundTrips',
      'fallbackMs',
      'firstVisitH3Share',
      'unusedConnections',
      'appThinkMs',
    ];
    // Its page sends by fetch, which says nothing of its progress.
    const ofUpload = ['uploadFullBarMs'];
    const ofKind = { page: ofPage, video: ofVideo, download: ofDownload, upload: ofUpload }[kind];
    const excepted = new Set<string>([
      ...diagnosis,
      ...ofFlights,
      ...ofLoad,
      ...ofSchedules,
      ...ofFamilies,
      ...ofKind,
    ]);
    const missing = metricsOfKind(kind).filter(
      ({ name }) => !excepted.has(name) && typeof metrics[name] !== 'number',
    );
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
    );
  });

  test(`a ${kind} trial derived again from stored evidence agrees`, async () => {
    const { metrics } = await deriveTrial(evidence);
    const journalled = trialMetricsSchema.parse(JSON.parse(JSON.stringify(metrics)));
    const again = await deriveTrial({
      ...evidence,
      raw: JSON.parse(JSON.stringify(evidence.raw)) as typeof evidence.raw,
    });
    assert.deepEqual(metricDifferences(journalled, again.metrics), []);
  });
}

for (const name of ['chromium-h2', 'chromium-h3', 'firefox-h2']) {
  test(`a load recorded in ${name} is ok, and its times are in the order of a load`, async () => {
    const evidence = recorded(name);
    const { status, reason, metrics, warnings } = await deriveTrial(evidence);
    assert.equal(status, 'ok', reason);
    assert.equal(metrics.protocolShare?.[evidence.protocol], 1);
    assert.equal(metrics['objectCount'], 8);
    assert.equal(metrics['hostCount'], 2);
    const { pltMs, cdtMs, ttfbMs, fcpMs } = metrics as Record<string, number>;
    assert.ok(ttfbMs! < cdtMs! && cdtMs! <= pltMs! + 1 && fcpMs! > ttfbMs!, JSON.stringify(metrics));
    assert.ok(!warnings.some((warning) => warning.startsWith('load event:')), warnings.join('\n'));
  });
}

test('Speed Index of a recorded load lies between its first and its last frame', async () => {
  const evidence = recorded('chromium-h3');
  const { metrics } = await deriveTrial(evidence);
  const times = (evidence.raw.frames ?? []).map(({ tMs }) => tMs).filter((tMs) => tMs >= 0);
  const { speedIndexMs, visualComplete99Ms } = metrics as Record<string, number>;
  assert.ok(speedIndexMs! > Math.min(...times) && speedIndexMs! <= Math.max(...times));
  assert.ok(visualComplete99Ms! >= speedIndexMs!);
});

test('a recorded load whose log lacks one line is invalid, with the object named', async () => {
  const evidence = recorded('chromium-h3');
  const serverLog = (evidence.raw.serverLog ?? []).filter(({ path }) => path !== '/a.js');
  const { status, reason } = await deriveTrial({ ...evidence, raw: { ...evidence.raw, serverLog } });
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /\/a\.js is not in the server's log/);
});

test('an h2 load handed in as h3 is invalid', async () => {
  const { status, reason } = await deriveTrial({ ...recorded('chromium-h2'), protocol: 'h3' });
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /came over h2, expected h3/);
});

test('at the deadline only the deadline, the bytes so far the version of IP and the series are kept', async () => {
  const session = videoSession();
  const evidence = videoEvidence(session);
  const { status, reason, metrics } = await deriveTrial({
    ...evidence,
    raw: { ...evidence.raw, outcome: 'deadline', deadlineMs: 20_000 },
  });
  assert.deepEqual([status, reason], ['failed', 'deadline']);
  assert.deepEqual(Object.keys(metrics).sort(), [
    'bufferLevelSeconds',
    'bytesSoFar',
    'chunks',
    'connectFamily',
    'cpuSecondsByProcess',
    'deadlineMs',
    'decodeStalls',
    'ladderKbps',
    'protocolShare',
    'stalls',
  ]);
  assert.equal(metrics['deadlineMs'], 20_000);
  assert.ok((metrics['bytesSoFar'] ?? 0) >= 3 * 250_000);
});

test('bytes under way at the deadline come from the HAR, or from the server where the HAR has none', async () => {
  const evidence = downloadEvidence();
  const atDeadline = (har: TrialEvidence['har']): TrialEvidence => ({
    ...evidence,
    har,
    raw: {
      ...evidence.raw,
      outcome: 'deadline',
      session: null,
      serverLog: [logEntry({ host: 'files.test', path: '/body.bin', bytes: 700_000 })],
    },
  });
  const cut = harEntry({
    url: stream().url,
    status: 200,
    response: { _transferSize: 650_000, _error: 'incomplete' },
  });
  assert.equal((await deriveTrial(atDeadline(harOf([cut])))).metrics['bytesSoFar'], 650_000);
  assert.equal((await deriveTrial(atDeadline(null))).metrics['bytesSoFar'], 700_000);
});

test('an invalid trial keeps its metrics, for the report', async () => {
  const { status, metrics } = await deriveTrial({ ...wholePage(), protocol: 'h3' });
  assert.equal(status, 'invalid');
  assert.equal(metrics['pltMs'], 300);
});

test('without page timings frames have no origin, and so no Speed Index', async () => {
  const evidence = wholePage();
  const { status, metrics, warnings } = await deriveTrial({
    ...evidence,
    raw: { ...evidence.raw, timings: null },
  });
  assert.equal(status, 'failed');
  assert.equal(metrics['speedIndexMs'], null);
  assert.match(warnings.join(), /the start of navigation is not known/);
});

test('a second visit is measured by what it asked the network for; the cache and TLS sessions are told beside it', async () => {
  const cached = harEntry({ url: 'https://site.test/a.css', entry: { _fromCache: true } });
  const second = (view: 'cold' | 'repeat', resumed?: boolean): TrialEvidence => {
    const evidence = wholePage();
    const first = logEntry(resumed === undefined ? {} : { resumed });
    // A second connection of the same visit, of which the server tells first.
    const later = { ...first, path: '/b.js', startEpochMs: first.startEpochMs + 5 };
    const serverLog = [{ ...later, ...(resumed === undefined ? {} : { resumed: true }) }, first];
    return {
      ...evidence,
      workload: { ...evidence.workload, view },
      raw: { ...evidence.raw, serverLog },
      har: harOf([harEntry(), cached]),
    };
  };
  const { status, metrics } = await deriveTrial(second('repeat', true));
  assert.equal(status, 'ok');
  assert.deepEqual(
    [metrics['objectCount'], metrics['cachedObjectCount'], metrics['resumedHostShare']],
    [1, 1, 1],
  );
  assert.equal((await deriveTrial(second('repeat', false))).metrics['resumedHostShare'], 0);
  assert.equal(
    (await deriveTrial(second('repeat'))).metrics['resumedHostShare'],
    null,
    'the server does not say',
  );
  assert.equal((await deriveTrial(second('cold', true))).status, 'invalid');
});

test('connection set-up is told in round trips where the path has some', async () => {
  const evidence = downloadEvidence();
  const roundTripsOver = async (roundTripMs: number): Promise<unknown> => {
    const testbed = { links: [], proxies: [], roundTripMs, steady: true, server: serverOf };
    const { metrics } = await deriveTrial({ ...evidence, raw: { ...evidence.raw, testbed } });
    return [metrics['connectRoundTrips'], metrics['connectMs']];
  };
  const [trips, tookMs] = (await roundTripsOver(50)) as [number, number];
  assert.equal(trips, tookMs / 50);
  assert.equal(((await roundTripsOver(5)) as unknown[])[0], undefined, 'too short a path to tell');
});

const serverOf = {
  id: 'caddy',
  name: 'Caddy',
  version: '2.11.7',
  quicCongestionControl: 'reno',
  tcpCongestionControl: 'reno',
};
