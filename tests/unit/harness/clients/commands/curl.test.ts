import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curl } from '../../../../../harness/clients/commands/curl.ts';

const request = {
  protocol: 'h3',
  urls: ['https://files.h2h3.test:8443/1.bin?stream=0', 'https://files.h2h3.test:8443/1.bin?stream=1'],
  server: { address: '10.0.0.2', port: 8443 },
  spkiHash: 'key=',
  limitSeconds: 12.5,
  flags: ['--tcp-nodelay'],
  scratchDir: '',
} as const;

test('a build speaks what its features say', () => {
  const text = 'curl 8.14.1 (x86_64) libcurl/8.14.1\nProtocols: https\nFeatures: alt-svc HTTP2 HTTP3 TLS-SRP';
  assert.deepEqual(curl.parseVersion(text), { version: '8.14.1', protocols: ['h1', 'h2', 'h3'] });
  assert.deepEqual(curl.parseVersion('curl 7.88.1\nFeatures: HTTP2 NTLM').protocols, ['h1', 'h2']);
  assert.deepEqual(curl.parseVersion(''), { version: '', protocols: ['h1'] });
});

test('a build with HTTP/3 says which library makes it, and OpenSSL’s is doubted', () => {
  const libraryOf = (first: string): string | undefined =>
    curl.parseVersion(`${first}\nFeatures: HTTP2 HTTP3`).quicLibrary;
  const newer =
    'curl 8.21.0 (x86_64) libcurl/8.21.0 OpenSSL/3.5.9 nghttp2/1.64.0 ngtcp2/1.22.1 nghttp3/1.15.0';
  const older = 'curl 8.14.1 (x86_64) libcurl/8.14.1 OpenSSL/3.5.9 nghttp2/1.64.0 nghttp3/1.8.0';
  assert.equal(libraryOf(newer), 'ngtcp2 1.22.1');
  assert.equal(libraryOf(older), 'OpenSSL 3.5.9');
  assert.equal(curl.parseVersion('curl 7.88.1 OpenSSL/3.0\nFeatures: HTTP2').quicLibrary, undefined);
  assert.match(curl.doubtedLibrary?.('OpenSSL 3.5.9') ?? '', /removed in January 2026/);
  assert.equal(curl.doubtedLibrary?.('ngtcp2 1.22.1'), undefined);
});

test('one protocol alone is asked for, of the one server with the one key, and nothing of the user’s is read', () => {
  const words = curl.arguments(request);
  assert.equal(words[0], '--disable');
  assert.ok(words.includes('--http3-only') && !words.includes('--http3'));
  assert.equal(words.filter((word) => word === 'files.h2h3.test:8443:10.0.0.2').length, 1);
  assert.equal(words[words.indexOf('--pinnedpubkey') + 1], 'sha256//key=');
  assert.equal(words.filter((word) => word === '--output').length, request.urls.length);
  assert.ok(words.includes('--parallel') && words.includes('--tcp-nodelay'));
  const live = curl.arguments({ ...request, server: null, spkiHash: '', urls: request.urls.slice(0, 1) });
  assert.ok(!live.includes('--insecure') && !live.includes('--resolve') && !live.includes('--parallel'));
  const nameService = 'https://10.0.0.2:5353/7/trial.0/alt-svc';
  const asking = curl.arguments({ ...request, nameService });
  assert.deepEqual(asking.slice(asking.indexOf('--doh-url')).slice(0, 3), [
    '--doh-url',
    nameService,
    '--doh-insecure',
  ]);
  assert.ok(!asking.includes('--resolve') && asking.includes('--pinnedpubkey'));
});

