import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageAbilities } from '../../../../src/app/preflight/message-abilities.ts';
import type { Blocker } from '../../../../src/app/preflight/check.ts';
import { blockersOfArm } from '../../../support/blockers.ts';

interface Asked {
  readonly workload?: string;
  readonly server?: string;
  readonly network?: string;
}

function blockersOf(arm: string, asked: Asked = {}): Promise<readonly Blocker[]> {
  return blockersOfArm(messageAbilities, arm, { workload: 'messages-100b-10ms', server: 'go', ...asked });
}

test('every transport goes over the protocol that browsers have it on', async () => {
  const possible = ['h1+transport=websocket', 'h2+transport=websocket', 'h3+transport=wt-stream'];
  for (const arm of [...possible, 'h3+transport=wt-streams', 'h3+transport=wt-datagrams'])
    assert.deepEqual(await blockersOf(arm), [], arm);
});

const refusals: readonly (readonly [arm: string, reason: RegExp, asked?: Asked, code?: string])[] = [
  ['h3', /needs a transport in each arm/],
  ['auto+transport=websocket', /leaves it to the client/],
  ['h3+transport=websocket', /chromium keeps WebSockets on TCP/, {}, 'unsupported'],
  ['h2+transport=wt-stream', /WebTransport, which browsers have over HTTP\/3 alone/],
  ['h2+transport=websocket', /the server caddy echoes no messages/, { server: 'caddy' }],
  ['h2+transport=websocket+proxy=envoy', /no proxy/],
  ['h3+transport=wt-stream+keytype=rsa', /only with a key of ECDSA/],
  ['h3+transport=wt-stream+priorities=off', /keeps the server from reading/],
  ['h3+transport=wt-datagrams', /1500 bytes, and a datagram holds 1100/, { workload: 'messages-1500b-10ms' }],
  ['h3+transport=wt-stream', /dsl carries/, { workload: 'messages-60kb-10ms', network: 'dsl' }],
];

test('what cannot carry messages is refused with the reason and what can', async () => {
  for (const [arm, reason, asked, code = 'usage'] of refusals) {
    const [first, ...others] = await blockersOf(arm, asked);
    assert.match(first?.reason ?? 'no refusal', reason, arm);
    assert.equal(first?.code, code, arm);
    assert.ok((first?.next ?? '').length > 0, arm);
    assert.deepEqual(others, []);
  }
});
