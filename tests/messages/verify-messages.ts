/**
 * Sees that messages show what transports differ in, over 20 Mbit/s, 50 ms and 2 % loss each way, in Chromium:
 *
 *     npm run verify:messages [-- --repetitions 8] [--client chromium] [--folder DIR]
 *
 * blocking: the slowest tenth and hundredth of messages over WebSocket and over one stream take longer than datagrams, decided,
 * and they wait behind others, which datagrams do not. counts: both ends counted the same in every trial, and only datagrams
 * lost any. A/A: datagrams against datagrams decide nothing. It wants namespaces, and takes about 15 minutes with eight
 * repetitions; with fewer than six nothing can be decided, and directions alone are looked at. A folder that is named is kept.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Comparison, type Summary } from '../../src/core/model/summary.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords, readSummary, startCli } from '../support/cli.ts';

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '8' },
    client: { type: 'string', default: 'chromium' },
    folder: { type: 'string' },
  },
});
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-messages-'));
const out = join(values.folder ?? temporary, 'run');
const repetitions = Number(values.repetitions);
/** With fewer blocks no test of ours can decide. */
const isDecidable = repetitions >= 6;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const datagrams = 'h3+transport=wt-datagrams';
const ordered = ['h2+transport=websocket', 'h3+transport=wt-stream'];
const direction = { rateMbps: 20, queueBytes: 256_000, delayMs: 25, lossPercent: 2 };

const plan = {
  name: 'verify-messages',
  clients: [values.client],
  servers: ['go'],
  networks: ['lossy'],
  customNetworks: { lossy: { up: direction, down: direction } },
  workloads: ['messages-100b-10ms'],
  arms: [...ordered, datagrams, datagrams],
  compare: [...ordered.map((arm) => [arm, datagrams]), [datagrams, `${datagrams}#2`]],
  primary: { messages: 'messageP99Ms' },
  repetitions,
  recordedBlocks: 0,
  exploratory: true,
};

function comparedBy(summary: Summary, metric: string, baseline: string, candidate: string): Comparison {
  const found = summary.comparisons.find(
    (one) => one.metric === metric && one.baseline.arm === baseline && one.candidate.arm === candidate,
  );
  assert.ok(found !== undefined, `${metric}: ${baseline} against ${candidate}`);
  const interval = found.ratioInterval ?? found.differenceInterval;
  say(
    `${metric}: ${baseline} ${found.baseline.median?.toFixed(1)}, ${candidate} ${found.candidate.median?.toFixed(1)}, ${found.verdict} ${JSON.stringify(interval)}`,
  );
  return found;
}

/** Both ends of every valid trial, message by message. */
function seeCounts(): void {
  const records = readRecords(out);
  for (const { trialId, status, reason } of records)
    if (status !== 'ok') say(`${trialId}: ${status}, ${reason}`);
  assert.ok(
    records.filter(({ status }) => status === 'ok').length >= 0.9 * records.length,
    'trials are lost',
  );
  let lost = 0;
  for (const { trialId, arm, status } of records) {
    if (status !== 'ok') continue;
    const { session, serverLog } = readEvidence(join(out, 'trials', trialId)).raw;
    assert.equal(session?.kind, 'messages');
    const counted = serverLog?.find(({ messages }) => messages !== undefined)?.messages;
    const back = session.backMs.filter((ms) => ms !== null).length;
    const { length: sent } = session.sentMs;
    assert.ok(counted !== undefined, trialId);
    assert.ok(counted.received <= sent && counted.returned === counted.received && back <= counted.returned);
    if (arm.includes('datagrams')) lost += sent - back;
    else assert.deepEqual([counted.received, back], [sent, sent], trialId);
  }
  say(`datagrams lost in all: ${lost}`);
  assert.ok(lost > 0, 'a path that loses packets lost no datagram');
}

function seeBlocking(summary: Summary): void {
  for (const arm of ordered) {
    for (const metric of ['messageP90Ms', 'messageP99Ms']) {
      const { verdict, baseline, candidate } = comparedBy(summary, metric, arm, datagrams);
      assert.ok((candidate.median ?? Infinity) < (baseline.median ?? 0), `${metric}: ${arm} is not slower`);
      if (isDecidable) assert.equal(verdict, 'better', `${metric}: ${arm}`);
    }
    const behind = comparedBy(summary, 'blockedMessages', arm, datagrams);
    assert.ok(
      (behind.candidate.median ?? Infinity) < (behind.baseline.median ?? 0) / 4,
      `${arm}: nothing waits behind`,
    );
  }
}

function seeItself(summary: Summary): void {
  for (const metric of ['messageP50Ms', 'messageP90Ms', 'messageP99Ms']) {
    const { verdict } = comparedBy(summary, metric, datagrams, `${datagrams}#2`);
    assert.ok(verdict !== 'better' && verdict !== 'worse', `A/A: ${metric} is ${verdict}`);
  }
}

try {
  const file = join(temporary, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const { child, result } = startCli(['run', file, '--out', out]);
  child.stderr?.pipe(process.stderr);
  assert.equal((await result).code, 0);
  seeCounts();
  const summary = readSummary(out);
  seeBlocking(summary);
  seeItself(summary);
  if (!isDecidable) say(`${repetitions} repetitions decide nothing: directions were looked at`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
