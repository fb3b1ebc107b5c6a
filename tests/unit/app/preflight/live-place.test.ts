import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanFlags } from '../../../../src/app/plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Blocker } from '../../../../src/app/preflight/check.ts';
import { livePlace } from '../../../../src/app/preflight/live-place.ts';

async function blockers(flags: PlanFlags): Promise<readonly Blocker[]> {
  const request = readPlanRequest(undefined, { repetitions: '1', exploratory: true, ...flags });
  return livePlace.judge(planFromRequest(request, 'test').plan, {});
}

test('an address on loopback is refused over a network, with the option that leads elsewhere', async () => {
  for (const url of [
    'https://localhost/',
    'https://localhost:8443/shop',
    'https://app.localhost/',
    'https://127.0.0.1:8443/',
    'https://[::1]/',
  ]) {
    const [found, ...others] = await blockers({ url: [url], network: '4g' });
    assert.equal(others.length, 0, url);
    assert.match(found?.reason ?? '', /this machine's loopback, .* behind the network 4g does not reach/);
    const { hostname, port } = new URL(url);
    const name = hostname.startsWith('[') ? 'HOST' : hostname;
    assert.ok(found?.next?.includes(`--connect-to ${name}:${port || '443'}:ADDRESS:${port || '443'}`));
  }
});

test('an arm that sets such an address is refused too', async () => {
  const arm = ['h3+url=https://a.example/', 'h3+url=https://localhost:8443/'];
  assert.equal((await blockers({ arm, arms: '', network: 'dsl' })).length, 1);
});

test('it is let through on its own path, where it is led elsewhere, and where it leads elsewhere by itself', async () => {
  const url = ['https://localhost:8443/'];
  assert.deepEqual(await blockers({ url }), []);
  assert.deepEqual(await blockers({ url, network: '4g', connectTo: ['localhost:8443:192.0.2.7:8443'] }), []);
  assert.deepEqual(await blockers({ url: ['https://shop.example/'], network: '4g' }), []);
});
