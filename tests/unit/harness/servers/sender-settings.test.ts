import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountedInMemory } from '../../../../harness/servers/files-in-memory.ts';
import { requirePriorities, settingsSeen } from '../../../../harness/servers/sender-settings.ts';

const look = { tcpKeyExchange: 'X25519MLKEM768', quicKeyExchange: 'X25519', compression: 'none' } as const;
const handshake = { chainBytes: 500, names: 1, keyType: 'ecdsa', ...look };
const answer = {
  tlsVersion: 'TLSv1.3',
  tcpPaced: false,
  cipher: null,
  chain: { bytes: 500, names: 1, keyType: 'ecdsa' },
  look,
} as const;

test('a server that shakes hands otherwise than asked is refused, whatever the transport', () => {
  const seen = (settings: Parameters<typeof settingsSeen>[0], changes = {}): unknown =>
    settingsSeen(settings, { ...answer, ...changes }).handshake;
  assert.deepEqual(seen({ certificate: { bytes: 502 }, keytype: 'ecdsa', coalescing: 'off' }), handshake);
  assert.throws(() => seen({ certificate: { bytes: 4096 } }), /does not keep to certificate: 4096 bytes/);
  assert.throws(() => seen({ certificate: { bytes: 500 } }, { chain: null }), /certificate/);
  assert.throws(() => seen({ keytype: 'rsa' }), /keytype: rsa/);
  assert.throws(() => seen({ keyexchange: 'x25519' }), /keyexchange: X25519/, 'over TCP it does not');
  assert.throws(() => seen({ keyexchange: 'mlkem' }), /keyexchange: X25519MLKEM768/, 'over QUIC it does not');
  assert.deepEqual(seen({ certificatecompression: 'off' }), handshake);
  assert.throws(() => seen({ certificatecompression: 'on' }), /certificatecompression: on/);
  const zlib = { look: { ...look, compression: 'zlib' } };
  assert.deepEqual(seen({ certificatecompression: 'on' }, zlib), { ...handshake, compression: 'zlib' });
  const several = { chain: { ...answer.chain, names: 3 } };
  assert.throws(() => seen({ coalescing: 'off' }, several), /coalescing: one name/);
  assert.deepEqual(seen({ coalescing: 'on' }, several), { ...handshake, names: 3 });
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
