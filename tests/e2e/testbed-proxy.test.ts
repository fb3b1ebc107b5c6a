import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { networkProviders } from '../../harness/network/registry.ts';
import { proxyProviders } from '../../harness/proxies/registry.ts';
import { serverProviders } from '../../harness/servers/registry.ts';
import { Testbeds } from '../../harness/testbed/testbed.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { request } from '../support/origin-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { markedEnvironment } from '../support/test-scope.ts';

test('a proxy stands between: the client sees one protocol, the server another, and both logs say which', async (t) => {
  const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
  const proxies = new Map(proxyProviders(setup).map((proxy) => [proxy.id, proxy]));
  try {
    for (const proxy of proxies.values()) await proxy.require?.();
  } catch (thrown) {
    return t.skip(messageOf(thrown));
  }
  const folder = tempFolder(t);
  const site = path.join(folder, 'site');
  mkdirSync(site);
  writeFileSync(path.join(site, 'index.html'), '<h1>page</h1>');
  const testbeds = new Testbeds({
    networks: new Map(networkProviders(setup).map((network) => [network.id, network])),
    servers: new Map(serverProviders(setup).map((server) => [server.id, server])),
    proxies,
    roots: [{ host: 'a.test', directory: site }],
    port: await choosePort(undefined),
    certificates: await openCertificateStore({ cache: setup.cache }),
    tempDir: path.join(folder, 'testbeds'),
    runId: 'test',
    pinning: { browserCpus: null, serverCpus: null },
    tcpCongestionControl: null,
    allowCongestionMismatch: true,
    environment: markedEnvironment(),
  });
  t.after(() => testbeds.stop());
  for (const [proxy, upstream, towardsProxy] of [
    ['envoy', 'h2', 'bbr'],
    // The only one that nginx has over QUIC.
    ['envoy-h3', 'h3', 'reno'],
  ] as const) {
    const testbed = await testbeds.open({
      network: 'loopback',
      server: 'nginx',
      proxies: [proxy],
      senders: { congestion: ['reno', towardsProxy] },
      protocol: 'h2',
    });
    const [first] = testbed.proxies;
    assert.ok(first);
    assert.equal(first.description.tcpCongestionControl, 'reno', 'of the sender to the client');
    assert.equal(testbed.server.description.tcpCongestionControl, towardsProxy, 'of the sender to the proxy');
    const marks = [await first.mark(), await testbed.server.mark()] as const;
    const answer = await request(testbed.entry, '/?through');
    assert.equal(answer.body, '<h1>page</h1>');
    assert.equal(answer.headers['timing-allow-origin'], '*');
    assert.equal(answer.headers['via'], undefined);
    const awaited = ['a.test/?through'];
    const atProxy = await first.entriesSince(marks[0], awaited);
    const atServer = await testbed.server.entriesSince(marks[1], awaited);
    assert.deepEqual(
      [...atProxy, ...atServer].map(({ protocol, status, bytes }) => ({ protocol, status, bytes })),
      [
        { protocol: 'h2', status: 200, bytes: 13 },
        { protocol: upstream, status: 200, bytes: 13 },
      ],
    );
    assert.deepEqual(
      testbed.facts.proxies.map(({ id }) => id),
      [proxy],
    );
  }
  await assert.rejects(
    testbeds.open({
      network: 'loopback',
      server: 'nginx',
      proxies: ['envoy'],
      senders: { congestion: ['reno'] },
      protocol: 'h3',
    }),
    /envoy 1\.40\.0 cannot run reno over QUIC: it runs bbr/,
  );
});
