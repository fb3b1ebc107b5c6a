/**
 * Sees that what factors say of handshakes is felt and proven, over 100 ms of round trip where that counts:
 *
 *     npm run verify:handshake [-- --only chains,coalescing,early] [--folder DIR]
 *
 * chains: a certificate chain of 9 kB costs QUIC a round trip and TCP none. coalescing: one certificate saves
 * connections over both protocols, and an arm against itself saves none over either. early: early data saves a round trip, and the
 * server says which requests were early. It wants namespaces, and takes about twelve minutes; the folder is kept where it is named.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import { type Comparison, type Summary } from '../../src/core/model/summary.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, readSummary, startCli } from '../support/cli.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, folder: { type: 'string' }, client: { type: 'string' } },
});
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-handshake-'));
const folder = values.folder ?? temporary;
const client = values.client ?? 'embedded';
const roundTripMs = 100;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const direction = {
  rateMbps: 100,
  queueBytes: 1_250_000,
  delayMs: roundTripMs / 2,
  lossPercent: 0,
  jitterMs: 0,
  reorderPercent: 0,
};

interface Measured {
  readonly summary: Summary;
  /** Trials that count, by arm. */
  readonly trials: ReadonlyMap<string, readonly RawTrial[]>;
}

/** Runs a plan to its end. */
async function measure(name: string, plan: object): Promise<Measured> {
  const file = join(temporary, `${name}.json`);
  const out = join(folder, name);
  const far = { far: { up: direction, down: direction } };
  writeFileSync(
    file,
    JSON.stringify({
      name,
      clients: [client],
      networks: ['far'],
      customNetworks: far,
      recordedBlocks: 1,
      ...plan,
    }),
  );
  const { child, result } = startCli(['run', file, '--out', out]);
  child.stderr?.pipe(process.stderr);
  const { code } = await result;
  assert.equal(code, 0, name);
  const summary = readSummary(out);
  const records = readRecords(out).filter(({ status }) => status === 'ok');
  const trials = Map.groupBy(records, ({ arm }) => arm);
  return {
    summary,
    trials: new Map(
      [...trials].map(([arm, those]) => [
        arm,
        those.map(({ trialId }) => readEvidence(join(out, 'trials', trialId)).raw),
      ]),
    ),
  };
}

function compared(
  { summary }: Measured,
  metric: string,
  [baseline, candidate]: readonly [string, string],
): Comparison {
  const found = summary.comparisons.find(
    (one) => one.metric === metric && one.baseline.arm === baseline && one.candidate.arm === candidate,
  );
  assert.ok(found !== undefined, `${metric}: ${baseline} against ${candidate}`);
  const { difference, differenceInterval, verdict, blocks } = found;
  const interval = (differenceInterval ?? []).map((end) => end.toFixed(2)).join(' to ');
  say(
    `${metric}, ${baseline} to ${candidate}: ${difference?.toFixed(2)} (${interval}), ${verdict}, ${blocks} blocks`,
  );
  return found;
}

/** That a difference lies about where it should, for certain. */
function assertBetween({ differenceInterval }: Comparison, least: number, most: number): void {
  const [from = Number.NaN, to = Number.NaN] = differenceInterval ?? [];
  assert.ok(from > least && to < most, `${from} to ${to}, expected within ${least} to ${most}`);
}

