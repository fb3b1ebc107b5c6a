import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyNamed } from '../../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../../harness/servers/registry.ts';

test('a server has the congestion control of the version that is named', () => {
  assert.deepEqual(serverNamed('nginx@1.26')?.quicCongestionControls, ['reno']);
  assert.equal(serverNamed('nginx@1.26')?.quicBearsLoss, true);
  const newer = serverNamed('nginx@1.30');
  assert.deepEqual(
    [newer?.id, newer?.quicCongestionControls, newer?.quicBearsLoss, newer?.quicNote],
    ['nginx@1.30', ['cubic'], false, undefined],
  );
  assert.ok(serverNamed('haproxy@3.2')?.quicCongestionControls.includes('bbr'));
  assert.ok(serverNamed('haproxy@3.0')?.quicCongestionControls.includes('bbr') === false);
  assert.equal(proxyNamed('envoy-h3@1.39')?.upstreamProtocol, 'h3');
});

test('names of nothing, and versions that are none, name no server', () => {
  for (const name of ['apache', 'apache@2', 'nginx@', 'nginx@new', 'toString', 'toString@1'])
    assert.equal(serverNamed(name), undefined, name);
});
