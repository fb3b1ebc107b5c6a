import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { browserDriver } from '../../../../harness/clients/browsers/browser-driver.ts';
import type { TestContext } from 'node:test';
import type { ClientLaunchOptions } from '../../../../harness/clients/client-driver.ts';
import type { BrowserSession } from '../../../../harness/clients/browsers/browser.ts';
import { frames } from '../../../../harness/probes/frames.ts';
import type { Probe } from '../../../../harness/probes/probe.ts';
import { ProbeSet } from '../../../../harness/probes/probe-set.ts';
import { runTrial, type TrialParts } from '../../../../harness/trial/run-trial.ts';
import { StepClock } from '../../../../harness/trial/step-clock.ts';
import type { TrialOrder } from '../../../../harness/trial/worker-protocol.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { trialOrder } from '../../../support/trial-rig.ts';
import { waitUntil } from '../../../support/processes.ts';

interface FakeBrowser {
  readonly did: string[];
  launched: ClientLaunchOptions | null;
  launch: (options: ClientLaunchOptions) => Promise<BrowserSession>;
}

/** A browser that notes what it is asked for; `changes` replace what it does. */
function fakeBrowser(changes: Partial<BrowserSession> = {}): FakeBrowser {
  const fake: FakeBrowser = {
    did: [],
    launched: null,
    launch: (options) => {
      fake.launched = options;
      return Promise.resolve(session);
    },
  };
  const note = (what: string): Promise<void> => Promise.resolve(void fake.did.push(what));
  const session: BrowserSession = {
    name: 'Fake',
    version: '1',
    rootPid: process.pid,
    gone: new Promise<never>(() => undefined),
    stderrTail: () => 'its last words',
    startRecording: () => note('startRecording'),
    navigate: (url) => note(`navigate ${url}`),
    openJourney: () => Promise.reject(new Error('not asked for here')),
    waitUntilQuiet: (quietMs) => note(`quiet ${quietMs}`).then(() => true),
    sessionResult: () => note('session').then(() => download(10)),
    stopRecording: () =>
      note('stopRecording').then(() => ({
        timings: null,
        frames: null,
        warnings: ['from the recording'],
        buildHar: () => Promise.reject(new Error('not asked for here')),
      })),
    end: () => note('end'),
    close: () => note('close'),
    ...changes,
  };
  return fake;
}

function download(bytes: number): object {
  return { kind: 'download', timeOriginEpochMs: 1, expectedBytes: bytes, streams: [], errors: [] };
}

function order(t: TestContext, workload: Partial<TrialOrder['workload']> = {}): TrialOrder {
  const client = {
    id: 'fake',
    family: 'chromium',
    name: 'Fake',
    version: '1',
    build: 'full',
    source: 'path',
    executablePath: '/fake',
    headed: false,
    environment: {},
  } as const;
  return trialOrder({
    folder: tempFolder(t),
    client,
    server: { address: '127.0.0.1', port: 4433 },
    spkiHash: 'hash',
    roots: [
      { host: 'a.test', directory: '/a' },
      { host: 'b.test', directory: '/b' },
    ],
    host: 'a.test',
    workload: { quietMs: 5, ...workload },
  });
}

function run(
  given: TrialOrder,
  fake: FakeBrowser,
  probes: ProbeSet = new ProbeSet([frames]),
  changes: Partial<TrialParts> = {},
) {
  return runTrial(given, {
    driver: browserDriver({
      launcher: () => Promise.resolve(fake.launch),
      processRole: () => 'browser',
      flagForm: { pattern: /^-/, example: '-x' },
    }),
    probes,
    begun: Promise.resolve(),
    ended: Promise.resolve(),
    clock: new StepClock(),
    confine: () => Promise.resolve(true),
    hold: () => Promise.resolve(),
    profileDir: path.join(given.tempDir, 'profile'),
    probesDir: path.join(given.tempDir, 'probes'),
    measured: () => void fake.did.push('measured'),
    ...changes,
  });
}

