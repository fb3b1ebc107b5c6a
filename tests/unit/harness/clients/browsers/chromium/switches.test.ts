import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientLaunchOptions } from '../../../../../../harness/clients/client-driver.ts';
import { chromiumSwitches } from '../../../../../../harness/clients/browsers/chromium/switches.ts';

const options: ClientLaunchOptions = {
  client: {
    id: 'chromium',
    family: 'chromium',
    name: 'Chromium',
    version: '156',
    build: 'full',
    source: 'system',
    executablePath: '/usr/bin/chromium',
    headed: false,
    environment: {},
  },
  protocol: 'h2',
  profileDir: '/tmp/profile',
  spkiHash: 'hash=',
  hosts: ['a.test', 'b.test'],
  server: { address: '10.0.0.2', port: 4433 },
  headed: false,
  mediaBufferMegabytes: 0,
  frames: true,
  instrumentation: 'instrumented',
};
const machine = { withoutSandbox: false, smallSharedMemory: false };
const switchesOf = (changes: Partial<ClientLaunchOptions>): string[] =>
  chromiumSwitches({ ...options, ...changes }, machine);

test('each arm has the switches that decide its protocol, and no other arm has them', () => {
  const decisive = ['--disable-quic', '--disable-http2', '--enable-quic', '--origin-to-force-quic-on=*'];
  const of = (protocol: ClientLaunchOptions['protocol']): string[] =>
    switchesOf({ protocol }).filter((word) => decisive.includes(word));
  assert.deepEqual(of('h1'), ['--disable-quic', '--disable-http2']);
  assert.deepEqual(of('h2'), ['--disable-quic']);
  assert.deepEqual(of('h3'), ['--enable-quic', '--origin-to-force-quic-on=*']);
  assert.deepEqual(of('auto'), []);
});

test('a flag that enables what is switched off for quiet takes its place, and none undoes the protocol', () => {
  const off = '--disable-field-trial-config';
  const on = '--enable-field-trial-config';
  const withTrials = switchesOf({ factors: { flags: [on, '--enable-quic'] } });
  assert.ok(switchesOf({}).includes(off));
  assert.deepEqual([withTrials.includes(off), withTrials.includes(on)], [false, true]);
  assert.ok(withTrials.includes('--disable-quic'));
});

test('as shipped nothing is forced on the server, but its certificate is good enough for QUIC', () => {
  const forced = switchesOf({ protocol: 'auto' }).filter((word) => word.startsWith('--origin-to-force'));
  assert.deepEqual(forced, ['--origin-to-force-quic-on=a.test:1,b.test:1']);
  const live = switchesOf({ protocol: 'auto', server: null });
  assert.ok(!live.some((word) => word.startsWith('--origin-to-force')));
});

test('the names of the workload lead to the server and all others nowhere', () => {
  assert.ok(
    switchesOf({}).includes('--host-resolver-rules=MAP a.test 10.0.0.2,MAP b.test 10.0.0.2,MAP * ~NOTFOUND'),
  );
  const server = { address: 'fd00::2', port: 1 };
  assert.ok(
    switchesOf({ hosts: ['a.test'], server }).includes(
      '--host-resolver-rules=MAP a.test [fd00::2],MAP * ~NOTFOUND',
    ),
  );
});

test('whatever port a recording names leads to the server’s', () => {
  const replay = {
    ports: [443],
    essentialMisses: 0,
    missShare: 0,
    inexactShare: 0.1,
    firstScript: null,
    expectedFailures: [],
    deadHosts: [],
  };
  const words = switchesOf({ hosts: ['a.test'], server: { address: '10.0.0.2', port: 8443 }, replay });
  assert.ok(words.includes('--host-resolver-rules=MAP a.test 10.0.0.2:8443,MAP * ~NOTFOUND'));
});

test('where a name is asked for, recorded ports lead to the server’s, and QUIC is forced on them', () => {
  const replay = {
    ports: [443, 8080],
    essentialMisses: 0,
    missShare: 0,
    inexactShare: 0.1,
    firstScript: null,
    expectedFailures: [],
    deadHosts: [],
  };
  const server = { address: '10.0.0.2', port: 8443, resolver: 'https://10.0.0.2:5353/1/2' };
  const words = switchesOf({
    protocol: 'h3',
    hosts: ['a.test'],
    server,
    replay,
    factors: { family: 'both' },
  });
  assert.ok(
    words.includes('--host-resolver-rules=MAP a.test:443 a.test:8443,MAP a.test:8080 a.test:8443'),
    words.join(' '),
  );
  assert.ok(words.includes('--origin-to-force-quic-on=a.test:443,a.test:8080,a.test:8443'));
  const page = switchesOf({ hosts: ['a.test'], server, factors: { family: 'both' } });
  assert.ok(!page.some((word) => word.startsWith('--host-resolver-rules')));
});

