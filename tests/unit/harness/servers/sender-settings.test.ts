import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mountedInMemory } from '../../../../harness/servers/files-in-memory.ts';
import { settingsSeen } from '../../../../harness/servers/sender-settings.ts';

test('a sender that does otherwise than it was asked is refused, and what it does is told', () => {
  const aes = { cipher: 'TLS_AES_128_GCM_SHA256', tlsVersion: 'TLSv1.3', tcpPaced: false };
  assert.deepEqual(settingsSeen({}, aes), {});
  assert.deepEqual(settingsSeen({ cipher: 'aes128' }, aes), { cipher: 'TLS_AES_128_GCM_SHA256' });
  assert.throws(() => settingsSeen({ cipher: 'chacha20' }, aes), /does not keep to TLS_CHACHA20/);
  assert.deepEqual(settingsSeen({ pacing: 'on' }, { ...aes, tcpPaced: true }), { tcpPacing: 'on' });
  assert.deepEqual(settingsSeen({ tls: '1.2' }, { ...aes, tlsVersion: 'TLSv1.2' }), { tls: '1.2' });
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
