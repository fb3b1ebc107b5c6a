import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createCaddyProvider } from '../../harness/servers/caddy.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { harOfTimelines } from '../../src/analyse/derive/har-of-timelines.ts';
import type { DerivedTrial } from '../../src/model/derive.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import type { Har } from '../../src/model/har.ts';
import type { RawTrial } from '../../src/model/raw-trial.ts';
import { choosePort } from '../../src/system/free-port.ts';
import { writeManyTargetsSite, type ManyTargetsSite } from '../support/many-targets-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { markedEnvironment } from '../support/test-scope.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';
import {
  pageHost,
  strayHost,
  strayWays,
  unreadablePages,
  writeTwoProtocolsSite,
} from '../support/two-protocols-site.ts';

const clientNames = ['best', 'embedded', 'firefox'];
const logSettleMs = 200;

describe('a bare trial', () => {
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
    server = await createCaddyProvider(setup).start({
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
  }

  interface Loaded {
    readonly raw: RawTrial;
    readonly har: Har;
    readonly derived: DerivedTrial;
  }

  /** Loads a page of these hosts barely. */
  async function loadRaw(t: TestContext, client: ClientIdentity, { protocol, hosts, page, flags = [] }: Ask) {
    const mark = await server.mark();
    const [host = ''] = hosts;
    const given = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash: certificates.spkiHash,
      roots: hosts.map((name) => ({ host: name, directory: '' })),
      host,
      changes: { protocol, watch: 'bare', probes: ['har', 'cpu'], factors: { flags: [...flags] } },
      workload: { entry: { host, path: page }, loggedHosts: [...hosts] },
    });
    const { done } = await runTrialWorker(given);
    await new Promise((resolve) => setTimeout(resolve, logSettleMs));
    const serverLog = await server.entriesSince(mark, []);
    return { raw: { ...done.raw, serverLog }, workload: given.workload, serverLog };
  }

  /** The same, derived as a run does. */
  async function load(t: TestContext, client: ClientIdentity, ask: Ask): Promise<Loaded> {
    const { protocol, hosts, page } = ask;
    const { raw, workload, serverLog } = await loadRaw(t, client, ask);
    assert.equal(raw.outcome, 'completed', raw.error?.message);
    const { timelines = [], timings } = raw;
    const software = { creator: { name: 'h2h3', version: '0' } };
    const har = harOfTimelines({
      url: page,
      timings,
      timelines,
      serverLog,
      loggedHosts: hosts,
      refusedSockets: [],
      blocked: [],
      software,
    });
    const derived = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    return { raw, har, derived };
  }

  for (const name of clientNames)
    for (const protocol of ['h2', 'h3'] as const)
      test(`${name} over ${protocol}: every object of frames, workers and service workers is proven though nobody watched`, async (t) => {
        const client = clientOrSkip(t, name);
        if (client === undefined) return;
        const hosts = ['lab.test', 'other.test'];
        const { raw, har, derived } = await load(t, client, { protocol, hosts, page: '/' });
        assert.equal(derived.status, 'ok', derived.reason);
        assert.deepEqual(objectsOf(har).sort(), [...site.objects].sort());
        assert.equal(derived.metrics['objectCount'], site.objects.length);
        assert.ok(Number(derived.metrics['pltMs']) > 0);
        assert.equal(raw.frames, null);
        assert.ok((raw.cpu ?? []).length > 0, 'the CPU time is read from outside');
      });

  for (const name of ['embedded', 'firefox'])
    for (const [way, { says }] of Object.entries(unreadablePages))
      test(`${name}: a page that ${way} after its load has failed, with the reason and without times`, async (t) => {
        const client = clientOrSkip(t, name);
        if (client === undefined) return;
        const ask = { protocol: 'h2', hosts: [pageHost], page: `/${way}.html` } as const;
        const { raw, workload } = await loadRaw(t, client, ask);
        const derived = await deriveTrial({ protocol: 'h2', workload, raw, har: null, frameImages: [] });
        assert.equal(derived.status, 'failed', derived.reason);
        assert.match(derived.reason ?? '', says);
        assert.equal(derived.metrics['pltMs'] ?? null, null);
      });

  for (const way of strayWays)
    test(`one object over HTTP/2 in an arm of HTTP/3 makes it invalid, by name: ${way}`, async (t) => {
      const client = clientOrSkip(t, 'best');
      if (client === undefined) return;
      // Without Alt-Svc from a known root the other host is asked over TCP.
      const flags = [`--origin-to-force-quic-on=${pageHost}:${server.port}`];
      const hosts = [pageHost, strayHost];
      const { raw, derived } = await load(t, client, { protocol: 'h3', hosts, page: `/${way}.html`, flags });
      const isAsked = (raw.serverLog ?? []).some(({ host }) => host.startsWith(strayHost));
      // Without a window Chromium shows no icon, and asks for none.
      if (way === 'favicon' && !isAsked) return assert.equal(derived.status, 'ok', derived.reason);
      assert.equal(derived.status, 'invalid', `${way} was not found`);
      assert.match(derived.reason ?? '', new RegExp(`${strayHost}.* (h1|h2), expected h3`));
    });
});
