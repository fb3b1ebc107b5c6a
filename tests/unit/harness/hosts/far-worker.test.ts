import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readAnswer } from '../../../../harness/hosts/far-channel.ts';
import { maxTrialFiles } from '../../../../harness/hosts/far-files.ts';
import { requireOwnAddress, type ClientPlace } from '../../../../harness/hosts/client-place.ts';
import type { Answered, FarCall } from '../../../../harness/hosts/far-protocol.ts';
import { doneOf, farWorkers, sentOrder } from '../../../../harness/hosts/far-worker.ts';
import type { DoneMessage } from '../../../../harness/trial/worker-process.ts';
import { readOutside } from '../../../../src/core/model/sides-of-trial.ts';
import type { TrialOrder } from '../../../../harness/trial/worker-protocol.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const raw = {
  schemaVersion: 1 as const,
  trialId: 'b000-c00-x-h2',
  instrumentation: 'uninstrumented' as const,
  outcome: 'completed' as const,
  browser: { name: 'Chromium', version: '153' },
  startedAt: '2026-01-05T08:30:00.000Z',
  durationMs: 1,
  measuredMs: 1,
  deadlineMs: 1,
  timings: null,
  session: null,
  cpu: null,
  frames: null,
  counters: {},
  warnings: [],
};
const done = { raw, artifacts: { har: 'page.har.gz' }, postProcessMs: 1, steps: [] };
const wanted = { trialId: raw.trialId, instrumentation: raw.instrumentation };

const frames = (count: number): readonly { readonly file: string; readonly tMs: number }[] =>
  Array.from({ length: count }, (_, at) => ({ file: `${at}.jpg`, tMs: at }));

test('what another machine says of a trial is read by the schema of a trial, and is that trial', () => {
  const answered = readAnswer('begin', done, 'far');
  assert.deepEqual(doneOf(answered, wanted, 'far'), { type: 'done', ...done, secrets: [] });
  for (const other of [
    { ...wanted, trialId: 'b001-c00-x-h2' },
    { ...wanted, instrumentation: 'instrumented' as const },
  ])
    assert.throws(() => doneOf(answered, other, 'far'), {
      code: 'bad-input',
      message: 'far measured another trial than it was asked for',
    });
  const bad: readonly unknown[] = [
    { ...done, artifacts: { har: '../../plan.json' } },
    { ...done, raw: { ...raw, trialId: '../x' } },
    { ...done, raw: { ...raw, durationMs: 'long' } },
    { ...done, raw: { ...raw, durationMs: 1e308 } },
    { ...done, raw: { ...raw, startedAt: 'never' } },
    { ...done, secrets: ['a'] },
    { ...done, artifacts: { raw: 'page.har.gz' } },
    { ...done, artifacts: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 'a'])) },
    { ...done, raw: { ...raw, frames: frames(maxTrialFiles + 1) } },
    { ...done, raw: { ...raw, frames: [...frames(2), ...frames(1)] } },
  ];
  for (const answer of bad)
    assert.throws(
      () => readAnswer('begin', answer, 'far'),
      { code: 'bad-input' },
      JSON.stringify(answer).slice(0, 1000),
    );
  assert.doesNotThrow(() =>
    readAnswer('begin', { ...done, raw: { ...raw, frames: frames(maxTrialFiles) } }, 'far'),
  );
});

test('what it says of a log never takes the place of the log here, and nothing of it steers a terminal', () => {
  const error = { code: 'internal', message: 'a\u001b[2Jb', stderrTail: '\u009bc' };
  const outside = Object.fromEntries(Object.keys(readOutside).map((field) => [field, 'a lie']));
  const told = {
    ...raw,
    ...outside,
    error,
    warnings: ['\u202ereversed'],
    browser: { name: 'Chro\u001bmium', version: '1' },
  };
  const { raw: kept } = doneOf(readAnswer('begin', { ...done, raw: told }, 'far'), wanted, 'far');
  for (const field of Object.keys(outside)) assert.ok(!(field in kept), field);
  assert.doesNotMatch(
    [kept.error?.message, kept.error?.stderrTail, kept.browser?.name, ...kept.warnings].join(''),
    /[\u001b\u009b\u202e]/,
  );
});

