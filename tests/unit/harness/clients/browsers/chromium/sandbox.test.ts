import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientIdentity } from '../../../../../../harness/clients/client.ts';
import { sandboxBlocker } from '../../../../../../harness/clients/browsers/chromium/sandbox.ts';
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
const blockerWith = (changes: Partial<SandboxProbe>): string | null =>
  sandboxBlocker(client, {
    platform: 'linux',
    userId: 1000,
    namespaceLack: () => null,
    hasSetuidHelper: () => false,
    ...changes,
  });

test('the sandbox is used where its namespaces can really be made', () => {
  assert.equal(blockerWith({}), null);
  const denied = { namespaceLack: () => 'unshare failed: Operation not permitted' };
  assert.match(blockerWith(denied) ?? '', /cannot be made \(unshare failed: Operation not permitted\)/);
  assert.equal(blockerWith({ ...denied, hasSetuidHelper: () => true }), null);
});

test('root has no sandbox, whatever can be made, and other systems have their own', () => {
  assert.equal(blockerWith({ userId: 0, hasSetuidHelper: () => true }), 'the user is root');
  assert.equal(blockerWith({ platform: 'darwin', namespaceLack: () => 'no unshare' }), null);
});

test('what this machine answers is one or the other, found out without a browser', () => {
  const blocker = sandboxBlocker(client);
  if (process.platform !== 'linux') assert.equal(blocker, null);
  else if (process.getuid?.() === 0) assert.equal(blocker, 'the user is root');
  else assert.ok(blocker === null || blocker.startsWith('user namespaces cannot be made'));
});
