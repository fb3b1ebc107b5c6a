import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedRateMbps } from '../../../../src/analyse/senders/allowed-rate.ts';
import { changedProperties } from '../../../../src/analyse/senders/changed-properties.ts';
import { fingerprint, minRepeats } from '../../../../src/analyse/senders/fingerprint.ts';
import { senderFindings, sendersHeadline } from '../../../../src/analyse/senders/sender-findings.ts';
import type { FirstFlight } from '../../../../src/core/model/metrics.ts';
import {
  trialOf,
  trialsOf,
  usual,
  verdicts,
  verdictsOf,
  withMetrics,
  type Planted,
  type Trial,
} from '../../../support/sender-trials.ts';

test('a sender as its RFC says, and as its own TCP, is accused of nothing', () => {
  assert.deepEqual(verdicts(usual), {
    'first-flight': 'as-rfc',
    growth: 'as-rfc',
    burst: 'as-rfc',
    'queue-loss': 'as-own-tcp',
    'loss-rate': 'as-rfc',
    'burst-recovery': 'as-own-tcp',
    'outage-resume': 'as-rfc',
    'outage-probes': 'as-rfc',
    'client-acks': 'reference',
    'client-ack-delay': 'reference',
  });
  const overTcp = verdictsOf(fingerprint('h2', trialsOf(usual), trialsOf(usual)));
  assert.equal(overTcp['first-flight'], 'as-rfc');
  for (const property of ['burst', 'queue-loss', 'burst-recovery'])
    assert.equal(overTcp[property], 'reference', property);
});

const faults: readonly (readonly [property: string, fault: Partial<Planted>])[] = [
  ['first-flight', { flightPackets: 100, secondRound: 200 }],
  ['growth', { secondRound: 40 }],
  ['burst', { burstPackets: 64 }],
  ['queue-loss', { queueDrops: 600 }],
  ['loss-rate', { rateMbps: 18 }],
  ['burst-recovery', { recoveryMs: 6000 }],
  ['burst-recovery', { recoveryMs: null }],
  ['outage-resume', { resumeMs: 6000 }],
  ['outage-probes', { probes: 40 }],
];

for (const [property, fault] of faults)
  test(`a planted fault is told by ${property} alone: ${JSON.stringify(fault)}`, () => {
    const found = Object.entries(verdicts({ ...usual, ...fault }))
      .filter(([, verdict]) => verdict === 'differs')
      .map(([id]) => id);
    assert.deepEqual(found, [property]);
  });

test('too few repeats, trials that are not valid, and flights that ended by themselves decide nothing', () => {
  const few = verdicts({ ...usual, flightPackets: 100 }, usual, minRepeats - 1);
  // What the client decides is told for comparison alone.
  const { 'client-acks': acks, 'client-ack-delay': delay, ...ofServer } = few;
  assert.deepEqual([acks, delay], ['reference', 'reference']);
  assert.deepEqual(new Set(Object.values(ofServer)), new Set(['not-decided']));
  const firstFlight: FirstFlight = {
    transport: 'udp',
    packets: 5,
    bytes: 7500,
    isLeast: true,
    largestPacketBytes: 1500,
    roundPackets: [5],
  };
  const own = trialsOf(usual).map((trial) => ({
    ...trial,
    metrics: withMetrics(trial.metrics, { firstFlight }),
  }));
  const [flight] = fingerprint('h3', own, trialsOf(usual));
  assert.equal(flight?.verdict, 'not-decided');
  assert.equal(flight.count, 0);
  const invalid = trialsOf(usual).map((trial) => ({ ...trial, status: 'invalid' as const }));
  assert.ok(fingerprint('h3', invalid, invalid).every(({ count }) => count === 0));
  assert.equal(
    sendersHeadline([{ server: 'go', protocol: 'h3', properties: fingerprint('h3', invalid, invalid) }]),
    'No property of any sender is decided',
  );
});

test('an interval that holds the limit decides nothing', () => {
  const own = trialsOf(usual).map((trial) => ({
    ...trial,
    metrics: withMetrics(trial.metrics, { outageResumeMs: trial.blockIndex % 2 === 0 ? 500 : 5000 }),
  }));
  const resume = fingerprint('h3', own, trialsOf(usual)).find(({ property }) => property === 'outage-resume');
  assert.equal(resume?.verdict, 'not-decided');
});

test('the allowed rate is Reno’s on short round trips and CUBIC’s on long ones with few losses', () => {
  // sqrt(3/2/0.005) = 17.32 packets of 1448 bytes in 40 ms.
  assert.ok(Math.abs(allowedRateMbps(0.005, 40) - 5.016) < 0.01);
  // 1.054 · (0.2 / 0.0001)^0.75 = 315.3 packets in 200 ms, where Reno has 122.5.
  assert.ok(Math.abs(allowedRateMbps(0.0001, 200) - 18.26) < 0.05, String(allowedRateMbps(0.0001, 200)));
});

