import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { networkObjectsOf } from '../../../../src/core/metrics/evidence/network-object.ts';
import { judgeTrial } from '../../../../src/analyse/validity/judge-trial.ts';
import type { Judgement } from '../../../../src/analyse/validity/judge-trial.ts';
import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import type { HarEntry } from '../../../../src/core/model/har.ts';
import type { RawTrial } from '../../../../src/core/model/raw-trial.ts';
import {
  chunk,
  downloadEvidence,
  downloadSession,
  harEntry,
  harOf,
  logEntry,
  pageEvidence,
  pageTimings,
  rawTrial,
  stream,
  videoEvidence,
  videoSession,
} from '../derive/evidence.ts';

const judge = (evidence: TrialEvidence): Judgement => judgeTrial(evidence, networkObjectsOf(evidence.har));
const page = (entries: readonly HarEntry[], raw: Partial<RawTrial> = {}): TrialEvidence =>
  pageEvidence({ har: harOf(entries), raw: rawTrial(raw) });
/** The same trial with other raw evidence. */
const withRaw = (evidence: TrialEvidence, raw: Partial<RawTrial>): TrialEvidence => ({
  ...evidence,
  raw: { ...evidence.raw, ...raw },
});

test('whole evidence of each kind is ok', () => {
  for (const evidence of [pageEvidence(), videoEvidence(), downloadEvidence()]) {
    assert.deepEqual(judge(evidence), { status: 'ok', warnings: [] });
  }
});

test('one object over another protocol makes the trial invalid, with the object named', () => {
  const { status, reason } = judge(
    page([harEntry(), harEntry({ url: 'https://site.test/a.js', httpVersion: 'http/1.1' })]),
  );
  assert.equal(status, 'invalid');
  assert.equal(reason, 'https://site.test/a.js came over h1, expected h2');
});

test('of a live page hosts without HTTP/3 may answer over TCP and are counted, others may not', () => {
  const live = { h3Hosts: ['site.test:443'], block: ['/ads/'], connectTo: [], acceptedKeys: [] };
  const judgeLive = (protocol: 'h2' | 'h3', entries: readonly HarEntry[]): Judgement => {
    const evidence = page(entries);
    const workload = { ...evidence.workload, live: { ...live, remote: null as never } };
    return judge({ ...evidence, workload, protocol });
  };
  const own = harEntry({ httpVersion: 'h3' });
  const foreign = harEntry({ url: 'https://cdn.test/a.png', httpVersion: 'http/1.1' });
  const { status, warnings } = judgeLive('h3', [own, foreign]);
  assert.equal(status, 'ok');
  assert.match(warnings.join(), /1 of 2 objects are of hosts without HTTP\/3 .*: cdn\.test/);
  const overHttp = harEntry({ url: 'http://site.test/a', httpVersion: 'http/1.1' });
  const led = judgeLive('h3', [own, overHttp]);
  assert.equal(led.status, 'ok', led.reason);
  assert.match(led.warnings.join(), /1 of 2 objects .* came over TCP: http:\/\/site\.test/);
  const fellBack = harEntry({ url: 'https://site.test/b', httpVersion: 'h2' });
  assert.equal(judgeLive('h3', [own, fellBack]).status, 'invalid');
  const quicInH2 = harEntry({ url: 'https://cdn.test/a.png', httpVersion: 'h3' });
  assert.equal(judgeLive('h2', [harEntry(), quicInH2]).status, 'invalid');
});

test('a protocol that the browser does not name is not proven', () => {
  const { status, reason } = judge(page([harEntry({ httpVersion: 'unknown' })]));
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /came over unknown, expected h2/);
});

test('arm auto takes every protocol, and data and blob addresses have none', () => {
  const entries = [
    harEntry({ httpVersion: 'h3' }),
    harEntry({ url: 'https://site.test/a', httpVersion: 'h2' }),
  ];
  assert.equal(judge({ ...page(entries), protocol: 'auto' }).status, 'ok');
  const inline = ['data:,x', 'blob:https://site.test/1'].map((url) => harEntry({ url, httpVersion: 'data' }));
  assert.equal(judge(page([harEntry(), ...inline])).status, 'ok');
});

for (const [what, parts, words] of [
  ['an aborted object', { response: { _error: 'net::ERR_ABORTED' } }, 'failed: net::ERR_ABORTED'],
  ['an object without answer', { status: 0 }, 'failed: no response'],
  ['a missing object', { status: 404 }, 'failed: status 404'],
  ['an object from a cache', { entry: { _fromCache: true } }, "came from the browser's cache in a cold load"],
] as const) {
  test(`${what} makes the trial invalid, with the object named`, () => {
    const url = 'https://site.test/bad.png';
    const { status, reason } = judge(page([harEntry(), harEntry({ url, ...parts })]));
    assert.equal(status, 'invalid');
    assert.equal(reason, `${url} ${words}`);
  });
}

