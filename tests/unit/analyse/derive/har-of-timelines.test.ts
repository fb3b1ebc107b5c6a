import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harOfTimelines, type UnrecordedLoad } from '../../../../src/analyse/derive/har-of-timelines.ts';
import type { ExpectedLoad } from '../../../../src/core/model/expected-load.ts';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import type { Har, HarEntry } from '../../../../src/core/model/har.ts';
import type { ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import type { Timeline, TimelineEntry } from '../../../../src/core/model/timeline.ts';
import { originEpochMs, pageTimings } from './evidence.ts';

const host = 'site.test';

function entry(url: string, startMs: number, changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    url,
    startMs,
    redirectEndMs: 0,
    workerStartMs: 0,
    domainLookupStartMs: startMs,
    connectStartMs: startMs,
    secureConnectionStartMs: startMs,
    connectEndMs: startMs,
    requestStartMs: startMs + 1,
    responseStartMs: startMs + 5,
    responseEndMs: startMs + 9,
    protocol: 'h3',
    status: 200,
    delivery: '',
    transferBytes: 1300,
    encodedBytes: 1000,
    decodedBytes: 2000,
    initiator: 'img',
    ...changes,
  };
}

function logged(path: string, startMs: number, changes: Partial<ServerLogEntry> = {}): ServerLogEntry {
  return {
    host,
    path,
    method: 'GET',
    protocol: 'h3',
    status: 200,
    bytes: 1000,
    startEpochMs: originEpochMs + startMs,
    durationMs: 4,
    connection: '40000',
    ...changes,
  };
}

function entriesOf(
  entries: readonly TimelineEntry[],
  serverLog: readonly ServerLogEntry[] | null,
  others: readonly Timeline[] = [],
  more: Partial<UnrecordedLoad> = {},
): HarEntry[] {
  const page: Timeline = {
    scope: 'page',
    url: `https://${host}/`,
    timeOriginEpochMs: originEpochMs,
    droppedEntries: 0,
    entries: [...entries],
  };
  return harOfTimelines({
    url: page.url,
    timings: pageTimings(),
    timelines: [page, ...others],
    serverLog,
    loggedHosts: [host],
    refusedSockets: [`https://${host}:8443/live`],
    blocked: ['/ads/'],
    software: { creator: { name: 'h2h3', version: '1' } },
    ...more,
  }).log.entries;
}

test('a web socket that a replay refused is none of its objects, whatever its protocol', () => {
  const refused = { status: 404, protocol: 'h1', bytes: 20 };
  const [, socket, other] = entriesOf(
    [entry(`https://${host}/a`, 10)],
    [logged('/a', 11), logged('/live', 20, refused), logged('/late', 30, refused)],
  );
  assert.deepEqual([socket?._resourceType, other?._resourceType], ['websocket', 'other']);
});

test('an object of the timeline has its times from the browser, method, status and connection from the log', () => {
  const [one] = entriesOf(
    [entry(`https://${host}/a`, 10, { status: 0 })],
    [logged('/a', 11, { method: 'POST' })],
  );
  assert.equal(one?.request.method, 'POST');
  assert.equal(one?.response.status, 200);
  assert.equal(one?.response.httpVersion, 'h3');
  assert.equal(one?.response.bodySize, 1000);
  assert.equal(one?.connection, '40000');
  assert.equal(one?._h2h3?.source, 'timeline');
});

test('what no timeline has is taken from the log: preflights, icons, workers that have ended', () => {
  const entries = entriesOf(
    [entry(`https://${host}/a`, 10)],
    [logged('/a', 11), logged('/a', 10.5, { method: 'OPTIONS', status: 204, bytes: 0 }), logged('/late', 50)],
  );
  assert.deepEqual(
    entries.map(({ request, _h2h3 }) => [request.method, request.url, _h2h3?.source]),
    [
      ['GET', `https://${host}/a`, 'timeline'],
      ['OPTIONS', `https://${host}/a`, 'log'],
      ['GET', `https://${host}/late`, 'log'],
    ],
  );
});

test('a script that asks for one address by GET, OPTIONS and HEAD has an answer of the log for each', () => {
  const missing = { status: 404, bytes: 0 };
  const page = entry(`https://${host}/`, 0, { initiator: 'navigation' });
  const probes = [20, 30].map((startMs) =>
    entry(page.url, startMs, { status: 404, encodedBytes: 0, decodedBytes: 0, initiator: 'xmlhttprequest' }),
  );
  const log = [
    logged('/', 1),
    logged('/', 21, { ...missing, method: 'OPTIONS' }),
    logged('/', 31, { ...missing, method: 'HEAD' }),
  ];
  const told = entriesOf([page, ...probes], log).map(({ request, response }) => [
    request.method,
    response.status,
  ]);
  assert.deepEqual(told.toSorted(), [
    ['GET', 200],
    ['HEAD', 404],
    ['OPTIONS', 404],
  ]);
});