test('a live address is resolved by the machine, and only certificates of our own key are waived', () => {
  const words = switchesOf({ server: null });
  assert.ok(!words.includes('--ignore-certificate-errors'));
  assert.ok(!words.some((word) => word.includes('MAP *')));
});

test('at a live page QUIC is forced on hosts that answer over it, and on no other', () => {
  const live = {
    remote: { url: 'https://a.test/' } as never,
    h3Hosts: [],
    acceptedKeys: ['theirs='],
    connectTo: ['a.test:443:127.0.0.1:8443'],
    block: [],
  };
  const words = switchesOf({ protocol: 'h3', server: null, hosts: ['a.test:443', 'cdn.test:443'], live });
  assert.ok(words.includes('--origin-to-force-quic-on=a.test:443,cdn.test:443'));
  assert.ok(words.includes('--ignore-certificate-errors-spki-list=hash=,theirs='));
  assert.ok(words.some((word) => word.startsWith('--host-resolver-rules=MAP a.test:443 127.0.0.1:8443,')));
  const auto = switchesOf({ protocol: 'auto', server: null, hosts: ['a.test:443'], live });
  assert.ok(auto.includes('--origin-to-force-quic-on=a.test:1'));
});

test('localhost leads to that of its addresses that answered, any other name to where the machine says', () => {
  const rulesAt = (url: string, address: string): string => {
    const remote = { url, address } as never;
    const live = { remote, h3Hosts: [], acceptedKeys: [], connectTo: [], block: [] };
    return switchesOf({ server: null, live }).find((word) => word.startsWith('--host-resolver-rules=')) ?? '';
  };
  assert.match(rulesAt('https://localhost:8443/', '127.0.0.1:8443'), /=MAP localhost 127\.0\.0\.1,MAP /);
  assert.match(rulesAt('https://localhost:8443/', '::1:8443'), /=MAP localhost \[::1\],MAP /);
  assert.ok(!rulesAt('https://shop.example/', '192.0.2.7:443').includes('shop.example'));
});

test('the sandbox is left out only where it cannot work', () => {
  assert.ok(!switchesOf({}).includes('--no-sandbox'));
  assert.ok(chromiumSwitches(options, { ...machine, withoutSandbox: true }).includes('--no-sandbox'));
});

test('headless is new in full builds, old in the headless shell, absent when headed', () => {
  const shell = { ...options.client, build: 'headless-shell' } as const;
  assert.ok(switchesOf({}).includes('--headless=new'));
  assert.ok(switchesOf({ client: shell }).includes('--headless'));
  assert.ok(!switchesOf({ headed: true }).some((word) => word.startsWith('--headless')));
});

test('the Media Source quota is raised only when asked for', () => {
  assert.ok(!switchesOf({}).some((word) => word.startsWith('--mse-')));
  assert.ok(switchesOf({ mediaBufferMegabytes: 900 }).includes('--mse-video-buffer-size-limit-mb=900'));
});

test('names that are to be discovered are mapped nowhere, so that the resolver is asked', () => {
  const server = { ...options.server, address: '10.0.0.2', port: 4433, resolver: 'https://10.0.0.2:9' };
  const rules = (changes: Partial<ClientLaunchOptions>): string[] =>
    switchesOf({ protocol: 'auto', server, ...changes }).filter((word) => word.startsWith('--host-resolver'));
  assert.deepEqual(rules({ factors: { discovery: 'https-record' } }), []);
  assert.equal(rules({ factors: { discovery: 'forced' } }).length, 1);
  assert.equal(rules({}).length, 1);
});

test('where names are asked for, HTTP/3 is forced on the page’s hosts and not on the resolver', () => {
  const server = { ...options.server, address: '10.0.0.2', port: 4433, resolver: 'https://10.0.0.2:9' };
  const forced = (factors: ClientLaunchOptions['factors']): string[] =>
    switchesOf({ protocol: 'h3', server, hosts: ['a.test', 'cdn.test'], ...(factors && { factors }) }).filter(
      (word) => word.startsWith('--origin-to-force'),
    );
  assert.deepEqual(forced({ family: 'both' }), ['--origin-to-force-quic-on=a.test:4433,cdn.test:4433']);
  assert.deepEqual(forced(undefined), ['--origin-to-force-quic-on=*']);
});