test('the first screen says who differs most, and the three properties that lie furthest off', () => {
  const properties = fingerprint(
    'h3',
    trialsOf({
      ...usual,
      flightPackets: 100,
      secondRound: 200,
      burstPackets: 64,
      resumeMs: 6000,
      queueDrops: 600,
    }),
    trialsOf(usual),
  );
  const senders = [
    { server: 'nginx@1.26', protocol: 'h3' as const, properties },
    {
      server: 'caddy',
      protocol: 'h2' as const,
      properties: fingerprint('h2', trialsOf(usual), trialsOf(usual)),
    },
  ];
  assert.equal(sendersHeadline(senders), 'nginx 1.26 over HTTP/3 differs in 4 of 8 properties');
  const found = senderFindings(senders);
  assert.equal(found.length, 3);
  assert.match(found[0] ?? '', /^nginx 1\.26 over HTTP\/3, packets lost to its own queue: /);
  assert.match(found[1] ?? '', /first flight: 100 packets where at most 12\.5 packets are allowed: /);
  assert.equal(
    sendersHeadline(senders.slice(1)),
    'No sender differs from its RFC or its own TCP in what is decided: 5 of 5 verdicts',
  );
  assert.equal(senderFindings(senders.slice(1)).length, 0);
  assert.equal(
    sendersHeadline([{ server: 'go', protocol: 'h3', properties: fingerprint('h3', [], []) }]),
    'No property of any sender is decided',
  );
});

test('the first screen names as many senders and properties as it can, and nothing that nobody pays for', () => {
  const differs = { verdict: 'differs', median: 1, interval: [1, 1], count: minRepeats } as const;
  const sender = (server: string, times: Readonly<Record<string, number>>) => ({
    server,
    protocol: 'h3' as const,
    properties: Object.entries(times).map(([property, each]) => ({
      ...differs,
      interval: [1, 1] as [number, number],
      property,
      times: each,
      sentence: `${each} times`,
    })),
  });
  const found = senderFindings([
    sender('nginx', { 'queue-loss': 20, burst: 10, 'first-flight': 9 }),
    sender('haproxy', { 'queue-loss': 12, burst: 2 }),
    sender('envoy', { 'queue-loss': 0.01, 'loss-rate': 0.4 }),
  ]);
  assert.deepEqual(
    found.map((sentence) => sentence.split(' over ')[0]),
    ['nginx', 'Envoy', 'HAProxy'],
  );
  assert.match(found[1] ?? '', /rate at 2 % loss: 0\.4 times/);
  assert.match(found[2] ?? '', /longest burst: 2 times/);
});

test('next to others and with reordering a sender is held to its own TCP, and both directions are told', () => {
  const at = (rateMbps: number): Trial[] =>
    Array.from({ length: minRepeats }, (_, block) =>
      (['cubic', 'bbr', 'reordering', 'more-reordering'] as const).map((disturbance) =>
        trialOf({ ...usual, rateMbps }, block, disturbance),
      ),
    ).flat();
  assert.deepEqual(verdictsOf(fingerprint('h3', at(10), at(10))), {
    'share-cubic': 'as-own-tcp',
    'share-bbr': 'as-own-tcp',
    reordering: 'as-own-tcp',
    'more-reordering': 'as-own-tcp',
  });
  const [greedy] = fingerprint('h3', at(16), at(10));
  assert.match(greedy?.sentence ?? '', /^82\.8 %, its TCP 51\.8 %: it takes it from the other$/);
  const [shy, , slow] = fingerprint('h3', at(4), at(10));
  assert.match(shy?.sentence ?? '', /: it gives way where its TCP does not$/);
  assert.match(slow?.sentence ?? '', /: it takes packets that were overtaken for lost ones/);
});

test('with less and with more loss a sender is held to what its RFC allows there', () => {
  const at = (lessLossMbps: number, moreLossMbps: number): Trial[] =>
    Array.from({ length: minRepeats }, (_, block) => [
      trialOf({ ...usual, rateMbps: lessLossMbps }, block, 'less-loss'),
      trialOf({ ...usual, rateMbps: moreLossMbps }, block, 'more-loss'),
    ]).flat();
  const verdictsAt = (lessLossMbps: number, moreLossMbps: number): string[] =>
    Object.values(verdictsOf(fingerprint('h3', at(lessLossMbps, moreLossMbps), [])));
  // Twice 5.0 Mbit/s and twice 1.6 Mbit/s.
  assert.deepEqual(verdictsAt(9, 2.5), ['as-rfc', 'as-rfc']);
  assert.deepEqual(verdictsAt(16, 2.5), ['differs', 'as-rfc']);
  assert.deepEqual(verdictsAt(9, 13), ['as-rfc', 'differs']);
});

