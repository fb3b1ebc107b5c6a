import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { ipv6Lack } from '../../../../harness/network/shaped-network.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import type { Lacking } from '../../../../src/app/preflight/facts.ts';
import { thisMachine } from '../../../../src/app/preflight/machine-facts.ts';
import { judgePlan, type Judged } from '../../../../src/app/preflight/preflight.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { projectDir } from '../../../support/cli.ts';

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

/** Why no link has IPv6, on a machine whose kernel lists no such interface. */
const noIpv6 = ipv6Lack('/nowhere/if_inet6');

async function judgedWithoutIpv6(arms: string): Promise<Judged> {
  const flags = { workload: 'download-1mb', network: 'cable', arms, repetitions: '8' };
  const { plan } = planFromRequest(readPlanRequest('download', flags), 'test');
  const { networks } = await thisMachine(await createSetupContext({ projectDir }), noIpv6).gather(
    plan,
    false,
  );
  // Whatever else a network lacks here, it is there for those that need no IPv6.
  for (const { message } of networks.values()) assert.doesNotMatch(message, /IPv6/);
  const facts = { servers: none, proxies: none, players: none, networks: none, ipv6: noIpv6 };
  return judgePlan(plan, facts, { fresh: ['ipv6'] });
}

test('a machine without IPv6 says so once, its arms with IPv6 are unsupported, and the rest runs', async () => {
  const { refusals, warnings } = await judgedWithoutIpv6(
    'curl:h2,curl:h3,curl:h2+family=6,curl:h2+family=both',
  );
  assert.deepEqual(refusals, []);
  assert.deepEqual(warnings, [
    'the kernel of this machine has no IPv6: 16 trials unsupported. Leave out family=, or start the machine without ipv6.disable=1.',
  ]);
});

test('a plan of arms with IPv6 alone does not begin on a machine without it', async () => {
  assert.deepEqual(reasons(await judgedWithoutIpv6('curl:h2+family=6,curl:h3+family=6')), [
    'the kernel of this machine has no IPv6',
  ]);
});

test('a proxy and a network that cannot be had are told like a server, all at once', async () => {
  const both = { proxies: lacking('envoy'), networks: lacking('4g') };
  assert.deepEqual(reasons(await judged('h2+network=4g,h3+network=4g+proxy=envoy', both)), [
    'the proxy envoy cannot be had: there is no envoy',
    'the network 4g cannot be had: there is no 4g',
  ]);
});
