import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { NetworkProvider, NetworkStartOptions } from '../../../../harness/network/network.ts';
import type {
  RunningServer,
  ServerProvider,
  ServerStartOptions,
} from '../../../../harness/servers/server.ts';
import { Testbeds, type TestbedsOptions } from '../../../../harness/testbed/testbed.ts';
import { testbedKey, hopsOf } from '../../../../harness/testbed/testbed-request.ts';
import { openCertificateStore } from '../../../../harness/tools/certificates.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { openToolCache } from '../../../../src/core/system/tool-cache.ts';
import { goneLimitMs, waitUntil } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { testEnvironment } from '../../../support/test-scope.ts';

interface FakeServer {
  readonly provider: ServerProvider;
  readonly starts: ServerStartOptions[];
}

/** A server that refuses to start where an earlier one has not been stopped, as its port is taken then. */
function fakeServer(id: string, quic = 'reno', isAlive = (): boolean => true): FakeServer {
  const taken = new Set<string>();
  const starts: ServerStartOptions[] = [];
  const start = (options: ServerStartOptions): Promise<RunningServer> => {
    const place = `${options.launchPrefix.join(' ')} ${options.address}:${options.port}`;
    if (taken.has(place)) return Promise.reject(new Error('port in use'));
    taken.add(place);
    starts.push(options);
    const tcp = options.congestion === 'cubic' ? 'bbr' : (options.congestion ?? 'reno');
    const running = {
      description: {
        id,
        name: id,
        version: '1',
        upstreamProtocol: 'h2',
        quicCongestionControl: quic,
        tcpCongestionControl: tcp,
      },
      address: options.address,
      port: options.port,
      alive: isAlive,
      stop: () => Promise.resolve(void taken.delete(place)),
    };
    return Promise.resolve(running as unknown as RunningServer);
  };
  return { provider: { id, title: id, quicCongestionControls: [quic], applies: [], start }, starts };
}

/** A link; with `far` between two namespaces of that name, else within the machine. */
function fakeNetwork(id: string, far?: string): NetworkProvider {
  return {
    id,
    title: id,
    start: ({ link }: NetworkStartOptions) =>
      Promise.resolve({
        description: { id, backend: 'none', impaired: false, privilege: '', offloads: null, checks: [] },
        serverAddress: `198.18.${link?.index}.2`,
        clientPrefix: far === undefined ? [] : [`near-${far}`],
        serverPrefix: far === undefined ? [] : [far],
        ...(far === undefined ? {} : { ends: { near: `near-${far}`, far } }),
        startSignal: () => null,
        counters: () => Promise.resolve({ UdpRcvbufErrors: 2, softnetDrops: 3 }),
        stop: () => Promise.resolve(),
      }),
  } as unknown as NetworkProvider;
}

function testbeds(t: TestContext, changes: Partial<TestbedsOptions> = {}): Testbeds {
  const networks = [fakeNetwork('loopback'), fakeNetwork('dsl', 'a'), fakeNetwork('lan', 'b')];
  return new Testbeds({
    networks: new Map(networks.map((network) => [network.id, network])),
    servers: new Map(),
    roots: [],
    port: 8443,
    certificates: {
      spkiHash: '',
      spkiHashOf: () => Promise.resolve(''),
      authority: () => Promise.resolve(''),
      filesFor: () => Promise.reject(new Error('no certificates')),
    },
    tempDir: tempFolder(t),
    runId: 'test',
    pinning: { browserCpus: null, serverCpus: null },
    tcpCongestionControl: null,
    allowCongestionMismatch: true,
    environment: {},
    ...changes,
  });
}

test('a server of which a part has died is stopped whole before another takes its port', async (t) => {
  let alive = true;
  const { provider } = fakeServer('fake', 'reno', () => alive);
  const all = testbeds(t, { servers: new Map([['fake', provider]]) });
  const request = { network: 'loopback', server: 'fake' };
  const first = await all.open(request);
  assert.equal((await all.open(request)).server, first.server, 'kept while all of it runs');
  alive = false;
  const second = await all.open(request);
  assert.notEqual(second.server, first.server);
  assert.equal(second.server.address, first.server.address);
});