test('a page is loaded between start and stop of the recording, and the browser always ends', async (t) => {
  const fake = fakeBrowser();
  const probe: Probe = {
    id: 'noting',
    title: 'notes when it is called',
    recorded: 'asked',
    inTimed: false,
    setup: ({ url, rootPid }) => {
      fake.did.push(`probe set up for ${url} in ${rootPid === process.pid ? 'the browser' : 'another'}`);
      return {
        start: () => void fake.did.push('probe starts'),
        stop: () => void fake.did.push('probe stops'),
        teardown: () => ({}),
      };
    },
  };
  const { raw } = await run(order(t), fake, new ProbeSet([probe]));
  assert.deepEqual(fake.did, [
    'startRecording',
    'probe set up for https://a.test:4433/ in the browser',
    'probe starts',
    'navigate https://a.test:4433/',
    'quiet 5',
    'probe stops',
    'stopRecording',
    'measured',
    'end',
    'close',
  ]);
  assert.deepEqual(fake.launched?.hosts, ['a.test', 'b.test']);
  assert.equal(raw.outcome, 'completed');
  assert.deepEqual(raw.warnings, ['from the recording']);
});

test('a client is made ready before its trial’s turn, and what is measured, kept and held begins with the turn', async (t) => {
  const fake = fakeBrowser();
  const turn = Promise.withResolvers<void>();
  const given = order(t);
  const ready = Promise.withResolvers<void>();
  const running = run(given, fake, new ProbeSet([frames]), {
    begun: turn.promise,
    confine: () => {
      ready.resolve();
      return Promise.resolve(!fake.did.includes('held'));
    },
    hold: (rootPid) => Promise.resolve(void fake.did.push(rootPid === process.pid ? 'held' : 'other held')),
  });
  await ready.promise;
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(fake.did, ['startRecording'], 'it waits');
  assert.equal(existsSync(given.trialDir), false, 'nothing of it is written yet');
  const turnEpochMs = Date.now();
  turn.resolve();
  const { raw } = await running;
  const load = ['navigate https://a.test:4433/', 'quiet 5', 'stopRecording', 'measured', 'end', 'close'];
  assert.deepEqual(fake.did, ['startRecording', 'held', ...load]);
  assert.ok(Date.parse(raw.startedAt) >= turnEpochMs, 'a trial starts when its turn comes');
  assert.match(raw.warnings.join(), /could be kept to the CPUs/, 'the CPUs are looked at when it begins');
});