test('a request whose preflight was refused takes no answer from it', () => {
  const refused = logged('/a', 10, { method: 'OPTIONS', status: 403, bytes: 0 });
  const unsent = { status: 0, transferBytes: 0, encodedBytes: 0, decodedBytes: 0, protocol: '' };
  const told = entriesOf([entry(`https://${host}/a`, 10, unsent)], [refused]);
  assert.deepEqual(
    told.map(({ request, response, _h2h3 }) => [request.method, response.status, _h2h3?.source]).toSorted(),
    [
      ['GET', 0, 'timeline'],
      ['OPTIONS', 403, 'log'],
    ],
  );
});

test('a web socket of the log is named as one', () => {
  const [, socket] = entriesOf(
    [entry(`https://${host}/a`, 10)],
    [logged('/a', 11), logged('/ws', 20, { status: 101, protocol: 'h1' })],
  );
  assert.equal(socket?._resourceType, 'websocket');
});

test('the protocol is what the browser says, so that another than the log has shows', () => {
  const [one] = entriesOf([entry(`https://${host}/a`, 10, { protocol: 'h2' })], [logged('/a', 11)]);
  assert.equal(one?.response.httpVersion, 'h2');
});

test('a protocol that the browser withholds with the sizes is the log’s', () => {
  const withheld = { protocol: '', transferBytes: 300, encodedBytes: 0, decodedBytes: 0 };
  const [one] = entriesOf([entry(`https://${host}/a`, 10, withheld)], [logged('/a', 11)]);
  assert.equal(one?.response.httpVersion, 'h3');
});

test('an answer with sizes and without a protocol contradicts the log, whose servers let pages read both', () => {
  const [one] = entriesOf([entry(`https://${host}/a`, 10, { protocol: '' })], [logged('/a', 11)]);
  assert.equal(one?.response.httpVersion, 'unknown');
  assert.equal(one?.connection, '40000');
});

test('what a service worker answered is its own request, once', () => {
  const worker: Timeline = {
    scope: 'worker',
    url: `https://${host}/service.js`,
    timeOriginEpochMs: originEpochMs,
    droppedEntries: 0,
    entries: [entry(`https://${host}/a`, 12)],
  };
  const entries = entriesOf(
    [entry(`https://${host}/a`, 10, { workerStartMs: 10 })],
    [logged('/a', 13)],
    [worker],
  );
  assert.deepEqual(
    entries.map(({ _h2h3, _fromServiceWorker = false }) => [_h2h3?.scope, _fromServiceWorker]),
    [
      ['page', true],
      ['worker', false],
    ],
  );
  assert.equal(networkObjectsOf({ log: { entries } } as unknown as Har).length, 1);
});

test('what a service worker made itself has no server, in Chromium and in Firefox, which names no worker', () => {
  const made = [
    entry(`https://${host}/a`, 10, { workerStartMs: 10, delivery: 'cache', transferBytes: 0 }),
    entry(`https://${host}/a`, 10, {
      transferBytes: 0,
      encodedBytes: 0,
      decodedBytes: 0,
      protocol: '',
      status: 200,
    }),
  ];
  for (const one of made) {
    const entries = entriesOf([one], []);
    assert.deepEqual(
      entries.map(({ _fromServiceWorker, _fromCache, response }) => [
        _fromServiceWorker,
        _fromCache,
        response._error,
      ]),
      [[true, undefined, undefined]],
    );
    assert.deepEqual(networkObjectsOf({ log: { entries } } as unknown as Har), []);
  }
  const [failed] = entriesOf([{ ...made[1]!, status: 0 }], []);
  assert.match(String(failed?.response._error), /no answer/, 'what failed has no status');
});

test('of a live address a service worker answered what it asked for itself, and what took nothing from the network', () => {
  const worker: Timeline = {
    scope: 'worker',
    url: `https://${host}/service.js`,
    timeOriginEpochMs: originEpochMs,
    droppedEntries: 0,
    entries: [entry(`https://${host}/asked`, 12)],
  };
  const ofPage = [
    entry(`https://${host}/made`, 10, { workerStartMs: 10, delivery: 'cache', transferBytes: 0 }),
    entry(`https://${host}/asked`, 11, { workerStartMs: 11 }),
    entry(`https://${host}/let-through`, 12, { workerStartMs: 12 }),
  ];
  const entries = entriesOf(ofPage, null, [worker]);
  assert.deepEqual(
    networkObjectsOf({ log: { entries } } as unknown as Har).map(({ url, fromCache }) => [url, fromCache]),
    [
      [`https://${host}/asked`, false],
      [`https://${host}/let-through`, false],
    ],
  );
});

test('an object that came from a cache says so, and stands in no log', () => {
  const cached = entry(`https://${host}/a`, 10, { transferBytes: 0, delivery: 'cache' });
  assert.equal(entriesOf([cached], [])[0]?._fromCache, true);
  const hinted = { ...cached, initiator: 'early-hints', encodedBytes: 3 };
  assert.equal(entriesOf([hinted], [])[0]?._fromCache, undefined);
});

