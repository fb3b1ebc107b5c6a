import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import type { Lacking } from '../../../../src/app/preflight/facts.ts';
import { judgePlan, type Judged } from '../../../../src/app/preflight/preflight.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

const none: Lacking = new Map();
const lacking = (...ids: readonly string[]): Lacking =>
  new Map(ids.map((id) => [id, new H2h3Error('unsupported', `there is no ${id}`, { next: 'Install it.' })]));

function judged(
  arms: string,
  missing: Partial<Record<'servers' | 'proxies' | 'players' | 'networks', Lacking>>,
) {
  const request = readPlanRequest('download', { workload: 'download-1mb', arms, repetitions: '8' });
  const facts = { servers: none, proxies: none, players: none, networks: none, ...missing };
  return judgePlan(planFromRequest(request, 'test').plan, facts, { fresh: ['servers'] });
}

const reasons = ({ refusals }: Judged): string[] => refusals.map(({ reason }) => reason);

test('a server that cannot be had is said once, with what it costs, when another pair can be compared', async () => {
  const { refusals, warnings } = await judged('h2,h3,h3+server=nginx', { servers: lacking('nginx') });
  assert.deepEqual(refusals, []);
  assert.deepEqual(warnings, [
    'the server nginx cannot be had: there is no nginx: 9 trials unsupported. Install it.',
  ]);
});

test('a plan both of whose arms need a server that is not there does not begin', async () => {
  assert.deepEqual(reasons(await judged('h2+server=nginx,h3+server=nginx', { servers: lacking('nginx') })), [
    'the server nginx cannot be had: there is no nginx',
  ]);
});

test('a plan one of whose two arms needs a server that is not there does not begin: nothing would be compared', async () => {
  assert.deepEqual(reasons(await judged('h3+server=caddy,h3+server=nginx', { servers: lacking('nginx') })), [
    'the server nginx cannot be had: there is no nginx',
  ]);
});

test('a proxy and a network that cannot be had are told like a server, all at once', async () => {
  const both = { proxies: lacking('envoy'), networks: lacking('4g') };
  assert.deepEqual(reasons(await judged('h2+network=4g,h3+network=4g+proxy=envoy', both)), [
    'the proxy envoy cannot be had: there is no envoy',
    'the network 4g cannot be had: there is no 4g',
  ]);
});
