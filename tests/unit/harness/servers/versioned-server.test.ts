import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quicCongestionIn } from '../../../../harness/servers/nginx.ts';
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

test('nginx says by its own debug lines which algorithm its QUIC has, and nothing where it was built without them', () => {
  const program = (text: string): Buffer => Buffer.from(`\x7fELF\0${text}\0`);
  assert.equal(quicCongestionIn(program('quic congestion avoidance win:%uz ss:%z if:%uz')), 'reno');
  // CUBIC holds lines of New Reno as well.
  const both = 'quic congestion ack reno t:%M win:%uz\0quic congestion ack cubic t:%M win:%uz';
  assert.equal(quicCongestionIn(program(both)), 'cubic');
  assert.equal(quicCongestionIn(program('quic packet rejected')), undefined);
});