test('an object that was asked for and never came has failed', () => {
  const lost = entry(`https://${host}/a`, 10, {
    transferBytes: 0,
    encodedBytes: 0,
    decodedBytes: 0,
    status: 0,
    responseStartMs: 0,
  });
  assert.match(String(entriesOf([lost], [])[0]?.response._error), /no answer/);
  assert.match(String(entriesOf([lost], [logged('/a', 11)])[0]?.response._error), /did not reach/);
});

test('sizes that the browser withholds are the log’s, and a redirect has the log’s status and body', () => {
  const withheld = entry(`https://${host}/a`, 10, { transferBytes: 300, encodedBytes: 0, decodedBytes: 0 });
  assert.equal(entriesOf([withheld], [logged('/a', 11)])[0]?.response.bodySize, 1000);
  const redirected = entry(`https://${host}/a`, 10);
  const [first] = entriesOf([redirected], [logged('/a', 11, { status: 302, bytes: 0 }), logged('/b', 12)]);
  assert.equal(first?.response.status, 302);
  assert.equal(first?.response.bodySize, 0);
});

test('of a live address nothing that shows no times is taken for a failure: a redirect to another host looks the same', () => {
  const empty = { transferBytes: 0, encodedBytes: 0, status: 0, protocol: '', responseStartMs: 0 };
  for (const url of ['https://elsewhere.test/a', `https://${host}/led-elsewhere`]) {
    const [hidden] = entriesOf([entry(url, 10, empty)], null);
    assert.equal(hidden?.response._error, undefined);
    assert.equal(hidden?.response.httpVersion, 'unknown');
  }
});

test('what the plan leaves out has failed for that reason, on any host', () => {
  const empty = { transferBytes: 0, encodedBytes: 0, status: 0, protocol: '', responseStartMs: 0 };
  const [leftOut] = entriesOf([entry('https://elsewhere.test/ads/a', 10, empty)], null);
  assert.equal(leftOut?.response.status, 0);
  assert.match(String(leftOut?.response._error), /left out by the plan/);
});

test('of a live address the timeline alone is there', () => {
  const [one] = entriesOf([entry('https://elsewhere.test/a', 10, { status: 0 })], null);
  assert.equal(one?.response.status, 200);
  assert.equal(one?.response._error, undefined);
});

/** What Resource Timing has of a request that failed, and of one whose host lets no page read how it answered. */
const nothing = {
  protocol: '',
  status: 0,
  transferBytes: 0,
  encodedBytes: 0,
  decodedBytes: 0,
  requestStartMs: 0,
  responseStartMs: 0,
};

const outcomesOf = (entries: readonly HarEntry[]): (string | number)[] =>
  entries.map(({ response }) => response._error ?? response.status);

test('in a recorded site a request of which nothing shows failed, whatever its host', () => {
  const lost = 'https://cdn.lost.test/a.png';
  const entries = [entry(lost, 10, nothing), entry(`https://${host}/a.js`, 20, nothing)];
  assert.deepEqual(outcomesOf(entriesOf(entries, [], [], { loggedHosts: [], replayedHosts: [host] })), [
    'no answer (Resource Timing)',
    'given up before it was sent (Resource Timing)',
  ]);
});

test('of servers that are not ours a recorded load says which request failed', () => {
  const urls = [
    'https://dead.test/x.png',
    'https://dead.test/y.js?v=2',
    'https://cdn.test/a.png',
    'https://new.test/',
  ];
  const of = (changes: Partial<ExpectedLoad> = {}): (string | number)[] =>
    outcomesOf(
      entriesOf(
        urls.map((url, index) => entry(url, 10 * index, nothing)),
        null,
        [],
        {
          expected: {
            loads: 1,
            isRecorded: true,
            requests: [
              {
                method: 'GET',
                url: 'https://dead.test/x.png',
                status: 0,
                error: 'net::ERR_FAILED',
                isInEveryLoad: false,
              },
              { method: 'GET', url: 'https://cdn.test/a.png', status: 200, isInEveryLoad: true },
            ],
            ...changes,
          },
        },
      ),
    );
  assert.deepEqual(of(), [
    'net::ERR_FAILED (when it was recorded)',
    'net::ERR_FAILED (of its host, when it was recorded)',
    200,
    200,
  ]);
  assert.deepEqual(
    of({ isRecorded: false }),
    [200, 200, 200, 200],
    'a load that was not recorded does not know',
  );
});

test('a host that answered anything in the recorded load is not taken for dead', () => {
  const request = { method: 'GET', isInEveryLoad: false };
  const requests = [
    { ...request, url: 'https://cdn.test/gone.png', status: 0, error: 'net::ERR_ABORTED' },
    { ...request, url: 'https://cdn.test/a.png', status: 200 },
  ];
  const found = entriesOf([entry('https://cdn.test/other.png', 10, nothing)], null, [], {
    expected: { loads: 1, isRecorded: true, requests },
  });
  assert.deepEqual(outcomesOf(found), [200]);
});
