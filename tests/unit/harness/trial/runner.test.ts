import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { unpinned } from '../../../../harness/testbed/pinning.ts';
import type { Testbed, Testbeds } from '../../../../harness/testbed/testbed.ts';
import { Runner, type Turn } from '../../../../harness/trial/runner.ts';
import type { PlannedTrial } from '../../../../src/core/model/plan.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';
import { markedProcesses } from '../../../../src/core/system/processes/marked-processes.ts';
import { readProcessTable } from '../../../../src/core/system/processes/process-table.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** What curl would write of one answer; the moments of its beginning and end go into a file. */
const fakeCurl = (log: string): string => `#!/bin/sh
echo "begin $(date +%s%N)" >> ${log}
sleep 0.2
echo "end $(date +%s%N)" >> ${log}
echo '{"url":"https://a.test/body","http_code":200,"http_version":"2","size_download":10,"size_header":5,"time_namelookup":0,"time_connect":0.01,"time_appconnect":0.02,"time_pretransfer":0.02,"time_starttransfer":0.03,"time_total":0.04}'
`;

const workload: PreparedWorkload = {
  id: 'fake-download',
  kind: 'download',
  title: 'fake download',
  roots: [{ host: 'a.test', directory: '/nowhere' }],
  entry: { host: 'a.test', path: '/body' },
  driver: 'session',
  quietMs: 0,
  deadlineMs: 20_000,
  loggedHosts: [],
  mediaBufferMegabytes: 0,
  requests: [{ host: 'a.test', path: '/body', bytes: 10 }],
  facts: { source: 'test' },
};

function turn(index: number): Turn {
  const named = { trialId: `trial-${index}`, conditionId: 'c', workload: workload.id, client: 'curl' };
  const trial: PlannedTrial = {
    ...named,
    arm: 'h2',
    network: 'live',
    server: 'live',
    factors: { protocol: 'h2' },
    blockIndex: index,
    blockSeed: index,
    instrumentation: 'uninstrumented',
  };
  return { trial };
}

/** What had come of an upload when the trial was over. */
const arrived = [{ bytes: 300 }, { bytes: 100 }];

const server = {
  pid: process.pid,
  mark: () => Promise.resolve(0),
  entriesSince: () => Promise.resolve([]),
  arrivedSince: () => Promise.resolve(arrived),
};

/** Nothing of ours answers in these tests. */
const testbed = {
  network: { clientPrefix: [], counters: () => Promise.resolve({}), startSignal: () => null },
  server,
  front: server,
  proxies: [],
  links: [],
  facts: { roundTripMs: null, steady: true },
  entry: { address: '127.0.0.1', port: 9 },
  died: () => undefined,
} as unknown as Testbed;

interface Bench {
  readonly runner: Runner;
  /** Trials find another server from now on than the one that was known beforehand. */
  readonly restartServer: () => void;
  /** Trials find that this part of their testbed has died meanwhile. */
  readonly lose: (part: string) => void;
  readonly folder: string;
  readonly log: string;
}

/** A runner whose client is a script, so that workers are real and no browser is needed. */
function openBench(t: TestContext, loaded: PreparedWorkload = workload): Bench {
  const folder = tempFolder(t);
  const log = path.join(folder, 'log');
  const executablePath = path.join(folder, 'curl');
  writeFileSync(executablePath, fakeCurl(log));
  chmodSync(executablePath, 0o755);
  const environment = { H2H3_TEST_RUN: folder };
  const trialDir = (trialId: string): string => path.join(folder, 'trials', trialId);
  const tempDir = path.join(folder, 'temp');
  mkdirSync(tempDir);
  let opened = testbed;
  const runner = new Runner({
    trialDir,
    tempDir,
    environment,
    workloads: new Map([[loaded.id, loaded]]),
    contentOf: () => loaded.id,
    clients: new Map([
      [
        'curl',
        {
          id: 'curl',
          family: 'curl',
          name: 'curl',
          version: '1',
          build: 'command-line',
          protocols: ['h2'],
          source: 'path',
          executablePath,
          headed: false,
          environment: {},
        } as const,
      ],
    ]),
    testbeds: { open: () => Promise.resolve(opened), ready: () => testbed } as unknown as Testbeds,
    networkOf: () => 'live',
    trustOf: () => ({ spkiHash: '' }),
    pinning: unpinned,
    cpuShares: new Map(),
    clearTrialDir: (trialId) => {
      rmSync(trialDir(trialId), { recursive: true, force: true });
      mkdirSync(trialDir(trialId), { recursive: true });
    },
    probesOf: () => [],
    headed: false,
    signal: new AbortController().signal,
  });
  t.after(() => runner.close());
  const restartServer = (): void =>
    void (opened = { ...testbed, server: { ...testbed.server, pid: process.ppid } });
  const lose = (part: string): void => void (opened = { ...testbed, died: () => part });
  return { runner, folder, log, restartServer, lose };
}