test('what cannot be started for a moment is tried again, and all else stays so', async (t) => {
  const { provider } = fakeServer('fake');
  for (const [code, isTriedAgain] of [
    ['bad-input', true],
    ['unsupported', false],
  ] as const) {
    let starts = 0;
    const start: ServerProvider['start'] = (options) =>
      starts++ === 0 ? Promise.reject(new H2h3Error(code, 'no')) : provider.start(options);
    const servers = new Map([['fake', { ...provider, start }]]);
    const all = testbeds(t, { servers, passes: (cause) => cause.code === 'bad-input' });
    const request = { network: 'loopback', server: 'fake' };
    await assert.rejects(all.open(request), { code });
    if (isTriedAgain) await all.open(request);
    else await assert.rejects(all.open(request), { code });
    assert.equal(starts, isTriedAgain ? 2 : 1, code);
  }
});

test('two servers on the machine itself have the same port and an address each', async (t) => {
  const servers = new Map(['one', 'two'].map((id) => [id, fakeServer(id).provider]));
  const all = testbeds(t, { servers });
  const addresses: string[] = [];
  for (const server of ['one', 'two', 'one'])
    addresses.push((await all.open({ network: 'loopback', server })).entry.address);
  assert.deepEqual(addresses, ['127.0.0.1', '127.0.0.2', '127.0.0.1']);
});

test('a proxy stands where the first link ends, and the server where the second does', async (t) => {
  const origin = fakeServer('origin');
  const proxy = fakeServer('proxy', 'bbr');
  const all = testbeds(t, {
    servers: new Map([['origin', origin.provider]]),
    proxies: new Map([['proxy', proxy.provider]]),
  });
  const request = {
    network: 'dsl/lan',
    server: 'origin',
    proxies: ['proxy'],
    senders: { congestion: ['bbr', 'reno'] },
  };
  const testbed = await all.open({ ...request, protocol: 'h3' });
  assert.equal(testbed.entry.address, '198.18.0.2');
  assert.equal(testbed.server.address, '198.18.1.2');
  assert.deepEqual(proxy.starts[0]?.launchPrefix, ['a']);
  assert.deepEqual(proxy.starts[0]?.upstream, { address: '198.18.1.2', port: 8443 });
  assert.equal(proxy.starts[0]?.congestion, 'bbr');
  assert.deepEqual(origin.starts[0]?.launchPrefix, ['b']);
  assert.equal(origin.starts[0]?.congestion, 'reno');
  assert.deepEqual(testbed.network.clientPrefix, ['near-a']);
  assert.deepEqual(
    testbed.facts.links.map(({ id }) => id),
    ['dsl', 'lan'],
  );
  assert.deepEqual(
    testbed.facts.proxies.map(({ id }) => id),
    ['proxy'],
  );
  assert.deepEqual(await testbed.network.counters(), { UdpRcvbufErrors: 4, softnetDrops: 3 });
});

test('a link that is not named joins the server to the place of the proxy', async (t) => {
  const origin = fakeServer('origin');
  const all = testbeds(t, {
    servers: new Map([['origin', origin.provider]]),
    proxies: new Map([['proxy', fakeServer('proxy').provider]]),
  });
  const { entry, server } = await all.open({ network: 'dsl', server: 'origin', proxies: ['proxy'] });
  assert.equal(entry.address, '198.18.0.2');
  assert.equal(server.address, '127.0.0.1');
  assert.deepEqual(origin.starts[0]?.launchPrefix, ['a']);
});

test('congestion control that the sender does not run over the protocol asked for is unsupported, with what it runs', async (t) => {
  const all = testbeds(t, { servers: new Map([['fake', fakeServer('fake').provider]]) });
  const request = { network: 'loopback', server: 'fake' } as const;
  const refusal = async (congestion: string, protocol: 'h2' | 'h3'): Promise<string> => {
    try {
      await all.open({ ...request, senders: { congestion: [congestion] }, protocol });
      return '';
    } catch (thrown) {
      assert.ok(thrown instanceof H2h3Error && thrown.code === 'unsupported');
      return thrown.message;
    }
  };
  assert.equal(await refusal('bbr', 'h2'), '');
  assert.match(await refusal('bbr', 'h3'), /cannot run bbr over QUIC: it runs reno/);
  assert.equal(await refusal('reno', 'h3'), '');
  assert.match(await refusal('cubic', 'h2'), /cannot run cubic over TCP: it runs bbr/);
});