test('times are read in milliseconds, with the protocol that was negotiated', () => {
  const line = JSON.stringify({
    url: request.urls[0],
    http_code: 200,
    http_version: '3',
    content_type: 'text/plain',
    size_download: 1000,
    size_header: 90,
    time_namelookup: 0.001,
    time_connect: 0.01,
    time_appconnect: 0.02,
    time_pretransfer: 0.021,
    time_starttransfer: 0.05,
    time_total: 0.25,
    exitcode: 0,
    errormsg: null,
  });
  const [transfer] = curl.transfers(`${line}\n`, request, 300);
  assert.equal(transfer?.protocol, 'h3');
  assert.deepEqual(
    [transfer.connectStartMs, transfer.connectEndMs, transfer.requestStartMs, transfer.endMs],
    [1, 20, 21, 250],
  );
  assert.equal(transfer.error, undefined);
  const [cut] = curl.transfers(
    line.replace('"exitcode":0,"errormsg":null', '"exitcode":28,"errormsg":"late"'),
    request,
    300,
  );
  assert.equal(cut?.error, 'late');
  assert.throws(() => curl.transfers('not JSON', request, 300));
});

test('a session is resumed in one process, whose second transfer is the measured one', () => {
  const resuming = { ...request, urls: request.urls.slice(0, 1), factors: { resume: 'session' } } as const;
  const words = curl.arguments(resuming);
  const before = words.slice(0, words.indexOf('--next'));
  const measured = words.slice(words.indexOf('--next'));
  assert.equal(before[before.indexOf('--range') + 1], '0-0');
  assert.ok(!measured.includes('--range') && measured.includes('--local-port'), 'another connection');
  for (const part of [before, measured])
    assert.ok(part.includes('--pinnedpubkey') && part.includes(request.urls[0]));
  const line = (size: number, exitcode = 0): string =>
    JSON.stringify({
      url: request.urls[0],
      http_code: size === 1 ? 206 : 200,
      http_version: '3',
      exitcode,
      size_download: size,
      size_header: 90,
      time_namelookup: 0.001,
      time_connect: 0.01,
      time_appconnect: 0.02,
      time_pretransfer: 0.021,
      time_starttransfer: 0.05,
      time_total: 0.25,
    });
  const [transfer, ...more] = curl.transfers(`${line(1)}\n${line(1000)}\n`, resuming, 300);
  assert.deepEqual(more, []);
  assert.equal(transfer?.bodyBytes, 1000);
  assert.deepEqual(transfer.resumption, { resumed: null, earlyData: false, ticketBytes: 1 });
  assert.throws(() => curl.transfers(`${line(0, 7)}\n${line(1000)}\n`, resuming, 300), /connection before/);
});

test('a file is sent as it is, with the type that is named or none', () => {
  const body = { file: '/cache/body.bin', contentType: 'multipart/form-data; boundary=b' };
  const words = curl.arguments({ ...request, urls: request.urls.slice(0, 1), body });
  assert.equal(words[words.indexOf('--data-binary') + 1], '@/cache/body.bin');
  assert.equal(words[words.indexOf('--header') + 1], 'Content-Type: multipart/form-data; boundary=b');
  const untyped = curl.arguments({ ...request, body: { ...body, contentType: '' } });
  assert.equal(untyped[untyped.indexOf('--header') + 1], 'Content-Type:');
  assert.ok(!curl.arguments(request).includes('--data-binary'));
});

test('where the address is lost the body is read by the program that counts it, and the rest is asked for from there', () => {
  const losing = {
    ...request,
    urls: request.urls.slice(0, 1),
    factors: { migration: { afterBytes: 10, then: 'move' } },
  } as const;
  const words = curl.arguments(losing);
  assert.equal(words[words.indexOf('--output') + 1], '-');
  assert.match(words[words.indexOf('--write-out') + 1] ?? '', /^%\{stderr\}/);
  assert.deepEqual(curl.restartArguments?.('10.0.0.3', 10), [
    '--interface',
    '10.0.0.3',
    '--continue-at',
    '10',
  ]);
  assert.deepEqual(curl.restartArguments?.('10.0.0.3', 0), ['--interface', '10.0.0.3']);
});
