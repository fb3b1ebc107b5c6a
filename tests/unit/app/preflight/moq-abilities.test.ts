import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Blocker } from '../../../../src/app/preflight/check.ts';
import { moqAbilities } from '../../../../src/app/preflight/moq-abilities.ts';
import { blockersOfArm } from '../../../support/blockers.ts';

interface Asked {
  readonly workload?: string;
  readonly client?: string;
}

function blockersOf(arm: string, asked: Asked = {}): Promise<readonly Blocker[]> {
  return blockersOfArm(
    moqAbilities,
    arm,
    { workload: 'video-clock-1s-own-live-delay1000ms', ...asked },
    { clients: new Map() },
  );
}

test('a broadcast is played over MoQ over HTTP/3, and over DASH by the packaged player', async () => {
  for (const arm of ['h2', 'h3', 'h3+player=moqwatch', 'h3+player=moqwatch+mtu=1400'])
    assert.deepEqual(await blockersOf(arm), [], arm);
  assert.deepEqual(await blockersOf('h3+player=hlsjs', { workload: 'video-streaming-2s-own' }), []);
});

const refusals: readonly (readonly [arm: string, reason: RegExp, asked?: Asked, code?: string])[] = [
  ['h2+player=moqwatch', /WebTransport, which browsers have over HTTP\/3 alone/],
  ['h3+player=moqwatch+proxy=envoy', /no proxy/],
  ['h3+player=moqwatch+congestion=bbr', /the relay of MoQ sends by itself/],
  ['h3+player=shaka', /shaka plays no broadcast/],
  ['h3+player=moqwatch@0.4', /plays broadcasts alone/, { workload: 'video-streaming-2s-own' }],
  ['h3+player=moqwatch', /firefox cannot play over MoQ.*Mozilla bug/, { client: 'firefox' }, 'unsupported'],
];

test('what cannot play over MoQ is refused with the reason and what can', async () => {
  for (const [arm, reason, asked, code = 'usage'] of refusals) {
    const [first, ...others] = await blockersOf(arm, asked);
    assert.match(first?.reason ?? 'no refusal', reason, arm);
    assert.equal(first?.code, code, arm);
    assert.ok((first?.next ?? '').length > 0, arm);
    assert.deepEqual(others, []);
  }
});
