import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ExpectedLoads } from '../../../../src/app/run/expected-loads.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { writeEvidence, writeHar } from '../../../../src/store/evidence.ts';
import type { RunDirectory } from '../../../../src/store/run-directory.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { harEntry, harOf, pageEvidence } from '../../analyse/derive/evidence.ts';

type Record = Pick<
  TrialRecord,
  'trialId' | 'arm' | 'client' | 'workload' | 'factors' | 'status' | 'artifacts'
>;

function record(trialId: string, changes: Partial<Record> = {}): Record {
  return {
    trialId,
    arm: 'h3',
    client: 'chromium',
    workload: 'page-a',
    factors: { protocol: 'h3' },
    status: 'ok',
    artifacts: { har: `trials/${trialId}/page.har.gz` },
    ...changes,
  };
}

/** A run whose trials loaded the page and these scripts, a trial each. */
function runOf(t: TestContext, records: readonly Record[], workload: object = {}): RunDirectory {
  const folder = tempFolder(t);
  for (const { trialId } of records) {
    mkdirSync(join(folder, trialId));
    writeHar(
      join(folder, trialId),
      harOf([harEntry(), harEntry({ url: `https://site.test/${trialId}.js` })]),
    );
  }
  return {
    plan: { workloads: [{ id: 'page-a', kind: 'page', ...workload }] },
    trialDir: (trialId: string) => join(folder, trialId),
    journal: () => ({ records, warnings: [] }),
  } as unknown as RunDirectory;
}

const addressesOf = (loads: ExpectedLoads, trial = record('next')): string[] =>
  (loads.of(trial)?.requests ?? []).map(({ url }) => url.replace('https://site.test/', '')).toSorted();

test('a trial is held to what the same arm loaded of the same page, after a resume as well', (t) => {
  const others = [record('other-arm', { arm: 'h2' }), record('other-client', { client: 'firefox' })];
  const loads = new ExpectedLoads(runOf(t, [record('one'), ...others]));
  assert.deepEqual(addressesOf(loads), ['', 'one.js']);
  assert.equal(loads.of(record('next', { arm: 'h1' })), undefined);
});

test('what counts is added as it comes, and what does not count is not', (t) => {
  const later = [record('two'), record('bad', { status: 'invalid' })];
  const directory = runOf(t, [record('one'), ...later]);
  const before = { ...directory, journal: () => ({ ...directory.journal(), records: [record('one')] }) };
  const loads = new ExpectedLoads(before as unknown as RunDirectory);
  later.forEach((trial) => loads.took(trial, trial));
  assert.deepEqual(addressesOf(loads), ['', 'one.js', 'two.js']);
  assert.equal(loads.of(record('next'))?.loads, 2);
});

test('a page that changes meanwhile is held to its latest loads', (t) => {
  const loads = new ExpectedLoads(
    runOf(
      t,
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => record(id)),
    ),
  );
  assert.deepEqual(addressesOf(loads), ['', 'c.js', 'd.js', 'e.js', 'f.js']);
});

test('second visits, and what is no page, are held to nothing', (t) => {
  assert.equal(
    new ExpectedLoads(runOf(t, [record('one')], { view: 'repeat' })).of(record('next')),
    undefined,
  );
  assert.equal(new ExpectedLoads(runOf(t, [record('one')], { kind: 'video' })).of(record('next')), undefined);
});

test('what a live page loaded before its trials counts for each arm', (t) => {
  const loads = new ExpectedLoads(runOf(t, []), new Map([['page-a', harOf([harEntry()])]]));
  for (const arm of ['h2', 'h3']) assert.deepEqual(addressesOf(loads, record('next', { arm })), ['']);
});

test('a header that a recorded load lost by way of a server is known of all later trials by way of it, after a resume as well', (t) => {
  const bad = record('bad', { status: 'invalid', artifacts: { raw: 'trials/bad/raw.json.gz' } });
  const directory = runOf(t, [record('one'), bad]);
  const own = { ...directory, plan: { ...directory.plan, app: {} } } as unknown as RunDirectory;
  const url = 'https://app.test:8443/api';
  const folder = directory.trialDir('bad');
  const route = { hosts: [{ host: 'app.test', origin: 'http://localhost:1' }], port: 8443 };
  const evidence = pageEvidence();
  writeEvidence(folder, {
    ...evidence,
    workload: {
      ...evidence.workload,
      app: { url: 'http://localhost:1/', route, block: [], thirdParties: 'blocked' },
    },
    raw: {
      ...evidence.raw,
      app: { answered: 1, waits: [], slowest: null, failures: [], oddNames: {}, sockets: [], unended: [] },
    },
  });
  const entry = harEntry({ url });
  const headers = [{ name: 'X_Own', value: '1' }];
  writeHar(folder, harOf([{ ...entry, request: { ...entry.request, headers } }]));
  const lost = { name: 'x_own', url };
  assert.deepEqual(new ExpectedLoads(own).of(record('next', { arm: 'h2' }))?.lostHeader, lost);
  const other = record('next', { factors: { protocol: 'h3', server: 'nginx' } });
  assert.equal(new ExpectedLoads(own).of(other)?.lostHeader, undefined, 'another server');
  assert.equal(
    new ExpectedLoads(directory).of(record('next'))?.lostHeader,
    undefined,
    'a run without an app',
  );
});