/** Those of a measurement of everything. */
const chosen = [
  'one-lost',
  'three-lost',
  'tail-lost',
  'first-lost',
  'second-lost',
  'third-lost',
  'certificate',
  'marks',
] as const;

const chosenTrials = (planted: Planted): Trial[] =>
  Array.from({ length: minRepeats }, (_, block) =>
    chosen.map((disturbance) => trialOf(planted, block, disturbance)),
  ).flat();

const chosenVerdicts = (own: Planted, protocol: 'h2' | 'h3' = 'h3') =>
  verdictsOf(fingerprint(protocol, chosenTrials(own), chosenTrials(usual)));

test('single lost packets, long certificates and marks accuse no sender that does as its RFC and its TCP', () => {
  assert.deepEqual(chosenVerdicts(usual), {
    'one-loss-window': 'as-rfc',
    'three-loss-window': 'as-rfc',
    'tail-loss': 'as-own-tcp',
    'first-packet-lost': 'as-rfc',
    'second-packet-lost': 'as-rfc',
    'third-packet-lost': 'as-rfc',
    amplification: 'as-rfc',
    marks: 'as-own-tcp',
  });
  assert.equal(chosenVerdicts(usual, 'h2')['amplification'], undefined);
});

const chosenFaults: readonly (readonly [fault: Partial<Planted>, ...properties: string[]])[] = [
  [{ windowPercent: 100 }, 'one-loss-window', 'three-loss-window'],
  [{ answerMs: 1200 }, 'tail-loss'],
  [{ connectMs: 3200 }, 'first-packet-lost', 'second-packet-lost', 'third-packet-lost'],
  [{ amplification: 9 }, 'amplification'],
  [{ queueRttMs: 78 }, 'marks'],
];

for (const [fault, ...properties] of chosenFaults)
  test(`a planted fault is told by ${properties.join(', ')} alone: ${JSON.stringify(fault)}`, () => {
    const found = Object.entries(chosenVerdicts({ ...usual, ...fault }))
      .filter(([, verdict]) => verdict === 'differs')
      .map(([id]) => id);
    assert.deepEqual(found, properties);
  });

test('a window that is cut by more than before is told against a baseline, and nothing of the client', () => {
  const measured = (trials: readonly Trial[]) => ({
    senders: [
      {
        server: 'go',
        protocol: 'h3' as const,
        version: null,
        congestionControl: null,
        properties: fingerprint('h3', trials, chosenTrials(usual)),
        courses: [],
      },
    ],
  });
  const cut = measured(chosenTrials({ ...usual, windowPercent: 30 }));
  assert.deepEqual(
    changedProperties(measured(chosenTrials(usual)), cut).map(({ property, isWorse }) => [property, isWorse]),
    [
      ['one-loss-window', true],
      ['three-loss-window', true],
    ],
  );
  const ofClient = trialsOf(usual).map((trial) => ({
    ...trial,
    metrics: withMetrics(trial.metrics, { acksPerPacket: 0.1 }),
  }));
  assert.deepEqual(changedProperties(measured(trialsOf(usual)), measured(ofClient)), []);
});

test('of two fingerprints the property that changed is told, worse or not, and nothing of two that are alike', () => {
  const measured = (planted: Planted, server: string) => ({
    senders: [
      {
        server,
        protocol: 'h3' as const,
        version: null,
        congestionControl: null,
        properties: fingerprint('h3', trialsOf(planted), trialsOf(usual)),
        courses: [],
      },
    ],
  });
  const before = measured(usual, 'nginx@1.26');
  assert.deepEqual(changedProperties(before, measured(usual, 'nginx@1.30')), []);
  const slower = changedProperties(before, measured({ ...usual, recoveryMs: 5000 }, 'nginx@1.30'));
  assert.deepEqual(
    slower.map(({ property, isWorse }) => [property, isWorse]),
    [['burst-recovery', true]],
  );
  assert.match(
    slower[0]?.sentence ?? '',
    /^nginx 1\.30 over HTTP\/3, back at .*: 621 ms before, 5175 ms now$/,
  );
  const better = changedProperties(
    measured({ ...usual, recoveryMs: 5000 }, 'nginx'),
    measured(usual, 'nginx'),
  );
  assert.deepEqual(
    better.map(({ isWorse }) => isWorse),
    [false],
  );
  const halved = changedProperties(before, measured({ ...usual, rateMbps: 1 }, 'nginx'));
  assert.deepEqual(
    halved.map(({ property, isWorse }) => [property, isWorse]),
    [['loss-rate', true]],
  );
  assert.deepEqual(changedProperties(before, measured({ ...usual, recoveryMs: 5000 }, 'caddy')), []);
});