test('a resolver that is down is what a trial is told of, and the next trial has another', async (t) => {
  const certificates = await openCertificateStore({ cache: openToolCache(tempFolder(t)) });
  const servers = new Map([['fake', fakeServer('fake').provider]]);
  const roots = [{ host: 'a.test', directory: '/nowhere' }];
  const all = testbeds(t, { servers, certificates, roots, environment: testEnvironment() });
  t.after(() => all.stop());
  const request = { network: 'loopback', server: 'fake', senders: { discovery: { resolves: true } } };
  const first = await all.open(request);
  const { resolver } = first;
  assert.ok(resolver !== undefined && first.died() === undefined);
  process.kill(resolver.pid, 'SIGKILL');
  await waitUntil('the resolver has ended', goneLimitMs, () => !resolver.alive());
  assert.equal(first.died(), 'the resolver of the testbed');
  const second = await all.open(request);
  assert.ok(second.resolver?.alive() === true && second.resolver.pid !== resolver.pid);
  assert.equal(second.died(), undefined);
});

test('a resolver that does not start is the reason of its trials, with what it said', async (t) => {
  const { provider, starts } = fakeServer('fake');
  const files = { certificateFile: '/nowhere/leaf.pem', keyFile: '/nowhere/key.pem' };
  const certificates = {
    spkiHash: '',
    spkiHashOf: () => Promise.resolve(''),
    authority: () => Promise.resolve(''),
    filesFor: () => Promise.resolve(files),
  };
  const environment = testEnvironment();
  const all = testbeds(t, { servers: new Map([['fake', provider]]), certificates, environment });
  const request = { network: 'loopback', server: 'fake', senders: { discovery: { resolves: true } } };
  for (const trial of [1, 2])
    await assert.rejects(
      all.open(request),
      (error) =>
        error instanceof H2h3Error &&
        error.message === 'the resolver of the testbed did not start' &&
        error.context.stderrTail?.includes('/nowhere/leaf.pem') === true,
      `trial ${trial}`,
    );
  assert.equal(starts.length, 1, 'it is not tried again');
  assert.ok(await provider.start(starts[0] ?? assert.fail()), 'its server gave its port back');
});

test('an unknown server or proxy and more networks than links are refused by name', async (t) => {
  const all = testbeds(t, { servers: new Map([['fake', fakeServer('fake').provider]]) });
  await assert.rejects(all.open({ network: 'loopback', server: 'nginy' }), /no server called nginy/);
  await assert.rejects(all.open({ network: 'dsl', server: 'fake', proxies: ['x'] }), /no proxy called x/);
  assert.throws(() => hopsOf({ network: 'dsl/lan', server: 'fake' }), /more networks than there are links/);
  assert.throws(
    () => hopsOf({ network: 'dsl', server: 'fake', senders: { congestion: ['bbr', 'reno'] } }),
    /more congestion controls/,
  );
});

test('requests that differ in what is started are different testbeds', () => {
  const request = { network: 'dsl', server: 'fake' };
  assert.equal(testbedKey(request), testbedKey({ ...request, protocol: 'h3' }));
  const off = { link: { offloads: 'off' as const } };
  const aes = { senders: { cipher: 'aes128' as const } };
  const bbr = { senders: { congestion: ['bbr'] } };
  for (const change of [bbr, { proxies: ['p'] }, off, aes, { server: 'other' }])
    assert.notEqual(testbedKey(request), testbedKey({ ...request, ...change }));
});

test('a server behind a link to another machine is at the address of that machine', async (t) => {
  const near = fakeNetwork('host');
  const network: NetworkProvider = {
    ...near,
    start: async (options) => ({ ...(await near.start(options)), farAddress: '192.0.2.7' }),
  };
  const all = testbeds(t, {
    networks: new Map([['host', network]]),
    servers: new Map([['fake', fakeServer('fake').provider]]),
  });
  const { entry, server } = await all.open({ network: 'host', server: 'fake' });
  assert.deepEqual([entry.address, server.address], ['192.0.2.7', '192.0.2.7']);
});

test('what could not be started stays so, unless it may pass', async (t) => {
  for (const passes of [undefined, () => true]) {
    const { provider } = fakeServer('fake');
    let starts = 0;
    const failing = {
      ...provider,
      start: (options: Parameters<typeof provider.start>[0]) =>
        ++starts === 1 ? Promise.reject(new Error('not reached')) : provider.start(options),
    };
    const all = testbeds(t, {
      servers: new Map([['fake', failing]]),
      ...(passes === undefined ? {} : { passes }),
    });
    const request = { network: 'loopback', server: 'fake' };
    await assert.rejects(all.open(request), /not reached/);
    if (passes === undefined) await assert.rejects(all.open(request), /not reached/);
    else assert.equal((await all.open(request)).entry.address, '127.0.0.1');
  }
});