/** Living workers of this test, which have its folder in their environment. */
function workersOf(folder: string): number[] {
  const workers = readProcessTable().filter(
    ({ commandLine, zombie }) => !zombie && commandLine.includes('trial-worker'),
  );
  const mine = markedProcesses('H2H3_TEST_RUN', folder);
  return workers.map(({ pid }) => pid).filter((pid) => mine.includes(pid));
}

test('a client is made ready while the trial before is evaluated, and loads nothing before its turn', async (t) => {
  const { runner, log, folder } = openBench(t);
  const first = await runner.run(turn(0), [turn(1), turn(2)]);
  assert.ok(first.kind === 'measured' && first.raw.outcome === 'completed', JSON.stringify(first));
  assert.ok(!existsSync(path.join(folder, 'trials', 'trial-1')), 'the next trial has left nothing yet');
  // Longer than a client that was let loose would need.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(readFileSync(log, 'utf8').trim().split('\n').length, 2, 'the next trial waits for its turn');
  const begunMs = Date.now();
  const second = await runner.run(turn(1), []);
  assert.ok(second.kind === 'measured' && second.raw.outcome === 'completed', JSON.stringify(second));
  assert.ok(Date.parse(second.raw.startedAt) >= begunMs, 'a trial starts when its turn comes');
  const started = second.steps.find(({ name }) => name === 'wait for the client since the turn');
  assert.ok(started !== undefined && started.durationMs >= 0, JSON.stringify(second.steps));
  const times = readFileSync(log, 'utf8').trim().split('\n');
  assert.deepEqual(
    times.map((line) => line.split(' ')[0]),
    ['begin', 'end', 'begin', 'end'],
  );
});

test('a trial whose resolver died meanwhile failed by that, whatever its client left', async (t) => {
  const { runner, lose } = openBench(t);
  lose('the resolver of the testbed');
  const outcome = await runner.run(turn(0));
  assert.ok(outcome.kind === 'not-measured', JSON.stringify(outcome));
  assert.deepEqual(
    [outcome.status, outcome.reason.text],
    ['failed', 'the resolver of the testbed died during the trial'],
  );
});

test('an upload whose server died meanwhile failed by that, with the bytes that had arrived', async (t) => {
  const upload = { host: 'a.test', path: '/body', bytes: 1000, sha256: '' };
  const { runner, lose } = openBench(t, { ...workload, upload });
  lose('the server');
  const outcome = await runner.run(turn(0));
  assert.ok(outcome.kind === 'not-measured', JSON.stringify(outcome));
  assert.deepEqual(
    [outcome.status, outcome.reason.text],
    ['failed', 'the server died during the trial; 400 of 1000 bytes arrived'],
  );
});

test('a client that was made ready before something about its trial changed is not used', async (t) => {
  const { runner, folder, restartServer } = openBench(t);
  await runner.run(turn(0), [turn(1)]);
  const [before = 0] = workersOf(folder);
  assert.ok(before > 0, 'the next client is made ready');
  restartServer();
  const second = await runner.run(turn(1), [turn(2)]);
  assert.ok(second.kind === 'measured' && second.raw.outcome === 'completed', JSON.stringify(second));
  assert.ok(!workersOf(folder).includes(before), 'it has ended');
});

test('a client that was made ready for a trial that is not run ends, and so does all of a runner that closes', async (t) => {
  const { runner, folder } = openBench(t);
  await runner.run(turn(0), [turn(1), turn(2)]);
  const other = await runner.run(turn(5), [turn(6)]);
  assert.ok(other.kind === 'measured' && other.raw.outcome === 'completed', JSON.stringify(other));
  assert.ok(workersOf(folder).length > 0, 'the next client is made ready');
  await runner.close();
  assert.deepEqual(workersOf(folder), []);
  assert.deepEqual(
    readdirSync(path.join(folder, 'trials')).toSorted(),
    ['trial-0', 'trial-5'],
    'what was not run left nothing',
  );
});
