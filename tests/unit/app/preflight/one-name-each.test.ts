import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { oneNameEach } from '../../../../src/app/preflight/one-name-each.ts';

async function said(
  arms: string,
  places: Readonly<Record<string, string>>,
  workload = 'download-1mb',
): Promise<string[]> {
  const { plan } = planFromRequest(readPlanRequest('download', { arms, workload }), 'test');
  const clients = new Map(
    Object.entries(places).map(([name, executablePath]) => [name, { executablePath } as ClientIdentity]),
  );
  const named = new Map(Object.entries(places));
  const programPlaces = { server: named, proxy: named, player: named };
  const found = await oneNameEach.judge(plan, { clients, programPlaces });
  return found.map(({ reason }) => reason);
}

test('two names for one version are refused, of servers, proxies, players and clients', async () => {
  const nginx = { nginx: '/t/26', 'nginx@1.26': '/t/26', 'nginx@1.30': '/t/30', 'nginx@1.30.6': '/t/30' };
  assert.deepEqual(await said('h3+server=nginx,h3+server=nginx@1.26', nginx), [
    'nginx and nginx@1.26 are one server',
  ]);
  assert.deepEqual(await said('h3+server=nginx@1.30,h3+server=nginx@1.30.6', nginx), [
    'nginx@1.30 and nginx@1.30.6 are one server',
  ]);
  const curl = { curl: '/t/curl', 'curl@8.14': '/t/curl' };
  assert.deepEqual(await said('curl:h3,curl@8.14:h3', curl), ['curl and curl@8.14 are one client']);
  const dash = { 'dashjs@5': '/t/52', 'dashjs@5.2.1': '/t/52' };
  assert.deepEqual(await said('h3+player=dashjs@5,h3+player=dashjs@5.2.1', dash, 'video-ci-1s-own-4s'), [
    'dashjs@5 and dashjs@5.2.1 are one player',
  ]);
  const envoy = { envoy: 'envoy at /t/e', 'envoy@1.40': 'envoy at /t/e' };
  assert.deepEqual(await said('h2+proxy=envoy,h2+proxy=envoy@1.40', envoy), [
    'envoy and envoy@1.40 are one proxy',
  ]);
});

test('different versions, one name twice, and versions still to be fetched are let through', async () => {
  const nginx = { 'nginx@1.26': '/t/26', 'nginx@1.30': '/t/30' };
  assert.deepEqual(await said('h3+server=nginx@1.26,h3+server=nginx@1.30', nginx), []);
  assert.deepEqual(await said('h3+server=nginx@1.26,h3+server=nginx@1.26', nginx), []);
  assert.deepEqual(await said('h3+server=nginx@1.26,h3+server=nginx@1.31', nginx), []);
  assert.deepEqual(await said('chromium:h3,chrome:h3', { chromium: '/t/c', chrome: '/t/c' }), []);
});

test('a version that was fetched by name is the one that the machine has anyway, wherever they lie', async () => {
  const { plan } = planFromRequest(readPlanRequest('download', { arms: 'curl:h3,curl@8.14:h3' }), 'test');
  const none = new Map<string, string>();
  const programPlaces = { server: none, proxy: none, player: none };
  const judged = async (version: string): Promise<string[]> => {
    const clients = new Map(
      ['curl', 'curl@8.14'].map((name, index) => [
        name,
        {
          version: index === 0 ? '8.14.1' : version,
          build: 'command-line',
          executablePath: `/t/${index}`,
        } as ClientIdentity,
      ]),
    );
    return (await oneNameEach.judge(plan, { clients, programPlaces })).map(({ reason }) => reason);
  };
  assert.deepEqual(await judged('8.14.1'), ['curl and curl@8.14 are one client']);
  assert.deepEqual(await judged('8.21.0'), []);
});
