import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireLikeCongestion } from '../../../../harness/testbed/congestion-match.ts';
import type { NetworkDescription, ServerDescription } from '../../../../src/model/environment.ts';

const impaired: NetworkDescription = {
  id: 'lossy',
  backend: 'emulator',
  description: '',
  impaired: true,
  privilege: 'root',
  offloads: null,
  checks: [],
};

function server(quic: string, tcp: string): ServerDescription {
  return { id: 's', name: 's', version: '1', quicCongestionControl: quic, tcpCongestionControl: tcp };
}

test('unlike congestion control on an impaired network is refused, naming both', () => {
  assert.throws(
    () => requireLikeCongestion(impaired, server('reno', 'bbr')),
    /reno for QUIC and bbr for TCP/,
  );
});

test('the same kind under another name, and a network that is not impaired, are let through', () => {
  requireLikeCongestion(impaired, server('New Reno (quic-go)', 'reno'));
  requireLikeCongestion({ ...impaired, impaired: false }, server('reno', 'bbr'));
});
