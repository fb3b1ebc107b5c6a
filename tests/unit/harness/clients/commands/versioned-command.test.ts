import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curl } from '../../../../../harness/clients/commands/curl.ts';
import { commandVersionNamed } from '../../../../../harness/clients/commands/versioned-command.ts';
import { driverOf } from '../../../../../harness/clients/drivers.ts';
import { lookForClient, resolveClient } from '../../../../../harness/clients/resolve-client.ts';
import { downloadWorkloadNamed } from '../../../../../sites/downloads/catalogue.ts';
import { machineWithMirror } from '../../../../support/debian-mirror.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const program = curl.versions?.program.file ?? '';
const packages = [
  { name: 'curl', release: '8.21.0-2~bpo13+1', suite: 'trixie-backports' },
  { name: 'curl', release: '8.14.1-2+deb13u7', suite: 'trixie' },
];

test('a version of curl is fetched when it is used, and looked for without being fetched', async (t) => {
  const { context, lines } = machineWithMirror(tempFolder(t), packages, program);
  const run: typeof context.run = async (command, words, options) =>
    command.endsWith('launchers/curl')
      ? { exitCode: 0, stdout: 'curl 8.21.0 (x86_64)\nFeatures: HTTP2 HTTP3 SSL\n', stderr: '' }
      : context.run(command, words, options);
  const machine = { ...context, run };
  assert.equal(await lookForClient('curl@8.21', machine), undefined);
  assert.deepEqual(
    lines.filter((line) => line.includes('install')),
    [],
  );
  const client = await resolveClient('curl@8.21', machine);
  assert.deepEqual(
    [client.id, client.family, client.version, client.source, client.protocols],
    ['curl@8.21', 'curl', '8.21.0', 'cache', ['h1', 'h2', 'h3']],
  );
  assert.equal((await lookForClient('curl@8', machine))?.version, '8.21.0');
  const page = downloadWorkloadNamed('download-1mb');
  assert.ok(page);
  const driver = driverOf('curl');
  const refused = (quicLibrary: string, front: string): string =>
    driver.refusal?.({ ...client, quicLibrary }, page, 'h3', { front, network: 'cable' }) ?? '';
  assert.equal(refused('ngtcp2 1.22.1', 'envoy'), '', 'ngtcp2 gets its answers');
  assert.match(refused('OpenSSL 3.5.9', 'envoy'), /OpenSSL’s QUIC/);
  assert.match(refused('ngtcp2 1.22.1', 'haproxy'), /haproxy@3\.2/);
  assert.deepEqual([refused('OpenSSL 3.5.9', 'haproxy'), refused('ngtcp2 1.22.1', 'haproxy@3.2')], ['', '']);
});

test('clients of which no versions can be had are no versions', () => {
  assert.equal(commandVersionNamed('curl'), undefined);
  assert.equal(commandVersionNamed('wget2@2'), undefined);
  assert.equal(commandVersionNamed('chromium@153'), undefined);
  assert.throws(() => commandVersionNamed('curl@8.x'), /names no version of curl/);
});
