import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerProvider } from '../../../../harness/servers/server.ts';
import { requireServers } from '../../../../src/app/run/require-servers.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const provider = (id: string, fault?: Error): ServerProvider => ({
  id,
  title: id,
  quicCongestionControls: ['reno'],
  require: () => (fault === undefined ? Promise.resolve() : Promise.reject(fault)),
  start: () => Promise.reject(new Error('not to be started')),
});
const absent = new H2h3Error('unsupported', 'there is no nginx');
const trials = [{ server: 'caddy' }, { server: 'nginx' }, { server: 'nginx' }];

test('a server that cannot be had is said once, with what it costs, when another can', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const lacking = await requireServers(trials, setup, [provider('caddy'), provider('nginx', absent)]);
  assert.deepEqual(lacking, [
    'the server nginx cannot be had (there is no nginx): its 2 trials are unsupported',
  ]);
});

test('when not one can be had the run does not begin', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const providers = [provider('caddy', absent), provider('nginx', absent)];
  await assert.rejects(requireServers(trials, setup, providers), absent);
});

test('only servers that the trials name are asked, and none for live addresses', async (t) => {
  const setup = setupContextIn(tempFolder(t));
  const providers = [provider('caddy'), provider('nginx', absent)];
  assert.deepEqual(await requireServers([{ server: 'caddy' }], setup, providers), []);
  assert.deepEqual(await requireServers([{ server: 'live' }], setup, [provider('caddy', absent)]), []);
});