test('of a server that may use one cipher suite alone, every request must have come over it', () => {
  const cipher = 'TLS_CHACHA20_POLY1305_SHA256';
  const testbed = { links: [], server: { cipher }, proxies: [] } as unknown as RawTrial['testbed'];
  const judged = (logged: object): Judgement =>
    judge(withRaw(pageEvidence(), { testbed, serverLog: [{ ...logEntry(), ...logged }] }));
  assert.equal(judged({ cipher }).status, 'ok');
  assert.match(
    judged({ cipher: 'TLS_AES_128_GCM_SHA256' }).reason ?? '',
    /came over TLS_AES_128_GCM_SHA256, expected/,
  );
  assert.match(judged({}).reason ?? '', /came over an unknown cipher suite/);
});

describe('a second visit', () => {
  const cachedUrl = 'https://site.test/style.css';
  const fromCache = harEntry({ url: cachedUrl, httpVersion: 'h3', entry: { _fromCache: true } });
  const revisit = (entries: readonly HarEntry[], raw: Partial<RawTrial> = {}): Judgement => {
    const evidence = page(entries, raw);
    return judge({ ...evidence, workload: { ...evidence.workload, view: 'repeat' } });
  };

  test('may take objects from the cache, over whatever protocol those once came', () => {
    assert.deepEqual(revisit([harEntry(), fromCache]), { status: 'ok', warnings: [] });
    assert.equal(revisit([harEntry(), fromCache], { serverLog: [logEntry()] }).status, 'ok');
  });

  test('must get over the arm’s protocol what comes over the network, by the browser and by the server', () => {
    const other = harEntry({ url: 'https://site.test/a.js', httpVersion: 'h3' });
    assert.equal(
      revisit([harEntry(), fromCache, other]).reason,
      'https://site.test/a.js came over h3, expected h2',
    );
    const { reason } = revisit([harEntry(), fromCache], { serverLog: [logEntry({ protocol: 'h3' })] });
    assert.match(reason ?? '', /site\.test\/: the server's log of the second visit says h3, expected h2/);
  });

  test('is invalid where the server was asked for what the browser says it had', () => {
    const asked = logEntry({ path: '/style.css' });
    const { status, reason } = revisit([harEntry(), fromCache], { serverLog: [logEntry(), asked] });
    assert.equal(status, 'invalid');
    assert.match(
      reason ?? '',
      /style\.css is in the server's log, but the browser says it came from its cache/,
    );
  });

  test('that asked nobody for anything compares nothing', () => {
    assert.match(revisit([fromCache]).reason ?? '', /all 1 objects .* no protocol was used/);
  });
});

test('redirects are objects that went well', () => {
  assert.equal(
    judge(page([harEntry({ status: 301 }), harEntry({ url: 'https://site.test/x' })])).status,
    'ok',
  );
});

test('a favicon that the browser asks for by itself may be missing, but not over another protocol', () => {
  const url = 'https://site.test/favicon.ico';
  assert.equal(judge(page([harEntry(), harEntry({ url, status: 404 })])).status, 'ok');
  const { reason } = judge(page([harEntry(), harEntry({ url, status: 404, httpVersion: 'http/1.1' })]));
  assert.match(reason ?? '', /favicon\.ico came over h1/);
});

test('without a HAR, or with an empty one, nothing is proven', () => {
  assert.match(judge(pageEvidence({ har: null })).reason ?? '', /^no HAR/);
  assert.match(judge(page([])).reason ?? '', /no object/);
});

test('a page without load event, timings or end failed', () => {
  const noLoad = judge(page([harEntry()], { timings: pageTimings({ loadEventEndMs: 0 }) }));
  assert.deepEqual([noLoad.status, noLoad.reason], ['failed', 'the load event never fired']);
  assert.equal(judge(page([harEntry()], { timings: null })).status, 'failed');
  const error = { code: 'process-failed', message: 'the browser ended', stderrTail: 'out of memory' };
  const broken = judge(page([], { outcome: 'error', error }));
  assert.deepEqual(
    [broken.status, broken.reason],
    ['failed', 'the browser ended. Last lines: out of memory'],
  );
  const refused = judge(page([], { outcome: 'error', error: { code: 'unsupported', message: 'no H.264' } }));
  assert.equal(refused.status, 'unsupported');
});

test('a client that failed before a request came through is told with the length of the chain', () => {
  const error = { code: 'process-failed', message: 'CRYPTO_BUFFER_EXCEEDED' };
  const reasonOf = (chainBytes: number, serverLog: RawTrial['serverLog']): string | undefined => {
    const handshake = { chainBytes, names: 1, keyType: null, tcpKeyExchange: null, quicKeyExchange: null };
    const server = { handshake: { ...handshake, compression: null } };
    const testbed = { links: [], server, proxies: [] } as unknown as NonNullable<RawTrial['testbed']>;
    return judge(page([], { outcome: 'error', error, testbed, serverLog })).reason;
  };
  assert.equal(
    reasonOf(22_528, []),
    'no request reached the server, which has a certificate chain of 22528 bytes: CRYPTO_BUFFER_EXCEEDED',
  );
  assert.equal(reasonOf(22_528, [logEntry()]), 'CRYPTO_BUFFER_EXCEEDED', 'the handshake was over');
  assert.equal(reasonOf(500, []), 'CRYPTO_BUFFER_EXCEEDED');
});

test('a failed trial names its failure, not what follows from it', () => {
  const { status, reason, warnings } = judge({ ...page([], { timings: null }), har: null });
  assert.equal(status, 'failed');
  assert.equal(reason, 'the page left no timings');
  assert.match(warnings.join(), /also: no HAR/);
});

test('a reached deadline is exactly that', () => {
  const { status, reason, warnings } = judge(
    page([harEntry(), harEntry({ url: 'https://site.test/cut', response: { _error: 'cut off' } })], {
      outcome: 'deadline',
      timings: null,
    }),
  );
  assert.deepEqual({ status, reason, warnings }, { status: 'failed', reason: 'deadline', warnings: [] });
});

test('a fallback that reached its deadline is invalid: it must not enter the comparison as a slow trial', () => {
  const evidence = page([harEntry({ httpVersion: 'h2' })], { outcome: 'deadline' });
  const { status, reason } = judge({ ...evidence, protocol: 'h3' });
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /came over h2, expected h3/);
});

