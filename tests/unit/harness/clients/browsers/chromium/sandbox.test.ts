import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../../../harness/clients/client.ts';
import { sandboxObstacle } from '../../../../../../harness/clients/browsers/chromium/sandbox.ts';
import type { SandboxProbe } from '../../../../../../harness/clients/browsers/chromium/sandbox.ts';

const client: ClientIdentity = {
  id: 'embedded',
  family: 'chromium',
  name: 'Chromium',
  version: '153',
  build: 'headless-shell',
  source: 'embedded',
  executablePath: '/cache/chromium',
  headed: false,
  environment: {},
};
const obstacleWith = (changes: Partial<SandboxProbe>): string | null =>
  sandboxObstacle(client, {
    platform: 'linux',
    userId: 1000,
    whyNoNamespaces: () => null,
    hasSetuidHelper: () => false,
    ...changes,
  });

test('the sandbox is used where its namespaces can really be made', () => {
  assert.equal(obstacleWith({}), null);
  const denied = { whyNoNamespaces: () => 'unshare failed: Operation not permitted' };
  assert.match(obstacleWith(denied) ?? '', /cannot be made \(unshare failed: Operation not permitted\)/);
  assert.equal(obstacleWith({ ...denied, hasSetuidHelper: () => true }), null);
});

test('root has no sandbox, whatever can be made, and other systems have their own', () => {
  assert.equal(obstacleWith({ userId: 0, hasSetuidHelper: () => true }), 'the user is root');
  assert.equal(obstacleWith({ platform: 'darwin', whyNoNamespaces: () => 'no unshare' }), null);
});

test('what this machine answers is one or the other, found out without a browser', () => {
  const obstacle = sandboxObstacle(client);
  if (process.platform !== 'linux') assert.equal(obstacle, null);
  else if (process.getuid?.() === 0) assert.equal(obstacle, 'the user is root');
  else assert.ok(obstacle === null || obstacle.startsWith('user namespaces cannot be made'));
});
