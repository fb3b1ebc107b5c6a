import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireCongestion, requireLikeCongestion } from '../../../../harness/testbed/congestion-match.ts';
import { testbedFactsOf, type TestbedFacts } from '../../../../src/core/model/testbed-facts.ts';
import type { NetworkDescription, ServerDescription } from '../../../../src/core/model/environment.ts';

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

test('an algorithm is what its whole name says: one letter more is another', () => {
  const facts = testbedFactsOf([impaired], server('New Reno (quic-go)', 'bbr'), []);
  requireCongestion(facts, ['bbr'], 'h2');
  requireCongestion(facts, ['reno'], 'h3');
  assert.throws(() => requireCongestion(facts, ['bbrr'], 'h2'), /cannot run bbrr over TCP: it runs bbr/);
});

test('every sender on the way must run what is asked of it, over what the hop before it speaks', () => {
  const proxy = (upstreamProtocol: 'h2' | 'h3'): ServerDescription => ({
    ...server('bbr', 'bbr'),
    id: 'proxy',
    upstreamProtocol,
  });
  const facts = (upstream: 'h2' | 'h3'): TestbedFacts =>
    testbedFactsOf([impaired, impaired], server('reno', 'bbr'), [proxy(upstream)]);
  requireCongestion(facts('h2'), ['bbr'], 'h3');
  requireCongestion(facts('h3'), ['bbr', 'reno'], 'h2');
  assert.throws(
    () => requireCongestion(facts('h3'), ['bbr'], 'h3'),
    /s 1 cannot run bbr over QUIC: it runs reno/,
  );
  assert.throws(() => requireCongestion(facts('h2'), ['bbr', 'reno'], 'h3'), /s 1 cannot run reno over TCP/);
});
