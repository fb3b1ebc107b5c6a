import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountedInMemory } from '../../../../harness/servers/files-in-memory.ts';
import type { HostCertificate } from '../../../../harness/servers/origin-probe.ts';
import {
  requireCoalescing,
  requireHttp3,
  requireKeyExchange,
  requirePriorities,
  settingsSeen,
} from '../../../../harness/servers/sender-settings.ts';

const inspected = {
  tcpKeyExchange: 'X25519MLKEM768',
  quicKeyExchange: 'X25519',
  compression: 'none',
} as const;
const handshake = { chainBytes: 500, names: 1, keyType: 'ecdsa', ...inspected };
const answer = {
  tlsVersion: 'TLSv1.3',
  tcpPaced: false,
  cipher: null,
  chain: { bytes: 500, names: 1, keyType: 'ecdsa' },
  inspected,
} as const;

test('a server that shakes hands otherwise than asked is refused, whatever the transport', () => {
  const seen = (settings: Parameters<typeof settingsSeen>[0], changes = {}): unknown =>
    settingsSeen(settings, { ...answer, ...changes }).handshake;
  assert.deepEqual(seen({ certificate: { bytes: 502 }, keytype: 'ecdsa' }), handshake);
  assert.throws(() => seen({ certificate: { bytes: 4096 } }), /does not keep to certificate: 4096 bytes/);
  assert.throws(() => seen({ certificate: { bytes: 500 } }, { chain: null }), /certificate/);
  assert.throws(() => seen({ keytype: 'rsa' }), /keytype: rsa/);
  assert.throws(() => seen({ keyexchange: 'x25519' }), /keyexchange: X25519/, 'over TCP it does not');
  assert.throws(() => seen({ keyexchange: 'mlkem' }), /keyexchange: X25519MLKEM768/, 'over QUIC it does not');
  assert.deepEqual(seen({ certificatecompression: 'off' }), handshake);
  assert.throws(() => seen({ certificatecompression: 'on' }), /certificatecompression: on/);
  const zlib = { inspected: { ...inspected, compression: 'zlib' } };
  assert.deepEqual(seen({ certificatecompression: 'on' }, zlib), { ...handshake, compression: 'zlib' });
  assert.deepEqual(seen({}, { chain: { ...answer.chain, names: 3 } }), { ...handshake, names: 3 });
});

test('what the server’s QUIC was told to begin with is among its facts, for each trial to be held against', () => {
  const seen = settingsSeen({ initialwindow: { packets: 64 } }, answer);
  assert.equal(seen.quicInitialWindowPackets, 64);
  assert.equal('quicInitialWindowPackets' in settingsSeen({}, answer), false);
});

test('what the server’s QUIC may have under way at most is among its facts', () => {
  assert.equal(settingsSeen({ sendwindow: { bytes: 65536 } }, answer).quicSendWindowBytes, 65536);
  assert.equal('quicSendWindowBytes' in settingsSeen({}, answer), false);
});

test('every host of a page must have the certificate that coalescing says, not the first alone', () => {
  const pages = [['a.test', 'B.test'], ['c.test']];
  const of = (host: string, ...names: string[]): HostCertificate => ({ host, names });
  const shared = [of('a.test', 'a.test', 'b.test'), of('B.test', 'b.test', 'a.test'), of('c.test', 'c.test')];
  const each = ['a.test', 'B.test', 'c.test'].map((host) => of(host, host));
  requireCoalescing(undefined, pages, []);
  requireCoalescing('on', pages, shared);
  requireCoalescing('off', pages, each);
  const [first, , third] = shared;
  assert.ok(first !== undefined && third !== undefined);
  assert.throws(
    () => requireCoalescing('on', pages, [first, of('B.test', 'b.test'), third]),
    /coalescing: a certificate of B\.test for a\.test, B\.test/,
  );
  assert.throws(() => requireCoalescing('on', pages, [first, third]), /of B\.test/, 'one that was not seen');
  const silent = [first, { host: 'B.test', names: null }, third];
  assert.throws(() => requireCoalescing('on', pages, silent), /of B\.test/);
  assert.throws(() => requireCoalescing('off', pages, shared), /of a\.test for a\.test/);
  const beyond = [first, of('B.test', 'b.test', 'a.test', 'c.test'), third];
  assert.throws(() => requireCoalescing('on', pages, beyond), /of B\.test/, 'a host of another page');
});

test('a host that is announced with HTTP/3 and speaks none is named', () => {
  requireHttp3(null);
  assert.throws(
    () => requireHttp3('b.test'),
    /b\.test speaks no HTTP\/3, and its HTTPS record and Alt-Svc say that it does/,
  );
});

test('a program without the group that is asked for is refused with its reason', () => {
  const reason = 'nginx runs here with OpenSSL 3.0.17';
  requireKeyExchange('mlkem', undefined);
  requireKeyExchange('x25519', reason);
  requireKeyExchange(undefined, reason);
  assert.throws(() => requireKeyExchange('mlkem', reason), /runs here with OpenSSL 3\.0\.17/);
});

test('a sender that does otherwise than it was asked is refused, and what it does is told', () => {
  const aes = { ...answer, cipher: 'TLS_AES_128_GCM_SHA256' };
  assert.deepEqual(settingsSeen({}, aes), { handshake });
  assert.deepEqual(settingsSeen({ cipher: 'aes128' }, aes), {
    handshake,
    cipher: 'TLS_AES_128_GCM_SHA256',
  });
  assert.throws(() => settingsSeen({ cipher: 'chacha20' }, aes), /does not keep to TLS_CHACHA20/);
  assert.equal(settingsSeen({ pacing: 'on' }, { ...aes, tcpPaced: true }).tcpPacing, 'on');
  assert.equal(settingsSeen({ tls: '1.2' }, { ...aes, tlsVersion: 'TLSv1.2' }).tls, '1.2');
  assert.throws(() => settingsSeen({ tls: '1.2' }, aes), /does not keep to TLS 1\.2/);
  assert.throws(() => settingsSeen({ pacing: 'on' }, aes), /pacing .* cannot be switched on/);
});

test('folders in memory are read out of what a process sees mounted', () => {
  const text = [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw',
    '30 22 0:40 /1 /srv/a\\040b rw,relatime - tmpfs h2h3-files rw',
    '31 22 8:1 /x /srv/c rw - ext4 /dev/root rw',
  ].join('\n');
  assert.deepEqual(mountedInMemory(text), ['/srv/a b']);
});

test('a server that was told of priorities must say that it keeps to it', () => {
  assert.doesNotThrow(() => requirePriorities('on', ['h3', 'h2']));
  assert.doesNotThrow(() => requirePriorities('off', []));
  assert.doesNotThrow(() => requirePriorities(undefined, undefined));
  for (const said of [undefined, ['h2', 'h3'], ['h3']])
    assert.throws(() => requirePriorities('off', said), /does not keep to priorities=off/);
  for (const said of [undefined, [], ['h3']])
    assert.throws(() => requirePriorities('on', said), /does not keep to priorities=on/);
});