async function chains(): Promise<void> {
  const arms = ['h2', 'h3'].flatMap((protocol) =>
    ['1kb', '9kb'].map((size) => `${protocol}+certificate=${size}`),
  );
  const overTcp = ['h2+certificate=1kb', 'h2+certificate=9kb'] as const;
  const overQuic = ['h3+certificate=1kb', 'h3+certificate=9kb'] as const;
  const run = await measure('chains', {
    workloads: ['download-10kb'],
    arms,
    compare: [overTcp, overQuic],
    primary: { download: 'connectRoundTrips' },
    repetitions: 8,
    probes: ['har', 'cpu', 'qlog'],
    exploratory: true,
  });
  for (const [arm, trials] of run.trials) {
    const wanted = arm.endsWith('9kb') ? 9216 : 1024;
    for (const { testbed, instrumentation, counters } of trials) {
      assert.ok(Math.abs((testbed?.server.handshake?.chainBytes ?? 0) - wanted) <= 4, arm);
      if (instrumentation !== 'instrumented' || arm.startsWith('h2')) continue;
      say(
        `${arm}: ${counters['quicAmplificationStalls']} stalls of ${counters['quicAmplificationStallMs']} ms`,
      );
      assert.equal((counters['quicAmplificationStalls'] ?? 0) > 0, arm.endsWith('9kb'), arm);
    }
  }
  assertBetween(compared(run, 'connectRoundTrips', overQuic), 0.7, 1.5);
  assertBetween(compared(run, 'connectRoundTrips', overTcp), -0.3, 0.3);
}

async function coalescing(): Promise<void> {
  const pairs = ['h2', 'h3'].map((protocol): readonly [string, string] => [
    `${protocol}+coalescing=off`,
    `${protocol}+coalescing=on`,
  ]);
  const itself = ['h2', 'h3'].map((protocol): readonly [string, string] => [
    `${protocol}+coalescing=on`,
    `${protocol}+coalescing=on#2`,
  ]);
  const run = await measure('coalescing', {
    workloads: ['replica-en.wikipedia.org'],
    arms: [...pairs.flat(), 'h2+coalescing=on', 'h3+coalescing=on'],
    compare: [...pairs, ...itself],
    primary: { page: 'connectionCount' },
    pooled: { page: false },
    // With the other comparisons of one family a sign test needs ten blocks for its level.
    repetitions: 10,
    exploratory: true,
  });
  for (const pair of pairs) {
    const { verdict, differenceInterval } = compared(run, 'connectionCount', pair);
    assert.equal(verdict, 'better');
    assert.ok((differenceInterval?.[1] ?? 0) < 0);
  }
  for (const pair of itself) {
    const { verdict, differenceInterval } = compared(run, 'connectionCount', pair);
    assert.ok(verdict !== 'better' && verdict !== 'worse', `A/A: ${verdict}`);
    const [from = Number.NaN, to = Number.NaN] = differenceInterval ?? [];
    assert.ok(from <= 0 && to >= 0, `A/A: ${from} to ${to}`);
  }
}

async function early(): Promise<void> {
  for (const [name, more, protocols] of [
    ['early-caddy', {}, ['h3']],
    ['early-nginx', { servers: ['nginx@1.30'] }, ['h2', 'h3']],
  ] as const) {
    const pairs = protocols.map((protocol): readonly [string, string] => [
      `${protocol}+resume=session`,
      `${protocol}+resume=0rtt`,
    ]);
    const run = await measure(name, {
      workloads: ['download-10kb'],
      arms: pairs.flat(),
      compare: pairs,
      primary: { download: 'resumedTtfbMs' },
      repetitions: 8,
      exploratory: true,
      ...more,
    });
    for (const pair of pairs) {
      for (const arm of pair) assertEarly(arm, run.trials.get(arm) ?? []);
      assertBetween(compared(run, 'resumedTtfbMs', pair), -1.5 * roundTripMs, -0.7 * roundTripMs);
    }
  }
}

/** By the server's log alone. */
function assertEarly(arm: string, trials: readonly RawTrial[]): void {
  assert.ok(trials.length > 0, arm);
  for (const { serverLog } of trials) {
    const said = (serverLog ?? []).filter(({ method, path }) => method === 'GET' && path.includes('.bin'));
    assert.deepEqual(
      said.map(({ resumed, earlyData }) => [resumed, earlyData]),
      [[true, arm.endsWith('0rtt')]],
      arm,
    );
  }
}

const parts = { chains, coalescing, early };

try {
  const wanted = values.only?.split(',') ?? Object.keys(parts);
  for (const [name, part] of Object.entries(parts)) if (wanted.includes(name)) await part();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
