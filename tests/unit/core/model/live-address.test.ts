import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostWithPort, isBlocked, liveOptionsSchema } from '../../../../src/core/model/live-address.ts';

test('an address is blocked by a part of it, and * stands for anything between parts', () => {
  assert.ok(isBlocked('https://a.test/ads/1.js', ['/ads/']));
  assert.ok(isBlocked('https://track.a.test/x/pixel.gif', ['track.*pixel']));
  assert.equal(isBlocked('https://a.test/pixel/track', ['track*pixel']), false);
  assert.equal(isBlocked('https://a.test/', []), false);
});

test('hosts are named with their port', () => {
  assert.equal(hostWithPort(new URL('https://a.test/x')), 'a.test:443');
  assert.equal(hostWithPort(new URL('https://a.test:8443/')), 'a.test:8443');
});

test('--connect-to has the form that curl takes, with IPv6 in brackets', () => {
  const accepts = (rule: string): boolean => liveOptionsSchema.safeParse({ connectTo: [rule] }).success;
  assert.ok(accepts('a.test:443:127.0.0.1:8443'));
  assert.ok(accepts('a.test:443:[::1]:8443'));
  assert.equal(accepts('a.test:127.0.0.1'), false);
});
