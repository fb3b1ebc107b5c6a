import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkProvider } from '../../../../harness/network/network.ts';
import { Paths } from '../../../../harness/testbed/testbed.ts';
import type { RunningServer, ServerProvider } from '../../../../harness/servers/server.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A server that refuses to start while an earlier one has not been stopped, as its port is taken then. */
function portBoundServer(isAlive: () => boolean): ServerProvider {
  let portTaken = false;
  const running = {
    description: { id: 'fake', name: 'fake', version: '1' },
    alive: isAlive,
    stop: () => {
      portTaken = false;
      return Promise.resolve();
    },
  };
  return {
    id: 'fake',
    title: 'fake',
    quicCongestionControls: ['reno'],
    start: () => {
      if (portTaken) return Promise.reject(new Error('port in use'));
      portTaken = true;
      return Promise.resolve({ ...running } as unknown as RunningServer);
    },
  };
}

const network = {
  id: 'loopback',
  title: 'loopback',
  start: () =>
    Promise.resolve({
      description: { id: 'loopback', title: 'loopback' },
      serverAddress: '127.0.0.1',
      serverPrefix: [],
    }),
} as unknown as NetworkProvider;

test('a server of which a part has died is stopped whole before another takes its port', async (t) => {
  let alive = true;
  const paths = new Paths({
    networks: new Map([['loopback', network]]),
    servers: new Map([['fake', portBoundServer(() => alive)]]),
    roots: [],
    port: 8443,
    certificates: { spkiHash: '', filesFor: () => Promise.reject(new Error('no certificates')) },
    tempDir: tempFolder(t),
    runId: 'test',
    pinning: { browserCpus: null, serverCpus: null },
    tcpCongestionControl: null,
    allowCongestionMismatch: true,
    environment: {},
  });
  const first = await paths.get('loopback', 'fake');
  assert.equal((await paths.get('loopback', 'fake')).server, first.server, 'kept while all of it runs');
  alive = false;
  const second = await paths.get('loopback', 'fake');
  assert.notEqual(second.server, first.server);
});
