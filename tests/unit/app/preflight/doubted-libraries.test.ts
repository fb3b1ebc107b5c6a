import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../harness/clients/client.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { doubtedLibraries } from '../../../../src/app/preflight/doubted-libraries.ts';

async function warningsOf(arms: string, quicLibrary: string): Promise<string[]> {
  const { plan } = planFromRequest(readPlanRequest('download', { arms, workload: 'download-1mb' }), '');
  const client = { family: 'curl', name: 'curl', version: '8.14.1', quicLibrary } as ClientIdentity;
  const found = await doubtedLibraries.judge(plan, { clients: new Map([['curl', client]]) });
  assert.ok(
    found.every(({ trialIds }) => trialIds?.length === 0),
    'no trial is kept from running',
  );
  return found.map(({ reason }) => reason);
}

test('HTTP/3 by OpenSSL in curl is a warning, with what brings today’s curl', async () => {
  const [warning = '', ...others] = await warningsOf('curl:h2,curl:h3', 'OpenSSL 3.5.9');
  assert.equal(others.length, 0);
  assert.match(warning, /^curl 8\.14\.1 has HTTP\/3 by OpenSSL’s QUIC, .*npx h2h3 setup --system$/);
});

test('nothing is said of ngtcp2, nor where no HTTP/3 is asked for', async () => {
  assert.deepEqual(await warningsOf('curl:h2,curl:h3', 'ngtcp2 1.22.1'), []);
  assert.deepEqual(await warningsOf('curl:h1,curl:h2', 'OpenSSL 3.5.9'), []);
});
