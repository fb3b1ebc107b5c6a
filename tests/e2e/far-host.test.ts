import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FarHost } from '../../harness/hosts/far-host.ts';
import { FarLink } from '../../harness/hosts/far-link.ts';
import { FarPlace } from '../../harness/hosts/far-place.ts';
import { farResolvers } from '../../harness/hosts/far-resolver.ts';
import { farServers } from '../../harness/hosts/far-server.ts';
import { SentContent } from '../../harness/hosts/sent-content.ts';
import { serverProviders } from '../../harness/servers/registry.ts';
import type { RunningServer, ServerProvider, ServerStartOptions } from '../../harness/servers/server.ts';
import type { Testbed } from '../../harness/testbed/testbed.ts';
import { openCertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { logsOf, serverCpuBetween, startOf, takeCounts } from '../../harness/trial/path-evidence.ts';
import type { DoneMessage } from '../../harness/trial/worker-process.ts';
import { linkAfterTrials } from '../../src/app/run/other-machines.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { archiveOrigin } from '../../sites/archive/archive-workload.ts';
import { sinkOrigin } from '../../sites/uploads/upload-workload.ts';
import { projectDir } from '../support/cli.ts';
import { killIfThere, processesWith, waitUntil } from '../support/processes.ts';
import { smallHost, smallPage, writeSmallArchive } from '../support/small-archive.ts';
import { standInSsh } from '../support/stand-in-ssh.ts';
import { tempFolder } from '../support/temp-folder.ts';

const address = '127.0.0.9';
const limitMs = 60_000;
/** Times of both ends are read in whole milliseconds. */
const readingMs = 2;

/** The agent of a stand-in machine: its program lies in that machine's home. */
const agentsOf = (home: string): number[] =>
  processesWith('far-agent.')
    .filter(({ commandLine }) => commandLine.includes(home))
    .map(({ pid }) => pid);

/** Servers of a stand-in machine, whose configuration is below its home. */
const serversOf = (home: string): number[] =>
  processesWith('caddy.json')
    .filter(({ commandLine }) => commandLine.includes(home))
    .map(({ pid }) => pid);

describe('another machine, over a stand-in for ssh', () => {
  const cleanups: (() => void)[] = [];
  let folder = '';
  let home = '';
  let environment: Readonly<Record<string, string>> = {};
  let setup: SetupContext;
  let options: ServerStartOptions;
  let caddy: ServerProvider | undefined;
  const said: string[] = [];

  before(async () => {
    folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    ({ home, environment } = standInSsh(folder, undefined, address));
    mkdirSync(join(home, '.cache', 'h2h3'), { recursive: true });
    symlinkSync(join(projectDir, '.h2h3', 'tools'), join(home, '.cache', 'h2h3', 'tools'));
    setup = await createSetupContext({ projectDir });
    const directory = join(folder, 'site');
    mkdirSync(join(directory, 'deep'), { recursive: true });
    writeFileSync(join(directory, 'index.html'), '<!doctype html>hello');
    writeFileSync(join(directory, 'deep', 'large.bin'), Buffer.alloc(1_500_000, 7));
    [caddy] = serverProviders(setup, ['caddy']);
    await caddy?.require?.();
    options = {
      roots: [{ host: 'a.test', directory }],
      address,
      port: await choosePort(undefined),
      certificates: await openCertificateStore({ cache: setup.cache }),
      workDir: folder,
      launchPrefix: [],
      environment: {},
    };
  });
  after(async () => {
    // What a test that failed has left would keep this file from its end.
    for (const host of opened) await host.close();
    cleanups.forEach((cleanup) => cleanup());
  });

  const opened: FarHost[] = [];
  const open = async (): Promise<FarHost> => {
    const own = join(folder, `run-${Math.random().toString(16).slice(2, 8)}`);
    mkdirSync(own);
    const say = (title: string): void => void said.push(title);
    const { signal } = new AbortController();
    const host = await FarHost.open({ host: 'lab@far', folder: own, environment, say, tell: say, signal });
    opened.push(host);
    return host;
  };

  function start(host: FarHost, more: Partial<ServerStartOptions> = {}): Promise<RunningServer> {
    assert.ok(caddy);
    const [server] = farServers('server', [caddy], new FarPlace(host, options.port ?? 0));
    assert.ok(server);
    return server.start({ ...options, ...more });
  }

  /** Body bytes of an answer over HTTP/1.1. */
  const bytesOf = (port: number, path: string, name = 'a.test'): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host: name };
      get({ host: address, port, path, headers, servername: name, rejectUnauthorized: false }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes));
      }).on('error', reject);
    });

  /** What the sink answers to a body. */
  const uploaded = (port: number, body: Buffer): Promise<string> =>
    new Promise((resolve, reject) => {
      const name = 'sink.test';
      const to = { host: address, port, path: '/up', servername: name, rejectUnauthorized: false };
      const asked = request({ ...to, method: 'POST', headers: { host: name } }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
      });
      asked.on('error', reject).end(body);
    });

  /** What was asked, and within what the other clock is known by that request: the time that it took. */
  async function timed<Given>(asked: Promise<Given>): Promise<readonly [Given, number]> {
    const askedEpochMs = Date.now();
    const given = await asked;
    return [given, Date.now() - askedEpochMs + readingMs];
  }

  /** Told by this machine's clock, as far as the other's is known: since then, and not in time to come, however long it took. */
  function requireSince(beganEpochMs: number, clockRoomMs: number, toldEpochMs: readonly number[]): void {
    const endedEpochMs = Date.now();
    assert.ok(toldEpochMs.length > 0);
    for (const epochMs of toldEpochMs)
      assert.ok(
        epochMs >= beganEpochMs - clockRoomMs && epochMs <= endedEpochMs + clockRoomMs,
        `${epochMs} is not from ${beganEpochMs} to ${endedEpochMs}, within ${clockRoomMs} ms`,
      );
  }

  async function requireNothingLeft(): Promise<void> {
    await waitUntil(
      'all of it has ended',
      limitMs,
      () => agentsOf(home).length + serversOf(home).length === 0,
    );
    const work = join(home, '.cache', 'h2h3', 'far', 'work');
    await waitUntil('its folder is gone', limitMs, () => !existsSync(work) || readdirSync(work).length === 0);
  }

  test('a server runs there, and its log, CPU time and clock are known here', async () => {
    const host = await open();
    assert.ok(
      said.some((line) => /^Copying h2h3 to lab@far \(\d+ MB, once\)$/.test(line)),
      said.join('\n'),
    );
    assert.ok(host.hello.machine.cpuCount >= 1);
    assert.equal(host.hello.address, address);
    const server = await start(host);
    const [mark, clockRoomMs] = await timed(server.mark());
    const beganEpochMs = Date.now();
    assert.equal(await bytesOf(server.port, '/'), 20);
    assert.equal(await bytesOf(server.port, '/deep/large.bin'), 1_500_000);
    const entries = await server.entriesSince(mark, ['a.test/', 'a.test/deep/large.bin']);
    // A server writes each down when it has a CPU for that.
    assert.deepEqual(entries.map(({ path, status, bytes }) => [path, status, bytes]).toSorted(), [
      ['/', 200, 20],
      ['/deep/large.bin', 200, 1_500_000],
    ]);
    requireSince(
      beganEpochMs,
      clockRoomMs,
      entries.map(({ startEpochMs }) => startEpochMs),
    );
    const rows = [...((await server.cpuTimes?.()) ?? new Map()).values()];
    assert.ok(rows.some(({ userSeconds, systemSeconds }) => userSeconds + systemSeconds > 0));
    assert.match(server.description.version, /^2\./);
    assert.deepEqual([server.alive(), server.pid], [true, 0]);
    await server.stop();
    assert.deepEqual(serversOf(home), []);
    await host.close();
    await requireNothingLeft();
  });

  /** Counts how often the other machine is waited for: requests that are under way together are one wait. */
  function waitsOf(host: FarHost): () => number {
    const ask = host.ask.bind(host);
    let waits = 0;
    let underWay = 0;
    host.ask = (call, asked) => {
      if (underWay++ === 0) waits++;
      return ask(call, asked).finally(() => underWay--);
    };
    return () => waits;
  }

  test('a trial waits for the other machine once before it and once after it, and once while the next client gets ready', async () => {
    const host = await open();
    // A server that logs its connections is asked for the most.
    const server = await start(host, { environment: { QLOGDIR: join(folder, 'qlog') } });
    const network = { counters: () => Promise.resolve({}) };
    const parts = { network, server, front: server, proxies: [], facts: { roundTripMs: 0 } };
    const testbed = parts as unknown as Testbed;
    const waits = waitsOf(host);
    const sinceEpochMs = Date.now();
    const begun = await startOf(testbed);
    assert.equal(waits(), 1);
    for (let turn = 0; turn < 20; turn++) await bytesOf(server.port, '/deep/large.bin');
    const counts = await takeCounts(testbed).counts;
    assert.equal(waits(), 2);
    const page = { roots: options.roots } as unknown as PreparedWorkload;
    const raw = { session: null } as unknown as DoneMessage['raw'];
    const span = { ...begun, sinceEpochMs, flows: null };
    const { serverLog } = await logsOf(testbed, raw, page, span);
    assert.equal(waits(), 3);
    assert.deepEqual(
      [...new Set(serverLog?.map(({ path, bytes }) => `${path} ${bytes}`))],
      ['/deep/large.bin 1500000'],
    );
    const { serverCpu = [] } = serverCpuBetween(begun, counts);
    assert.ok(serverCpu.some(({ userSeconds, systemSeconds }) => userSeconds + systemSeconds > 0));
    await host.close();
    await requireNothingLeft();
  });

  test('a recorded site and a sink of uploads answer there, and what they say is told by the clock of this machine', async () => {
    const archive = join(folder, 'archive');
    await writeSmallArchive(archive);
    const host = await open();
    const server = await start(host, {
      roots: [
        ...options.roots,
        { host: smallHost, directory: archive, origin: archiveOrigin(archive) },
        { host: 'sink.test', directory: options.roots[0]?.directory ?? '', origin: sinkOrigin(1_000_000) },
      ],
    });
    const [mark, clockRoomMs] = await timed(server.mark());
    const beganEpochMs = Date.now();
    assert.equal(await bytesOf(server.port, '/', smallHost), smallPage.length);
    await bytesOf(server.port, '/nothing', smallHost);
    assert.match(await uploaded(server.port, Buffer.alloc(5000, 1)), /"bytes":5000/);
    const awaited = [`${smallHost}/`, `${smallHost}/nothing`, 'sink.test/up'];
    assert.equal((await server.entriesSince(mark, awaited)).length, 3);
    let ledger = await server.ledgerSince?.(beganEpochMs - 1000);
    await waitUntil('the origin has written all of it down', limitMs, async () => {
      ledger = await server.ledgerSince?.(beganEpochMs - 1000);
      return ledger?.misses.length === 1;
    });
    assert.deepEqual(ledger?.answered, { exact: 1 });
    assert.deepEqual(
      ledger.misses.map(({ url }) => url),
      [`https://${smallHost}/nothing`],
    );
    const arrived = (await server.arrivedSince?.(beganEpochMs - 1000)) ?? [];
    assert.deepEqual(
      arrived.map(({ host: name, bytes, end }) => [name, bytes, end]),
      [['sink.test', 5000, 'whole']],
    );
    requireSince(
      beganEpochMs,
      clockRoomMs,
      [...arrived, ...ledger.misses].map(({ atEpochMs }) => atEpochMs),
    );
    assert.deepEqual(await server.arrivedSince?.(Date.now() + 60_000), []);
    await host.close();
    await requireNothingLeft();
  });

  test('a resolver answers there next to the server, and what it was asked is told by the clock of this machine', async () => {
    const host = await open();
    const server = await start(host);
    const resolver = await farResolvers(new FarPlace(host, options.port ?? 0))({
      hosts: ['a.test'],
      address,
      lateMs: { A: 0, AAAA: 0, HTTPS: 0 },
      prefix: [],
      certificates: options.certificates,
      environment: {},
      workDir: folder,
    });
    const beganEpochMs = Date.now();
    const url = new URL(resolver.urlFor({ blockSeed: 7, trialId: 'trial', attempt: 0 }));
    assert.deepEqual([url.hostname, Number(url.port)], [address, resolver.port]);
    // A query for the address of `a.test` (RFC 1035, 4.1), in a request of DNS over HTTPS (RFC 8484, 4.1).
    const head = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    const query = Buffer.from([...head, 1, 97, 4, ...Buffer.from('test'), 0, 0, 1, 0, 1]).toString(
      'base64url',
    );
    const asked = `${url.pathname}/alt-svc?dns=${query}`;
    assert.ok((await bytesOf(resolver.port, asked, 'resolver.test')) > 12);
    const [questions, clockRoomMs] = await timed(resolver.questionsSince(beganEpochMs - 1000));
    assert.deepEqual(
      questions.map(({ name, type, found }) => [name, type, found]),
      [['a.test', 'A', true]],
    );
    requireSince(
      beganEpochMs,
      clockRoomMs,
      questions.map(({ atEpochMs }) => atEpochMs),
    );
    assert.deepEqual(await resolver.questionsSince(Date.now() + 60_000), []);
    processesWith('resolver-program.')
      .filter(({ commandLine }) => commandLine.includes(home))
      .forEach(({ pid }) => killIfThere(pid));
    await waitUntil('its death is told of', limitMs, () => !resolver.alive());
    assert.equal(resolver.deadBehind?.(), 'the resolver on lab@far');
    assert.ok(server.alive());
    await host.close();
    await requireNothingLeft();
  });

  test('the link is not measured to this machine itself, and what the other has of what servers need is told', async () => {
    const host = await open();
    const link = new FarLink(new FarPlace(host, options.port ?? 0));
    await assert.rejects(link.measure(), /cannot have the server: it is this machine itself/);
    const { answered } = await host.ask('doctor', { of: 'servers' });
    assert.ok(answered.rows.some(({ item, state }) => item === 'server Caddy' && state === 'ok'));
    assert.ok(answered.rows.some(({ item }) => item === 'UDP buffers'));
    // No device has this address by name: the whole network of it is the loopback's.
    assert.equal(host.hello.nic, null);
    // After the last trial it is looked for once more, so that what was left there is cleared.
    agentsOf(home).forEach(killIfThere);
    await waitUntil('its death is noticed', limitMs, () => host.lost() !== undefined);
    await assert.rejects(linkAfterTrials(link, host).measure(), /it is this machine itself/);
    assert.equal(host.session, 2);
    await host.close();
    await requireNothingLeft();
  });

  test('nothing is sent or compiled a second time', async () => {
    said.length = 0;
    const host = await open();
    const files = [...(await new SentContent().send(options.roots, host))].flatMap((root) => root.files);
    assert.equal(files.length, 2);
    const { answered } = await host.ask('missing', { digests: files.map(({ digest }) => digest) });
    assert.deepEqual(answered.digests, []);
    await host.close();
    assert.deepEqual(
      said.filter((line) => line.startsWith('Copying')),
      [],
    );
    assert.ok(readdirSync(join(home, '.cache', 'h2h3', 'far', 'compiled')).length > 0);
  });

  test('a server that dies is told of, and one that cannot start says why with the name of the machine', async () => {
    const host = await open();
    const server = await start(host);
    const elsewhere = await open();
    await assert.rejects(start(elsewhere), (thrown: unknown) => {
      assert.ok(thrown instanceof H2h3Error);
      assert.match(thrown.message, /^on lab@far: Port \d+ is in use/);
      return true;
    });
    await elsewhere.close();
    serversOf(home).forEach(killIfThere);
    await waitUntil('it is told of', limitMs, () => !server.alive());
    assert.equal(server.deadBehind?.(), 'the server on lab@far');
    await host.close();
    await requireNothingLeft();
  });

  test('a killed agent takes its servers along, what asks says so, and the next connection works', async () => {
    const host = await open();
    const server = await start(host);
    agentsOf(home).forEach(killIfThere);
    await waitUntil('it is noticed', limitMs, () => !server.alive());
    assert.equal(server.deadBehind?.(), 'the connection to lab@far');
    await assert.rejects(server.mark(), /the connection to lab@far was lost/);
    await requireNothingLeft();
    await host.requireConnected();
    assert.equal(host.session, 2);
    await server.stop();
    const again = await start(host);
    assert.equal(await bytesOf(again.port, '/'), 20);
    assert.deepEqual([server.alive(), again.alive()], [false, true]);
    await host.close();
    await requireNothingLeft();
  });

  test('an agent that is silent is given up, and nothing of it is left', async () => {
    const host = await open();
    const server = await start(host);
    agentsOf(home).forEach((pid) => process.kill(pid, 'SIGSTOP'));
    await waitUntil('silence is taken for a loss', limitMs, () => host.lost() !== undefined);
    assert.match(host.lost()?.message ?? '', /no answer within 8 s/);
    assert.equal(server.alive(), false);
    await host.close();
    await requireNothingLeft();
  });
});
