import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOf, exactClient } from '../../../../src/app/plan/exact-client.ts';
import { setupContextIn, succeeded } from '../../../support/setup-context.ts';
import { machineWithMirror } from '../../../support/debian-mirror.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const packages = [
  { name: 'nginx', release: '1.30.6-2', suite: 'sid' },
  { name: 'nginx', release: '1.26.3-3', suite: 'trixie' },
];

test('the newest version of a server is named as the one that it is now', async (t) => {
  const { context } = machineWithMirror(tempFolder(t), packages, 'usr/sbin/nginx');
  await assert.rejects(exactClient('nginx@1.30', false, context), /nginx@1\.30 was not fetched/);
  assert.equal(await exactClient('nginx@latest', true, context), 'nginx@1.30.6');
  assert.equal(await exactClient('nginx@1.30', false, context), 'nginx@1.30.6');
  await assert.rejects(exactClient('nginx@new', true, context), /names no version of nginx/);
});

test('names without a version, and paths, stand for themselves', async (t) => {
  const { context } = machineWithMirror(tempFolder(t), packages, 'usr/sbin/nginx');
  assert.equal(await exactClient('quic-go', true, context), 'quic-go');
  assert.equal(await exactClient('/opt/nginx@1/chrome', true, context), '/opt/nginx@1/chrome');
  assert.equal(browserOf('nginx@1.30'), 'nginx');
});

test('the newest browser is named for another machine, which fetches it: nothing is fetched here', async (t) => {
  const asked: string[] = [];
  const context = setupContextIn(tempFolder(t), {
    run: (command, args) => {
      asked.push([command, ...args].join(' '));
      const versions = ['152.0.0', '153.0.0', '153.0.1'];
      return Promise.resolve({ ...succeeded, stdout: JSON.stringify(versions) });
    },
  });
  assert.equal(await exactClient('chromium@153', true, context, true), 'chromium@153.0.1');
  assert.deepEqual(
    asked.filter((line) => / pack /.test(line)),
    [],
  );
  await assert.rejects(exactClient('chromium@153', false, context, true), {
    code: 'unsupported',
    message: '--no-install looks for browsers on this machine alone',
  });
});