test('the first finding decides and a bounded number of others is named', () => {
  const entries = Array.from({ length: 30 }, (_, index) =>
    harEntry({ url: `https://site.test/${index}`, status: 500 }),
  );
  const { reason, warnings } = judge(page(entries));
  assert.match(reason ?? '', /\/0 failed: status 500/);
  assert.equal(warnings.length, 11);
  assert.match(warnings.at(-1) ?? '', /19 more findings/);
});

const logged = (entries: readonly HarEntry[], log: RawTrial['serverLog']): TrialEvidence => {
  const evidence = page(entries, { serverLog: log });
  return { ...evidence, workload: { ...evidence.workload, loggedHosts: ['site.test'] } };
};

for (const [what, log, words] of [
  ['no log', null, /no server log/],
  ['an object missing in the log', [], /https:\/\/site\.test\/ is not in the server's log/],
  [
    'a log entry of another protocol',
    [logEntry({ protocol: 'HTTP/1.1' })],
    /log says HTTP\/1\.1, expected h2/,
  ],
  ['a log entry of another status', [logEntry({ status: 503 })], /log says status 503/],
  ['a body of another size', [logEntry({ bytes: 999 })], /server sent 999 body bytes, the browser got 1000/],
  [
    'an answer that both have alike, but not whole',
    [logEntry({ announcedBytes: 5000 })],
    /server sent 1000 of the 5000 body bytes that it announced/,
  ],
  [
    'a request that the browser does not know',
    [logEntry(), logEntry({ path: '/x' })],
    /site\.test\/x is in the server's log/,
  ],
  ['a request made twice', [logEntry(), logEntry()], /but not in the HAR/],
] as const) {
  test(`${what} makes the trial invalid`, () => {
    const { status, reason } = judge(logged([harEntry()], log === null ? null : [...log]));
    assert.equal(status, 'invalid');
    assert.match(reason ?? '', words);
  });
}

test('the log proves with ports in its hosts, redirects, partial contents, codings and answers without a body', () => {
  const headers = [{ name: 'content-encoding', value: 'gzip' }];
  const entries = [
    harEntry({ status: 302, bytes: 0 }),
    harEntry({ url: 'https://site.test/part', status: 206 }),
    harEntry({ url: 'https://site.test/coded', response: { headers, _transferSize: 450 } }),
    harEntry({ url: 'https://other.test/', httpVersion: 'h2' }),
    harEntry({ url: 'https://site.test/same', status: 304, bytes: 0 }),
  ];
  const log = [
    logEntry({ path: '/same', status: 304, bytes: 0, announcedBytes: 5000 }),
    logEntry({ host: 'site.test:8443', status: 302, bytes: 0, protocol: 'HTTP/2.0' }),
    logEntry({ path: '/part', status: 206 }),
    logEntry({ path: '/coded', bytes: 400 }),
    logEntry({ path: '/favicon.ico', status: 404 }),
    logEntry({ path: '/part', method: 'OPTIONS', status: 204 }),
    logEntry({ host: 'unlogged.test', path: '/y' }),
  ];
  assert.equal(judge(logged(entries, log)).status, 'ok');
});

test('a coded body must at least have arrived whole', () => {
  const headers = [{ name: 'content-encoding', value: 'gzip' }];
  const entry = harEntry({ response: { headers, _transferSize: 399 } });
  assert.match(judge(logged([entry], [logEntry({ bytes: 400 })])).reason ?? '', /server sent 400 body bytes/);
});

test('in arm auto browser and server must still agree on the protocol', () => {
  const evidence = {
    ...logged([harEntry({ httpVersion: 'h3' })], [logEntry({ protocol: 'h3' })]),
    protocol: 'auto' as const,
  };
  assert.equal(judge(evidence).status, 'ok');
  assert.equal(judge(withRaw(evidence, { serverLog: [logEntry({ protocol: 'h2' })] })).status, 'invalid');
});

test('a chunk over another protocol by the page’s own timing makes the session invalid', () => {
  const session = videoSession({ chunks: [chunk(0, 1000), chunk(1, 1000, { protocol: 'h3' })] });
  const { status, reason } = judge(videoEvidence(session));
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /1\.m4s came over h3 by the page's own timing, expected h2/);
});

test('a protocol withheld from the page is a warning, as HAR and log prove it', () => {
  const { status, warnings } = judge(
    videoEvidence(videoSession({ chunks: [chunk(0, 1000, { protocol: '' })], playedSeconds: 2 })),
  );
  assert.equal(status, 'ok');
  assert.match(warnings.join(), /1 media requests: the page cannot see their protocol/);
});

test('as many media requests as the page made must be in the log, with the same bytes', () => {
  const evidence = videoEvidence();
  const log = evidence.raw.serverLog ?? [];
  const [first] = log;
  assert.ok(first);
  const missing = judge(withRaw(evidence, { serverLog: log.slice(1) }));
  assert.match(missing.reason ?? '', /0\.m4s is not in the server's log/);
  const surplus = judge(withRaw(evidence, { serverLog: [...log, first] }));
  assert.match(
    [surplus.reason, ...surplus.warnings].join('\n'),
    /media request \/v1000\/0\.m4s is in the server's log more often/,
  );
  const short = judge(withRaw(evidence, { serverLog: [{ ...first, bytes: 5 }, ...log.slice(1)] }));
  assert.equal(short.status, 'invalid');
  assert.match(short.reason ?? '', /server sent 5 body bytes/);
});

test('a session that is missing, has errors or ended with one failed, with its message', () => {
  const evidence = videoEvidence();
  assert.equal(judge(withRaw(evidence, { session: null })).reason, 'the page reported no session');
  const errors = judge(withRaw(evidence, { session: videoSession({ errors: ['dash.js: 27 no manifest'] }) }));
  assert.deepEqual(
    [errors.status, errors.reason],
    ['failed', 'the page reported an error: dash.js: 27 no manifest'],
  );
  const unnamed = judge(withRaw(evidence, { session: videoSession({ outcome: 'error' }) }));
  assert.equal(unnamed.status, 'failed');
});

test('an answer that Firefox lost over HTTP/2 failed with a word on where that is known from', () => {
  const session = videoSession({ errors: ['TypeError: Error in input stream'] });
  const reasonIn = (name: string): string | undefined => {
    const evidence = withRaw(videoEvidence(), { session, browser: { name, version: '153.0' } });
    return judge({ ...evidence, protocol: 'h2' }).reason;
  };
  assert.match(reasonIn('Firefox') ?? '', /Error in input stream \(known of Firefox over HTTP\/2/);
  assert.match(reasonIn('Chrome') ?? '', /Error in input stream$/);
});

test('a download that is short is invalid', () => {
  const { status, reason } = judge(downloadEvidence(downloadSession([stream()], 2_000_000)));
  assert.equal(status, 'invalid');
  assert.match(reason ?? '', /brought 1000000 body bytes, expected 2000000/);
});

test('packets that the machine lost are a warning on loopback, and invalid on an emulated path', () => {
  const onLoopback = judge(page([harEntry()], { counters: { UdpRcvbufErrors: 4 } }));
  assert.equal(onLoopback.status, 'ok');
  assert.match(onLoopback.warnings.join(), /UdpRcvbufErrors rose by 4/);
  const emulated = { UdpRcvbufErrors: 4, emulatorDropped: 12, emulatorLate: 0 };
  const invalid = judge(page([harEntry()], { counters: emulated }));
  assert.equal(invalid.status, 'invalid');
  assert.match(
    invalid.reason ?? '',
    /UdpRcvbufErrors rose by 4: packets were lost that the emulated path did not drop/,
  );
  const late = judge(
    page([harEntry()], { counters: { ...emulated, UdpRcvbufErrors: 0, emulatorUpLate2ms: 2 } }),
  );
  assert.equal(late.status, 'ok');
  assert.match(late.warnings.join(), /delivered 2 packets to the server more than 2 ms late/);
});
