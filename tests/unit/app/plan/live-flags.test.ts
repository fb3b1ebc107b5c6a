import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';

test('what is said about live addresses is refused where none is loaded', () => {
  for (const [flag, flags] of [
    ['--insecure', { insecure: true }],
    ['--connect-to', { connectTo: ['a.example:443:127.0.0.1:8443'] }],
    ['--block', { block: ['ads'] }],
    ['--ca', { ca: 'root.pem' }],
  ] as const) {
    const refused = { message: `${flag} is for live addresses, and this plan loads none` };
    assert.throws(() => readPlanRequest('download', flags), refused);
    assert.doesNotThrow(() => readPlanRequest(undefined, { ...flags, url: ['https://a.example/'] }));
  }
});

test('an address that an arm names is one', () => {
  const arms = 'h3+url=https://a.example/,h3+url=https://b.example/';
  assert.doesNotThrow(() =>
    readPlanRequest(undefined, { arms, url: [], insecure: true, workload: 'download-1mb' }),
  );
});

test('a way to another place that is none says how it is written', () => {
  const flags = { url: ['https://a.example/'], connectTo: ['a.example'] };
  assert.throws(
    () => readPlanRequest(undefined, flags),
    /connectTo\.0: want HOST:PORT:ADDRESS:PORT, such as/,
  );
});

test('the server of a live address cannot be chosen, and its network can', () => {
  const url = ['https://a.example/'];
  assert.throws(
    () => readPlanRequest(undefined, { server: 'nginx', url }),
    /cannot be given with --url: a live address has its own/,
  );
  const networksOf = (flags: { network?: string }): string[] =>
    planFromRequest(readPlanRequest(undefined, { ...flags, url }), 'h2h3').plan.conditions.map(
      ({ network }) => network,
    );
  assert.deepEqual(networksOf({}), ['host'], 'the real path, unless a network is named');
  assert.deepEqual(networksOf({ network: '4g,cable' }), ['4g', 'cable']);
});

test('what is said of a server that the run starts is checked before anything is made', () => {
  const url = ['https://a.example/'];
  const refused = (flags: object, message: RegExp): void =>
    assert.throws(() => readPlanRequest(undefined, { url, ...flags }), { code: 'usage', message });
  refused({ serverReady: url[0] }, /^--server-ready is about a server that --server-command starts$/);
  refused({ serverCommand: 'serve', serverProtocol: 'h2,h4' }, /wants h2, h3 or both, got "h4"$/);
  refused({ serverCommand: 'serve', serverReady: 'soon' }, /^--server-ready: /);
  refused({ serverCommand: '' }, /^--server-command: /);
  const { plan } = planFromRequest(readPlanRequest(undefined, { url, serverCommand: 'serve' }), 'h2h3');
  assert.deepEqual(plan.live?.server, {
    command: 'serve',
    protocol: ['h2', 'h3'],
    readyWithinSeconds: 60,
  });
  const several = [{ command: 'a' }, { command: 'b' }];
  assert.throws(
    () => readPlanRequest(undefined, { url }, [], { live: { server: several } }),
    /each needs its own `ready`/,
  );
});

test('an app is a page of any server, and what only live addresses take is refused for it', () => {
  const app = ['http://localhost:3000/a', 'api=http://localhost:4000'];
  const flags = { app, server: 'nginx,caddy', network: '4g', header: ['Accept-Language: de'] };
  const file = readPlanRequest(undefined, { ...flags, appCompress: true });
  const { plan, workloads } = planFromRequest(file, 'h2h3');
  assert.deepEqual(plan.app, { addresses: app, compress: true });
  assert.deepEqual(
    plan.conditions.map(({ workload, network, server }) => [workload, network, server]),
    ['nginx', 'caddy'].map((server) => ['app-localhost-3000-a', '4g', server]),
  );
  assert.deepEqual(
    workloads.map(({ title }) => title),
    ['http://localhost:3000/a'],
  );
  const refused = (more: object, message: RegExp): void =>
    assert.throws(() => readPlanRequest(undefined, { app, ...more }), { code: 'usage', message });
  refused({ insecure: true }, /^--insecure is about TLS/);
  refused({ connectTo: ['a:1:b:2'] }, /^--connect-to is about TLS/);
  refused({ serverCommand: 'serve', serverProtocol: 'h2' }, /^--server-protocol is about a live address/);
  refused({ app: ['https://localhost:3000'] }, /speaks TLS/);
  assert.throws(() => readPlanRequest('web', { appHost: 'own' }), {
    message: '--app-host is about an app, and this plan loads none',
  });
  assert.deepEqual(readPlanRequest('web', { app }).networks, readPlanRequest('web', {}).networks);
  assert.deepEqual(readPlanRequest('web', { app }).workloads, []);
});
