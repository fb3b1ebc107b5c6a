import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bracketed,
  endpoint,
  wireAddressOf,
  wireKeyOf,
  withoutPort,
} from '../../../../src/core/model/wire-address.ts';
import { wirePaths } from '../../../support/wire-paths.ts';

test('a path is compared as its bytes on the wire', () => {
  for (const [written, sent] of wirePaths) {
    assert.deepEqual(
      wireAddressOf(`https://site.test${written}`),
      { host: 'site.test', path: sent },
      written,
    );
    assert.equal(wireKeyOf(new URL(`http://site.test:8080${written}`)), `site.test${sent}`);
  }
});

test('user, port, case and alphabet of a host are no part of what is compared; a trailing dot is', () => {
  const hosts: readonly (readonly [written: string, host: string])[] = [
    ['https://user:pass%2F@site.test/', 'site.test'],
    ['https://user:@site.test:8443/', 'site.test'],
    ['https://SITE.test:443/', 'site.test'],
    ['https://bücher.test/', 'xn--bcher-kva.test'],
    ['https://site.test./', 'site.test.'],
    ['https://[::1]:8443/', '[::1]'],
  ];
  for (const [written, host] of hosts) assert.deepEqual(wireAddressOf(written), { host, path: '/' });
});

test('a host of a header or a log is told without its port and in small letters', () => {
  const hosts = ['Site.Test', 'SITE.test:8443', '[FD00::1]:443', '[::1]'];
  assert.deepEqual(hosts.map(withoutPort), ['site.test', 'site.test', '[fd00::1]', '[::1]']);
});

test('before a port an address of IPv6 stands in brackets, and no other', () => {
  assert.equal(bracketed('fd00::1'), '[fd00::1]');
  assert.equal(bracketed('10.0.0.1'), '10.0.0.1');
  assert.equal(endpoint({ address: '::1', port: 443 }), '[::1]:443');
  assert.equal(endpoint({ address: '10.0.0.1', port: 8443 }), '10.0.0.1:8443');
});
