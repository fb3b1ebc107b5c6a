import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appFindings, appWarnings, judgedObjects } from '../../../../src/analyse/validity/app-rules.ts';
import { failureFindings } from '../../../../src/analyse/validity/object-rules.ts';
import { serverLogFindings } from '../../../../src/analyse/validity/server-log-rules.ts';
import type { NetworkObject } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { AppLedger } from '../../../../src/core/model/app-ledger.ts';
import type { AppPage } from '../../../../src/core/model/app-under-test.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import type { Har, HarEntry } from '../../../../src/core/model/har.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

const quiet: AppLedger = { answered: 1, waits: [], slowest: null, failures: [], sockets: [], unended: [] };

function evidenceOf(
  ledger: Partial<AppLedger> | null,
  thirdParties: AppPage['thirdParties'] = 'blocked',
): TrialEvidence {
  const route = { hosts: [{ host: 'app.test', origin: 'http://localhost:1' }], port: 8443 };
  const app: AppPage = { url: 'http://localhost:1/', route, block: [], thirdParties };
  return {
    workload: { app, loggedHosts: ['app.test'] },
    raw: ledger === null ? {} : { app: { ...quiet, ...ledger } },
  } as unknown as TrialEvidence;
}

const objectAt = (url: string, status = 200): NetworkObject => {
  const { hostname, pathname } = new URL(url);
  const error = status >= 400 ? { error: `status ${status}` } : {};
  return {
    url,
    host: hostname,
    path: pathname,
    status,
    method: 'GET',
    bodyBytes: 3,
    wireBytes: 9,
    ...error,
  } as NetworkObject;
};
const logged = (path: string, status = 200): ServerLogEntry => ({
  host: 'app.test',
  path,
  status,
  method: 'GET',
  protocol: 'h2',
  bytes: 3,
  startEpochMs: 0,
  durationMs: 1,
});

/** A recorded request, with the headers that the browser sent. */
const recorded = (url: string, names: readonly string[], more: Partial<HarEntry> = {}): HarEntry =>
  ({ request: { url, headers: names.map((name) => ({ name, value: '1' })) }, ...more }) as HarEntry;

const nothing = { loads: 0, isRecorded: true, requests: [] };

const withHar = (ledger: Partial<AppLedger>, entries: readonly HarEntry[]): TrialEvidence => ({
  ...evidenceOf(ledger),
  har: { log: { entries } } as unknown as Har,
});

test('a header that a server dropped on its way to the app makes the trial invalid, by its name', () => {
  const url = 'https://app.test:8443/api?q=1';
  const sent = [recorded(`${url}#top`, [':authority', 'accept', 'X_Own', 'x.dotted'])];
  assert.deepEqual(appFindings(withHar({ oddNames: { [url]: ['x_own', 'x.dotted'] } }, sent)), []);
  const [finding] = appFindings(withHar({ oddNames: { [url]: ['x.dotted'] } }, sent));
  assert.equal(finding?.status, 'invalid');
  assert.match(
    finding.reason,
    /the header x_own of https:\/\/app\.test:8443\/api\?q=1 did not reach the app[^]*--server nginx/,
  );
  const others = [
    recorded('https://third.test/', ['x_own']),
    recorded(url, ['x_own'], { _fromCache: true }),
    recorded(url, ['x_own'], { _h2h3: { source: 'timeline' } }),
    recorded(url, ['x-own', ':path']),
  ];
  assert.deepEqual(appFindings(withHar({ oddNames: {} }, others)), []);
  assert.deepEqual(appFindings(withHar({}, sent)), [], 'a run that did not note them');
  const timed = {
    ...evidenceOf({ oddNames: {} }),
    expected: { ...nothing, lostHeader: { name: 'x_own', url } },
  };
  assert.match(appFindings(timed)[0]?.reason ?? '', /the header x_own of/, 'an earlier recorded load saw it');
});

test('an app that gave no answer makes the trial invalid, with what to do', () => {
  assert.deepEqual(appFindings(evidenceOf({})), []);
  const failures = [1, 2].map((id) => ({ url: `https://app.test/${id}`, why: 'connect ECONNREFUSED' }));
  const [finding] = appFindings(evidenceOf({ failures }));
  assert.equal(finding?.status, 'invalid');
  assert.match(
    finding.reason,
    /no answer to https:\/\/app\.test\/1 \(and 1 more\): connect ECONNREFUSED\. Look whether/,
  );
  assert.match(appFindings(evidenceOf(null))[0]?.reason ?? '', /not known/);
});

test('hosts of others are no part of an app, and are named', () => {
  const objects = [
    objectAt('https://app.test/'),
    objectAt('https://ads.test/x'),
    objectAt('http://localhost:4000/y'),
  ];
  const { workload } = evidenceOf({});
  assert.deepEqual(judgedObjects(workload, objects), objects.slice(0, 1));
  assert.deepEqual(judgedObjects(evidenceOf({}, 'recorded').workload, objects), objects);
  const said = appWarnings(
    evidenceOf({ sockets: ['https://app.test/live'], unended: ['https://app.test/s'] }),
    objects,
  );
  assert.match(said.join('\n'), /^requests to other hosts were blocked: ads\.test, localhost/m);
  assert.match(said.join('\n'), /--app NAME=http/);
  assert.match(said.join('\n'), /^web sockets .*: \/live$/m);
  assert.match(said.join('\n'), /^answers of the app were not over .*: \/s \(--block/m);
  assert.match(appWarnings(evidenceOf({}, 'live'), objects).join(), /2 objects came from other hosts/);
});

test('what an app refuses each time is its page, and what it fails at is not', () => {
  const { workload } = evidenceOf({});
  const objects = [objectAt('https://app.test/'), objectAt('https://app.test/none', 404)];
  assert.deepEqual(failureFindings(objects, workload), []);
  assert.match(
    appWarnings(evidenceOf({}), objects).join(),
    /1 requests? with an error of its own \(4xx\): \/none/,
  );
  assert.deepEqual(serverLogFindings('h2', workload, [logged('/'), logged('/none', 404)], objects), []);
  const unlike = serverLogFindings('h2', workload, [logged('/'), logged('/none', 410)], objects);
  assert.match(unlike.map(({ reason }) => reason).join(), /log says status 410/);
  const broken = [objectAt('https://app.test/', 500)];
  assert.equal(failureFindings(broken, workload).length, 1);
});

test('a web socket in the server’s log is no unknown request, and a cut chunked body is told by its upper bound', () => {
  const { workload } = evidenceOf({});
  const socket = { ...logged('/live', 101), protocol: 'http/1.1' };
  assert.deepEqual(
    serverLogFindings('h2', workload, [logged('/'), socket], [objectAt('https://app.test/')]),
    [],
  );
  const rough = { ...logged('/'), bytes: 250, isUpperBound: true };
  assert.deepEqual(serverLogFindings('h2', workload, [rough], [objectAt('https://app.test/')]), []);
  for (const bytes of [2, 100_000]) {
    const unlike = serverLogFindings('h2', workload, [{ ...rough, bytes }], [objectAt('https://app.test/')]);
    assert.equal(unlike.length, 1, `a body that is far from the ${bytes} bytes of the log`);
  }
});