/** The machine of clients, which says of each call what the test has it say. */
function lyingPlace(answers: Readonly<Record<string, unknown>>): {
  readonly place: ClientPlace;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const host = {
    host: 'far',
    session: 1,
    lost: () => undefined,
    ask: async (call: FarCall) => {
      asked.push(call);
      // A trial is measured before it is over.
      if (call === 'begin') await setImmediate();
      return { answered: readAnswer(call, answers[call] ?? {}, 'far'), clock: { offsetMs: 0, boundMs: 1 } };
    },
  };
  const clock = { nowEpochMs: () => Date.now() };
  return { place: { host, clock } as unknown as ClientPlace, asked };
}

test('an answer of the other machine that is none fails its trial alone, which is ended over the same connection', async (t) => {
  const order = {
    ...wanted,
    trialDir: tempFolder(t),
    server: null,
    workload: { id: 'page', roots: [] },
  } as unknown as TrialOrder;
  const told = { worker: { worker: 3 }, begin: done, files: { files: [] } };
  const begun = async (answers: Readonly<Record<string, unknown>>): Promise<DoneMessage> => {
    const { place, asked } = lyingPlace({ ...told, ...answers });
    const worker = farWorkers(place)({ prefix: [], family: 'chromium' });
    worker.prepare(order);
    try {
      return await worker.begin(1000, { measured: () => undefined });
    } finally {
      assert.equal(worker.isLost?.(), false);
      await worker.end();
      assert.equal(asked.at(-1), 'release');
    }
  };
  assert.equal((await begun({})).raw.trialId, raw.trialId);
  const lies: Readonly<Record<string, unknown>> = {
    order: { more: 1 },
    untilMeasured: { measured: true },
    begin: { ...done, raw: { ...raw, durationMs: 'long' } },
    files: { files: [{ path: '../plan.json', bytes: 1 }] },
  };
  for (const [call, lie] of Object.entries(lies))
    await assert.rejects(begun({ [call]: lie }), {
      code: 'bad-input',
      message: new RegExp(`^far gave an answer to "${call}" that is none: `),
    });
});

test('no folder, process or secret of this machine is in an order for another', () => {
  const root = { host: 'a.test', directory: '/home/lab/site', origin: { command: ['/usr/bin/app'] } };
  const order = {
    trialId: 'x',
    trialDir: '/home/lab/results/x',
    tempDir: '/tmp/lab',
    server: { address: '10.0.0.1', port: 8443, pid: 7, qlogDir: '/tmp/qlog' },
    workload: { id: 'page', roots: [root] },
  } as unknown as TrialOrder;
  assert.deepEqual(JSON.parse(JSON.stringify(sentOrder(order))), {
    trialId: 'x',
    server: { address: '10.0.0.1', port: 8443 },
    workload: { id: 'page', roots: [{ host: 'a.test', directory: '' }] },
  });
  const secret = { ...order, access: { secrets: ['key'] } } as unknown as TrialOrder;
  assert.throws(() => sentOrder(secret), { code: 'internal' });
});

test('a client that another machine names has no words that steer a terminal, and no field of its own', () => {
  const client = {
    id: 'chromium',
    family: 'chromium',
    name: 'Chromium',
    version: '153',
    build: 'full',
    source: 'system',
    executablePath: '/usr/bin/chromium',
    headed: false,
    environment: {},
  };
  const read = (found: unknown): Answered<'clients'> =>
    readAnswer('clients', { clients: [{ name: 'chromium', found }] }, 'far');
  assert.deepEqual(read(client).clients[0]?.found, client);
  for (const change of [{ version: '\u001b]0;x' }, { executablePath: 'a\nb' }, { id: '' }, { run: 'x' }])
    assert.throws(() => read({ ...client, ...change }), { code: 'bad-input' });
});

test('servers are for clients that reach this machine itself', () => {
  const far = '10.0.0.2';
  assert.doesNotThrow(() =>
    requireOwnAddress({ address: far, nearAddress: '10.0.0.1' }, 'far', ['10.0.0.1']),
  );
  const itself = /^far cannot have the client: it is this machine itself$/;
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['127.0.0.1', '127.0.0.1', itself],
    ['10.0.0.1', '10.0.0.1', itself],
    [far, 'fe80::1', /over IPv6/],
    [far, '192.0.2.7', /it sees this machine at 192\.0\.2\.7, which is another's address/],
  ];
  for (const [address, nearAddress, message] of refused)
    assert.throws(() => requireOwnAddress({ address, nearAddress }, 'far', ['10.0.0.1', '127.0.0.1']), {
      code: 'unsupported',
      message,
    });
});
