import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firefoxPreferences } from '../../../../../../harness/clients/browsers/firefox/preferences.ts';

const local = {
  hosts: ['page.test', 'cdn.test'],
  server: { address: '10.9.0.2', port: 4433 },
  mediaBufferMegabytes: 0,
} as const;

const mapping = 'network.http.http3.alt-svc-mapping-for-testing';

test('the h3 arm knows an alternative service for every host and has no TCP attempt beside it', () => {
  const preferences = firefoxPreferences({ ...local, protocol: 'h3' });
  assert.equal(preferences['network.http.http3.enable'], true);
  assert.equal(preferences[mapping], 'page.test;h3=:4433,cdn.test;h3=:4433');
  assert.equal(preferences['network.http.http3.backup_timer_delay'], 0);
  assert.equal(preferences['network.http.happy_eyeballs_enabled'], false);
});

test('the h2 arm cannot speak HTTP/3, and h1 neither that nor HTTP/2', () => {
  const h2 = firefoxPreferences({ ...local, protocol: 'h2' });
  const h1 = firefoxPreferences({ ...local, protocol: 'h1' });
  for (const preferences of [h1, h2]) {
    assert.equal(preferences['network.http.http3.enable'], false);
    assert.equal(preferences[mapping], undefined);
  }
  assert.equal(h2['network.http.http2.enabled'], undefined);
  assert.equal(h1['network.http.http2.enabled'], false);
});

test('the auto arm leaves discovery and races as the browser ships them', () => {
  const preferences = firefoxPreferences({ ...local, protocol: 'auto' });
  for (const name of [
    mapping,
    'network.http.http3.enable',
    'network.http.http3.backup_timer_delay',
    'network.http.happy_eyeballs_enabled',
    'network.dns.use_https_rr_as_altsvc',
  ])
    assert.equal(preferences[name], undefined, name);
});

test('every name leads to the server, and a live address is resolved as the machine does', () => {
  assert.equal(firefoxPreferences({ ...local, protocol: 'h2' })['network.dns.forceResolve'], '10.9.0.2');
  const live = firefoxPreferences({ ...local, server: null, protocol: 'h2' });
  assert.equal(live['network.dns.forceResolve'], undefined);
});

test('for a live address the h3 arm maps its own host, with its port or 443', () => {
  const live = { ...local, server: null, protocol: 'h3' } as const;
  assert.equal(firefoxPreferences({ ...live, hosts: ['shop.test'] })[mapping], 'shop.test;h3=:443');
  assert.equal(firefoxPreferences({ ...live, hosts: ['shop.test:8443'] })[mapping], 'shop.test;h3=:8443');
});

test('the ports that a recording names lead to the server’s', () => {
  const name = 'network.socket.forcePort';
  assert.equal(firefoxPreferences({ ...local, protocol: 'h2' })[name], undefined);
  const replay = {
    ports: [443, 8080],
    essentialMisses: 0,
    missShare: 0,
    inexactShare: 0.1,
    firstScript: null,
    expectedFailures: [],
    deadHosts: [],
  };
  assert.equal(firefoxPreferences({ ...local, protocol: 'h2', replay })[name], '443=4433;8080=4433');
});

test('the media buffer is set in bytes, within what a preference can hold', () => {
  const name = 'media.mediasource.eviction_threshold.video';
  assert.equal(firefoxPreferences({ ...local, protocol: 'h2' })[name], undefined);
  const small = firefoxPreferences({ ...local, protocol: 'h2', mediaBufferMegabytes: 600 });
  assert.equal(small[name], 600_000_000);
  const large = firefoxPreferences({ ...local, protocol: 'h2', mediaBufferMegabytes: 5000 });
  assert.equal(large[name], 2 ** 31 - 1);
});

test('names that are to be discovered are asked of the resolver alone, by the way of the arm', () => {
  const server = { ...local.server, resolver: 'https://10.9.0.2:8053' };
  const factors = { discovery: 'https-record' } as const;
  const preferences = firefoxPreferences({ ...local, server, factors, protocol: 'auto' });
  assert.equal(preferences['network.trr.mode'], 3);
  assert.equal(preferences['network.trr.uri'], 'https://10.9.0.2:8053/https-record');
  assert.equal(preferences['network.trr.bootstrapAddr'], '10.9.0.2');
  assert.equal(preferences['network.dns.forceResolve'], undefined);
});

test('without priorities Firefox sends none over either protocol', () => {
  const name = 'network.http.priority_header.enabled';
  const none = firefoxPreferences({ ...local, factors: { priorities: 'none' }, protocol: 'h3' });
  assert.deepEqual([none[name], none['network.http.http3.priority']], [false, false]);
  assert.equal(firefoxPreferences({ ...local, protocol: 'h3' })[name], undefined);
});
