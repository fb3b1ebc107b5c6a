import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { harOfUnrecorded } from '../../src/app/run/finish-trial.ts';
import type { DerivedTrial } from '../../src/core/model/derive.ts';
import { foundOr, H2h3Error } from '../../src/core/model/errors.ts';
import type { Har } from '../../src/core/model/har.ts';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { waitUntil } from '../support/processes.ts';
import { har12Schema } from '../support/har-schema.ts';
import { writeManyTargetsSite, type ManyTargetsSite } from '../support/many-targets-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { markedEnvironment } from '../support/test-scope.ts';
import { objectsOf, runTrialWorker, startTrialWorker, trialOrder } from '../support/trial-rig.ts';
import {
  busyMs,
  leadsOn,
  pageHost,
  strayHost,
  strayWays,
  unreadablePages,
  unreadableQuietMs,
  writeTwoProtocolsSite,
} from '../support/two-protocols-site.ts';

const clientNames = ['best', 'embedded', 'firefox'];
/** For what the end of the browser cuts off, which nobody awaits. */
const logSettleMs = 200;
/** Workers begin late on a busy machine, where for a moment nothing is under way. */
const workersQuietMs = 1_000;

describe('a timed trial', () => {
  let certificates: CertificateStore;
  let server: RunningServer;
  let site: ManyTargetsSite;
  const clients = new Map<string, ClientIdentity | string>();
  const cleanups: (() => void)[] = [];

  before(async () => {
    const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
    certificates = await openCertificateStore({ cache: setup.cache });
    const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    const port = await choosePort(undefined);
    site = writeManyTargetsSite(path.join(folder, 'many'), port, 1_000_000);
    const two = writeTwoProtocolsSite(path.join(folder, 'two'), port);
    server = await serverProvider(caddy, setup).start({
      roots: [...site.roots, ...two],
      address: '127.0.0.1',
      port,
      certificates,
      workDir: path.join(folder, 'server'),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
    for (const name of clientNames)
      clients.set(
        name,
        await resolveClient(name, setup).catch((thrown: unknown) => {
          if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown.message;
          throw thrown;
        }),
      );
  });
  after(async () => {
    await server.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  function clientOrSkip(t: TestContext, name: string): ClientIdentity | undefined {
    const client = clients.get(name);
    if (typeof client === 'object') return client;
    t.skip(client ?? `no client ${name}`);
    return undefined;
  }

  interface Ask {
    readonly protocol: 'h2' | 'h3';
    readonly hosts: readonly string[];
    readonly page: string;
    readonly flags?: readonly string[];
    readonly quietMs?: number;
    /** The arm that it is judged as. Default: `protocol`, which the client is started for. */
    readonly arm?: 'h2' | 'h3';
  }

  interface Loaded {
    readonly raw: RawTrial;
    readonly har: Har;
    readonly derived: DerivedTrial;
  }

  /** Loads a page of these hosts barely. */
  async function loadRaw(
    t: TestContext,
    client: ClientIdentity,
    { protocol, hosts, page, flags = [], quietMs = 300 }: Ask,
  ) {
    const mark = await server.mark();
    const [host = ''] = hosts;
    const given = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash: certificates.spkiHash,
      roots: hosts.map((name) => ({ host: name, directory: '' })),
      host,
      changes: {
        protocol,
        instrumentation: 'uninstrumented',
        probes: ['har', 'cpu'],
        factors: { flags: [...flags] },
      },
      workload: { entry: { host, path: page }, loggedHosts: [...hosts], quietMs },
    });
    const { done } = await runTrialWorker(given);
    await new Promise((resolve) => setTimeout(resolve, logSettleMs));
    const serverLog = await server.entriesSince(mark, []);
    return { raw: { ...done.raw, serverLog }, workload: given.workload };
  }

  /** The same, derived as a run does. */
  async function load(t: TestContext, client: ClientIdentity, ask: Ask): Promise<Loaded> {
    const { arm = ask.protocol } = ask;
    const { raw, workload } = await loadRaw(t, client, ask);
    assert.equal(raw.outcome, 'completed', raw.error?.message);
    const har = harOfUnrecorded(raw, workload);
    assert.ok(har);
    const derived = await deriveTrial({ protocol: arm, workload, raw, har, frameImages: [] });
    return { raw, har, derived };
  }

  for (const name of ['embedded', 'firefox'])
    for (const protocol of ['h2', 'h3'] as const)
      test(`${name} over ${protocol}: every object of frames, workers and service workers is proven though nobody watched`, async (t) => {
        const client = clientOrSkip(t, name);
        if (client === undefined) return;
        const hosts = ['lab.test', 'other.test'];
        const ask: Ask = { protocol, hosts, page: '/', quietMs: workersQuietMs };
        const { raw, har, derived } = await load(t, client, ask);
        assert.equal(derived.status, 'ok', derived.reason);
        assert.deepEqual(objectsOf(har).sort(), [...site.objects].sort());
        har12Schema.parse(har);
        assert.equal(derived.metrics['objectCount'], site.objects.length);
        assert.ok(Number(derived.metrics['pltMs']) > 0);
        assert.equal(raw.frames, null);
        assert.ok((raw.cpu ?? []).length > 0, 'the CPU time is read from outside');
      });

  // Each waits for its limit alone.
  describe('of a page that cannot be read', { concurrency: true }, () => {
    for (const name of ['embedded', 'firefox'])
      for (const [way, { says }] of Object.entries(unreadablePages))
        test(`${name}: a page that ${way} after its load has failed, with the reason and without times`, async (t) => {
          const client = clientOrSkip(t, name);
          if (client === undefined) return;
          const ask: Ask = {
            protocol: 'h2',
            hosts: [pageHost],
            page: `/${way}.html`,
            quietMs: unreadableQuietMs,
          };
          const { raw, workload } = await loadRaw(t, client, ask);
          const derived = await deriveTrial({ protocol: 'h2', workload, raw, har: null, frameImages: [] });
          assert.equal(derived.status, 'failed', derived.reason);
          assert.match(derived.reason ?? '', says);
          assert.equal(derived.metrics['pltMs'] ?? null, null);
        });
  });

  for (const [name, ways] of Object.entries({
    embedded: Object.keys(leadsOn),
    firefox: ['leads-at-once', 'leads-at-load'],
  }))
    for (const way of ways)
      test(`${name}: of a page that ${way.replaceAll('-', ' ')} the times count from its first document on`, async (t) => {
        const client = clientOrSkip(t, name);
        if (client === undefined) return;
        const ask: Ask = {
          protocol: 'h3',
          hosts: [pageHost],
          page: `/${way}.html`,
          ...(way === 'leads-later' ? { quietMs: unreadableQuietMs } : {}),
        };
        const { raw, har, derived } = await load(t, client, ask);
        assert.equal(derived.status, 'ok', derived.reason);
        const paths = (raw.documents ?? []).map(({ url }) => new URL(url).pathname);
        assert.deepEqual(paths, [`/${way}.html`, '/led-to.html']);
        const asked = har.log.entries.map(({ request }) => new URL(request.url).pathname);
        assert.deepEqual(asked, [`/${way}.html`, '/led-to.html', '/image.svg']);
        const [page] = har.log.pages;
        const [first] = har.log.entries;
        const beforeMs = Date.parse(first?.startedDateTime ?? '') - Date.parse(page?.startedDateTime ?? '');
        assert.ok(beforeMs >= -1, 'the load begins no later than its first request');
        const last = raw.timelines?.[0];
        const ledAfterMs = (last?.timeOriginEpochMs ?? 0) - (raw.timings?.timeOriginEpochMs ?? Infinity);
        assert.ok(ledAfterMs > 0 && Number(derived.metrics['pltMs']) > ledAfterMs);
        if (way === 'leads-later')
          assert.ok(ledAfterMs >= unreadableQuietMs / 2, 'a user waits for that, too');
      });

  for (const name of ['embedded', 'firefox'])
    test(`${name}: a page that asks to be closed after its load stays, and counts`, async (t) => {
      const client = clientOrSkip(t, name);
      if (client === undefined) return;
      const { derived } = await load(t, client, { protocol: 'h2', hosts: [pageHost], page: '/closes.html' });
      assert.equal(derived.status, 'ok', derived.reason);
      assert.ok(Number(derived.metrics['pltMs']) > 0);
    });

  for (const name of ['embedded', 'firefox'])
    test(`${name}: while a page loads the worker is on the server's CPUs, and has no process but the browser`, async (t) => {
      const client = clientOrSkip(t, name);
      if (client === undefined) return;
      if (process.platform !== 'linux' || availableParallelism() < 2)
        return t.skip('needs Linux and two CPUs to part them');
      const mark = await server.mark();
      const worker = startTrialWorker(
        trialOrder({
          folder: tempFolder(t),
          client,
          server,
          spkiHash: certificates.spkiHash,
          roots: [{ host: pageHost, directory: '' }],
          host: pageHost,
          changes: { instrumentation: 'uninstrumented', probes: ['har', 'cpu'], ownCpus: '0' },
          workload: { entry: { host: pageHost, path: '/busy.html' }, loggedHosts: [pageHost] },
        }),
        ['taskset', '-c', '1'],
      );
      await waitUntil('the page is asked for', 60_000, async () =>
        (await server.entriesSince(mark, [])).some(({ path: asked }) => asked === '/busy.html'),
      );
      const { pid = 0 } = worker.process;
      /** Undefined: it has ended. */
      const cpusOf = (of: number): string | undefined =>
        foundOr(
          () => /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1],
          undefined,
        );
      const cpus = cpusOf(pid);
      const below = processTree(readProcessTable(), pid)
        .filter((row) => row.pid !== pid && !row.zombie)
        .map((row) => ({ program: row.commandLine.split(' ')[0] ?? '', cpus: cpusOf(row.pid) }))
        .filter((row) => row.cpus !== undefined && row.program !== '');
      // A shell that has set the CPUs waits for its next order.
      const others = below.filter(
        ({ program }) => program !== 'sh' && !/chrom|firefox|headless/i.test(program),
      );
      const browser = below.filter(({ program }) => /chrom|firefox|headless/i.test(program));
      await worker.ended;
      assert.equal(cpus, '0');
      assert.deepEqual(others, []);
      assert.ok(browser.length > 1 && browser.every((row) => row.cpus === '1'), JSON.stringify(browser));
      const done = worker.said.find((message) => message.type === 'done');
      assert.ok(Number(done?.raw.timings?.loadEventEndMs) >= busyMs, 'the page was still loading meanwhile');
    });

  /** Leads these hosts alone over HTTP/3: without Alt-Svc from a known root the others are asked over TCP. */
  const quicTo = (name: string, hosts: readonly string[]): string[] =>
    name === 'firefox'
      ? [
          `network.http.http3.alt-svc-mapping-for-testing=${hosts.map((host) => `${host};h3=:${server.port}`).join()}`,
        ]
      : [`--origin-to-force-quic-on=${hosts.map((host) => `${host}:${server.port}`).join()}`];

  /** The same trial as if its page had asked for nothing of other hosts but of this one. */
  function strayingTo(stray: string, raw: RawTrial): RawTrial {
    const counts = (host: string): boolean => [pageHost, stray].includes(host.split(':')[0] ?? '');
    return {
      ...raw,
      serverLog: (raw.serverLog ?? []).filter(({ host }) => counts(host)),
      timelines: (raw.timelines ?? [])
        .filter(({ url }) => counts(new URL(url).host))
        .map((timeline) => ({
          ...timeline,
          entries: timeline.entries.filter(({ url }) => counts(new URL(url).host)),
        })),
    };
  }

  const strays = [
    { name: 'best', arm: 'h3', ways: strayWays, goesOver: 'h1|h2' },
    { name: 'best', arm: 'h2', ways: ['image', 'worker', 'beacon'], goesOver: 'h3' },
    { name: 'firefox', arm: 'h3', ways: ['image', 'worker'], goesOver: 'h1|h2' },
  ] as const;
  for (const { name, arm, ways, goesOver } of strays)
    test(`${name}: one object over ${goesOver} in an arm of ${arm} makes the trial invalid, by name`, async (t) => {
      const client = clientOrSkip(t, name);
      if (client === undefined) return;
      const strayHosts = strayWays.map(strayHost);
      const flags = quicTo(name, arm === 'h3' ? [pageHost] : strayHosts);
      const hosts = [pageHost, ...strayHosts];
      const { raw: whole, workload } = await loadRaw(t, client, {
        protocol: 'h3',
        hosts,
        page: '/strays.html',
        flags,
        quietMs: workersQuietMs,
      });
      assert.equal(whole.outcome, 'completed', whole.error?.message);
      for (const way of ways)
        await t.test(way, async () => {
          const raw = strayingTo(strayHost(way), whole);
          const har = harOfUnrecorded(raw, workload);
          const derived = await deriveTrial({ protocol: arm, workload, raw, har, frameImages: [] });
          const isAsked = (raw.serverLog ?? []).some(({ host }) => host.startsWith(strayHost(way)));
          // Without a window Chromium shows no icon, and asks for none.
          if (way === 'favicon' && !isAsked) return assert.equal(derived.status, 'ok', derived.reason);
          assert.equal(derived.status, 'invalid', `${way} was not found`);
          assert.match(
            derived.reason ?? '',
            new RegExp(`${strayHost(way)}.* (${goesOver}), expected ${arm}`),
          );
        });
    });
});
