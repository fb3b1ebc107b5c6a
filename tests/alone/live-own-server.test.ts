import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { twoPorts } from '../support/live-site.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { ownAddress } from '../support/own-address.ts';
import { readSenders } from '../support/planted-senders.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { answers, ownServer } from '../support/own-server.ts';

test('two servers that a run starts are its arms, over a shaped path', async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip('this machine has no address but its loopback');
  if (process.getuid?.() !== 0) return t.skip('only root may lead a path out of its namespace');
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const [one, other] = await twoPorts();
  const servers = [
    await ownServer(t, { address, port: one }),
    await ownServer(t, { address, port: other }),
  ] as const;
  const [{ folder, certificateFile }] = servers;
  const plan = {
    arms: servers.map(({ url }) => `h3+url=${url}`),
    clients: ['best'],
    networks: ['cable'],
    live: {
      ca: certificateFile,
      connectTo: servers.map(({ leads }) => leads),
      server: servers.map((own) => ({ command: own.caddyFor(['h1', 'h2', 'h3']), ready: own.url })),
    },
  };
  const file = join(folder, 'plan.yaml');
  const out = join(folder, 'run');
  writeFileSync(file, JSON.stringify(plan));
  const { code, stderr } = await runCli(
    ['run', file, '--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start', '--out', out],
    {
      OWN_TITLE: 'title',
    },
  );
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const records = readRecords(out);
  const late = records.find(({ reason: why }) => machineWasLate(why));
  if (late !== undefined) return t.skip(late.reason);
  assert.equal(code, 0, `${stderr}\n${JSON.stringify(records.map(({ reason: why }) => why))}`);
  assert.deepEqual(
    records.map(({ status, network, factors }) => [status, network, factors.url]).toSorted(),
    servers.map(({ url }) => ['ok', 'cable', url]).toSorted(),
  );
  for (const { port } of servers) assert.equal(await answers(port, address), false, 'it has ended');
});

test('the sender of a server of one’s own is measured over a shaped path', async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip('this machine has no address but its loopback');
  if (process.getuid?.() !== 0) return t.skip('only root may lead a path out of its namespace');
  const reason = await namespaceLack();
  if (reason !== null) return t.skip(reason);
  const [port] = await twoPorts();
  const own = await ownServer(t, { address, port });
  const command = own.caddyFor(['h1', 'h2', 'h3']);
  serveLargeFile(own.folder);
  const out = join(own.folder, 'senders');
  const { stderr, stdout } = await runCli([
    'senders',
    '--url',
    `${own.url}large.html`,
    '--ca',
    own.certificateFile,
    '--connect-to',
    own.leads,
    '--server-command',
    command,
    '--server-ready',
    own.url,
    '--property',
    'burst-recovery',
    '--repetitions',
    // Of one whose packets the machine delayed the link does not tell the first flight.
    '3',
    '--out',
    out,
  ]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const { senders, headline } = readSenders(out);
  assert.equal(headline, 'No property of any sender is decided', stderr);
  assert.deepEqual(
    senders.map(({ server, protocol }) => [server, protocol]),
    [
      [`localhost:${port}`, 'h2'],
      [`localhost:${port}`, 'h3'],
    ],
  );
  const trials = readRecords(join(out, 'live'));
  for (const { protocol, properties } of senders) {
    const measured = (id: string) => properties.find(({ property }) => property === id);
    // Linux begins with 10 packets and those that acknowledged ones of the handshake add, quic-go with 32.
    const { median = null, allowed } = measured('first-flight') ?? {};
    const own = trials.filter(({ factors }) => factors.protocol === protocol);
    assert.ok(own.length > 0, stderr);
    if (median === null && own.every(hasNoFlight)) {
      t.diagnostic(`${protocol}: the machine was late in every trial`);
      continue;
    }
    assert.ok(typeof median === 'number' && allowed !== undefined, stdout);
    assert.ok(
      protocol === 'h2' ? median <= allowed : median > allowed,
      `${protocol}: ${median} of ${allowed}`,
    );
  }
  // A sender that lost its last packets in the burst may still be below its rate when the file ends.
  const recoveries = senders.flatMap(({ properties }) =>
    properties.flatMap(({ property, median }) => (property === 'burst-recovery' ? [median] : [])),
  );
  assert.equal(recoveries.length, 2, stdout);
  assert.ok(
    recoveries.some((median) => median !== null && median > 0),
    stdout,
  );
  assert.equal(await answers(port, address), false, 'it has ended');
});

/** Whether the machine delayed a trial's path, or its server had no CPU in the first flight, of which the link then knows no end. */
function hasNoFlight({ reason, metrics: { firstFlight } }: TrialRecord): boolean {
  if (machineWasLate(reason) || firstFlight === undefined || 'reason' in firstFlight) return true;
  return firstFlight.isLeast || firstFlight.acknowledgedBefore === undefined;
}

/** Lets the Caddy of this folder answer with files of it, one of which is large. */
function serveLargeFile(folder: string): void {
  const file = join(folder, 'h1-h2-h3.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as {
    apps: { http: { servers: { own: { routes: unknown } } } };
  };
  config.apps.http.servers.own.routes = [{ handle: [{ handler: 'file_server', root: folder }] }];
  writeFileSync(file, JSON.stringify(config));
  const head = '<!doctype html><link rel=icon href="data:,"><title>large</title>';
  writeFileSync(join(folder, 'large.html'), `${head}<!--${'x'.repeat(10_500_000)}-->`);
  writeFileSync(join(folder, 'index.html'), head);
}