test('a client that could not be made ready is told in its trial’s turn', async (t) => {
  const fake = fakeBrowser();
  fake.launch = () => Promise.reject(new H2h3Error('process-failed', 'no start'));
  const turn = Promise.withResolvers<void>();
  let told = false;
  const running = run(order(t), fake, undefined, { begun: turn.promise }).then((made) => {
    told = true;
    return made;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(told, false);
  turn.resolve();
  assert.match((await running).raw.error?.message ?? '', /no start/);
});

test('a load that its recording disturbed is no measurement, and what was recorded is kept', async (t) => {
  const disturbed = {
    timings: null,
    frames: null,
    warnings: [],
    buildHar: () => Promise.reject(new Error('none')),
  };
  const fake = fakeBrowser({
    stopRecording: () => Promise.resolve({ ...disturbed, disturbance: 'frames filled the memory' }),
  });
  const { raw, recording } = await run(order(t), fake);
  assert.equal(raw.outcome, 'error');
  assert.match(raw.error?.message ?? '', /filled the memory/);
  assert.notEqual(recording.buildHar, null);
});

test('a deadline keeps what was recorded and the results so far', async (t) => {
  const fake = fakeBrowser({
    sessionResult: () => Promise.reject(new H2h3Error('deadline', 'too long')),
    sessionSoFar: () => Promise.resolve(download(7)),
  });
  const { raw, recording } = await run(order(t, { driver: 'session', kind: 'download' }), fake);
  assert.equal(raw.outcome, 'deadline');
  assert.equal(raw.session?.kind === 'download' && raw.session.expectedBytes, 7);
  assert.notEqual(recording.buildHar, null);
  assert.equal(fake.did.at(-1), 'close');
});

test('an error says what happened, with the last lines of the browser', async (t) => {
  const fake = fakeBrowser({
    navigate: () =>
      Promise.reject(new H2h3Error('process-failed', 'it crashed', { context: { got: 'signal 11' } })),
  });
  const { raw } = await run(order(t), fake);
  assert.equal(raw.outcome, 'error');
  assert.deepEqual(raw.error, {
    code: 'process-failed',
    message: 'it crashed; got signal 11',
    stderrTail: 'its last words',
  });
  assert.ok(fake.did.includes('stopRecording'), 'what was recorded before is kept');
});

test('a browser that does not start is an error without a browser', async (t) => {
  const fake = fakeBrowser();
  fake.launch = () =>
    Promise.reject(new H2h3Error('process-failed', 'no start', { context: { stderrTail: 'no libraries' } }));
  const { raw, recording } = await run(order(t), fake);
  assert.equal(raw.outcome, 'error');
  assert.equal(raw.error?.stderrTail, 'no libraries');
  assert.equal(raw.browser, null);
  assert.equal(recording.buildHar, null);
});

test('a session that is not as agreed is an error that names the fault', async (t) => {
  const fake = fakeBrowser({ sessionResult: () => Promise.resolve({ kind: 'podcast' }) });
  const { raw } = await run(order(t, { driver: 'session' }), fake);
  assert.equal(raw.outcome, 'error');
  assert.match(raw.error?.message ?? '', /session .* not as expected/);
});

test('requests that never end are a warning, because the load event came', async (t) => {
  const { raw } = await run(order(t), fakeBrowser({ waitUntilQuiet: () => Promise.resolve(false) }));
  assert.equal(raw.outcome, 'completed');
  assert.match(raw.warnings.join(), /still under way/);
});

test('the start signal is one line on its socket, before navigation', async (t) => {
  const given = order(t);
  const socketPath = path.join(tempFolder(t), 'start.sock');
  const lines: string[] = [];
  const server = createServer((socket) => socket.on('data', (data) => lines.push(data.toString())));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  t.after(() => server.close());
  const fake = fakeBrowser({
    navigate: async () => {
      await waitUntil('the line has come', 60_000, () => lines.length > 0);
      fake.did.push(`navigate after ${lines.join('|')}`);
    },
  });
  await run({ ...given, startSignal: { socketPath, line: 'start 42' } }, fake);
  assert.ok(fake.did.includes('navigate after start 42\n'), fake.did.join());
});

test('the second visit of a page is measured in the profile of a first one whose browser ended by itself', async (t) => {
  const fake = fakeBrowser();
  const profiles: string[] = [];
  const launch = (options: ClientLaunchOptions): Promise<BrowserSession> => {
    profiles.push(options.profileDir);
    fake.did.push(options.frames ? 'launch to measure' : 'launch');
    return fake.launch(options);
  };
  const begunEpochMs = Date.now();
  const { raw } = await run(order(t, { view: 'repeat' }), { ...fake, launch });
  const visit = ['startRecording', 'navigate https://a.test:4433/', 'quiet 5'];
  const first = ['launch', ...visit, 'end', 'close'];
  assert.deepEqual(fake.did, [
    ...first,
    'launch to measure',
    ...visit,
    'stopRecording',
    'measured',
    'end',
    'close',
  ]);
  assert.equal(new Set(profiles).size, 1);
  assert.equal(raw.outcome, 'completed');
  assert.ok(Date.parse(raw.startedAt) >= begunEpochMs);
});

test('without a whole first visit there is no second', async (t) => {
  const fake = fakeBrowser({ end: () => Promise.reject(new H2h3Error('deadline', 'it does not end')) });
  const { raw } = await run(order(t, { view: 'repeat' }), fake);
  assert.equal(raw.outcome, 'error');
  assert.match(raw.error?.message ?? '', /first visit, which is not measured: it does not end/);
  assert.deepEqual(fake.did.slice(-2), ['quiet 5', 'close']);
});
