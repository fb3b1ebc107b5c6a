import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { ensureLightClient } from '../../harness/bench/light-client.ts';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverSoftware } from '../../harness/servers/registry.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { ServerSoftware } from '../../harness/servers/server-software.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { archiveWorkload } from '../../sites/archive/archive-workload.ts';
import { openArchive } from '../../sites/archive/open-archive.ts';
import type { RecordOptions } from '../../sites/record/record-options.ts';
import { recordSite } from '../../sites/record/record-site.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { PreparedWorkload, Workload } from '../../src/core/model/workload.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import {
  mainHost,
  otherHost,
  rangeAnswer,
  serveRecordedSite,
  siteAnswers,
  type RecordedSite,
  type SiteAnswer,
} from '../support/recorded-site.ts';
import { protocolsHere } from '../support/clients-here.ts';
import { slowness } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, trialOrder } from '../support/trial-rig.ts';
import { assertAnswer, type Got } from '../support/assert-answer.ts';
import { markedEnvironment } from '../support/test-scope.ts';

interface Asked {
  readonly name: string;
  readonly request: { method: string; url: string; headers: Record<string, string>; body: string };
  readonly expected: SiteAnswer;
}

/** A page of its own, which is recorded by itself. */
const restless = `GET ${mainHost}/restless`;
const ofTheRecording = Object.entries(siteAnswers).filter(([name]) => name !== restless);

const asked: readonly Asked[] = [
  ...ofTheRecording.map(([name, expected]) => {
    const [method = '', address = ''] = name.split(' ');
    const body = { POST: 'one', PUT: 'x' }[method] ?? '';
    return { name, request: { method, url: `https://${address}`, headers: {}, body }, expected };
  }),
  {
    name: 'a range',
    request: {
      method: 'GET',
      url: `https://${mainHost}/large.bin`,
      headers: { range: 'bytes=0-9' },
      body: '',
    },
    expected: rangeAnswer,
  },
];

/** Far longer than the recorded site takes for an answer, also on a loaded machine. */
const heldMs = 2_000;

/** Recordings that go quiet do so long before. */
const recordingLimitMs = 120_000;

const run = promisify(execFile);

function bodyOf(text: string): string[] {
  return ['--data-binary', text, '--header', 'content-type: text/plain;charset=UTF-8'];
}

describe('recording and replaying a site', () => {
  let setup: SetupContext;
  let site: RecordedSite;
  let certificates: CertificateStore;
  let client: ClientIdentity;
  let mitmdump: readonly string[] | string;

  before(async () => {
    setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
    client = await resolveClient('best', setup);
    certificates = await openCertificateStore({ cache: setup.cache });
    site = await serveRecordedSite(certificates);
    mitmdump = await ensureMitmdump(setup).catch(messageOf);
  });
  after(() => {
    site.server.closeAllConnections();
    site.server.close();
  });

  async function options(t: TestContext, url: string): Promise<RecordOptions | undefined> {
    if (typeof mitmdump === 'string') return void t.skip(mitmdump);
    return {
      urls: [url],
      outDir: join(tempFolder(t), 'archive'),
      browserPath: client.executablePath,
      browserEnvironment: client.environment,
      mitmdump,
      proxyPort: await choosePort(undefined),
      insecureUpstream: true,
      connectTo: [mainHost, otherHost].map((host) => `${host}:443:127.0.0.1:${site.port}`),
      progress: () => undefined,
      limitMs: recordingLimitMs,
      signal: AbortSignal.timeout(600_000),
    };
  }

  test('every body comes back byte for byte over H2 and H3, with every header but the connection’s own', async (t) => {
    const recording = await options(t, `https://${mainHost}/`);
    if (recording === undefined) return;
    const { index } = await recordSite(recording);
    assert.equal(index.complete, true);
    assert.equal(index.removed['header set-cookie'], 1);
    assert.equal(index.removed['query access_token'], 1);
    const archive = await openArchive(recording.outDir);
    assert.deepEqual(archive.hosts, [otherHost, mainHost]);
    const workload = await prepared(archiveWorkload(recording.outDir, { deterministic: true }));
    for (const software of serverSoftware.filter(({ scope }) => scope === undefined))
      await t.test(`from ${software.id} to a client that takes bodies as they are`, async (raw) => {
        const server = await serve(raw, workload, software);
        if (typeof server === 'string') return raw.skip(server);
        await assertSame(raw, server);
        // Of Envoy curl hears nothing over HTTP/3 in most loads (docs/clients-and-servers.md).
        if (['caddy', 'nginx'].includes(software.id))
          await raw.test('and to curl over HTTP/1.1, HTTP/2 and HTTP/3', (asking) =>
            assertSameToCurl(asking, server),
          );
      });
    const server = await serve(t, workload);
    assert.ok(typeof server !== 'string', 'Caddy can be had');
    const chances: string[] = [];
    for (const protocol of ['h2', 'h3'] as const) {
      await t.test(`to a browser over ${protocol}, with nothing missing`, async (loaded) => {
        chances.push(...(await assertLoads(loaded, workload, server, protocol)));
      });
    }
    await t.test('and with the same time and chance for scripts in each load', () => {
      assert.equal(chances.length, 2);
      assert.equal(chances[0], chances[1]);
      const atMs = Date.parse(index.recordedAt);
      assert.match(chances[0] ?? '', new RegExp(`rand=${atMs}_0\\.\\d+_[0-9a-f-]{36}_\\d+,\\d+,\\d+,\\d+$`));
      const recorded = index.entries.find(({ path }) => path === '/chance');
      assert.notEqual(`rand=${recorded?.query.split('rand=')[1]}`, chances[0], 'not those of the recording');
    });
  });

  /** Waits by path of a recording during which an add-on of the recorder's own, in Python, is asked before it. */
  async function waitsBeside(t: TestContext, path: string, limitMs: number, addOn: string) {
    const recording = await options(t, `https://${mainHost}${path}`);
    if (recording === undefined || typeof mitmdump === 'string') return null;
    const file = join(tempFolder(t), 'add-on.py');
    writeFileSync(file, addOn);
    const { index } = await recordSite({ ...recording, limitMs, mitmdump: [...mitmdump, '-s', file] });
    const answered = index.entries.filter(({ status }) => status !== 0);
    assert.ok(answered.length > 1, 'a page and what it asks for');
    return new Map(answered.map((entry) => [entry.path, entry.waitMs]));
  }

  test('what the recorder itself holds a request back for is no think time of the server', async (t) => {
    const hold = `import asyncio\nasync def request(flow): await asyncio.sleep(${heldMs / 1000})\n`;
    const waits = await waitsBeside(t, '/restless', 8_000 * slowness(), hold);
    // With what it holds back, each would be as long as that at least.
    assert.ok(waits === null || Math.max(...waits.values()) < heldMs, JSON.stringify([...(waits ?? [])]));
  });

  test('what the recorder itself works on while a server thinks takes nothing from that time', async (t) => {
    const work = `import asyncio, time
def work(until):
    while time.thread_time() < until: pass
def request(flow): asyncio.get_running_loop().call_later(0.3, work, time.thread_time() + 0.6)
`;
    const waits = await waitsBeside(t, '/', recordingLimitMs, work);
    const { delayMs = 0 } = siteAnswers[`GET ${mainHost}/sw.js`] ?? {};
    assert.ok(
      waits === null || (waits.get('/sw.js') ?? 0) > delayMs - 400,
      `of ${delayMs} ms: ${JSON.stringify([...(waits ?? [])])}`,
    );
  });

  test('a page that never goes quiet is recorded until the limit, and marked so', async (t) => {
    const recording = await options(t, `https://${mainHost}/restless`);
    if (recording === undefined) return;
    const { index } = await recordSite({ ...recording, limitMs: 5_000 * slowness() });
    assert.equal(index.complete, false);
    assert.deepEqual([...new Set(index.entries.map(({ path }) => path))].sort(), ['/old', '/restless']);
    assert.match(archiveWorkload(recording.outDir).facts.source, /not quiet at its limit/);
  });

  /** Or why it cannot be had here. */
  async function serve(
    t: TestContext,
    workload: PreparedWorkload,
    software: ServerSoftware = caddy,
  ): Promise<RunningServer | string> {
    const provider = serverProvider(software, setup);
    const missing = await software.ensure(setup).then(
      () => undefined,
      (thrown: unknown) => {
        if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return thrown.message;
        throw thrown;
      },
    );
    if (missing !== undefined) return missing;
    const server = await provider.start({
      roots: workload.roots,
      address: '127.0.0.1',
      port: null,
      certificates,
      workDir: join(tempFolder(t), 'server'),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
    t.after(() => server.stop());
    return server;
  }

  function prepared(workload: Workload): Promise<PreparedWorkload> {
    const { cache, projectDir, signal } = setup;
    const ffmpegPath = (): Promise<string> => Promise.reject(new Error('sites need no ffmpeg'));
    const progress = (): void => undefined;
    return workload.prepare({ cacheDir: cache.directory, projectDir, port: 0, ffmpegPath, progress, signal });
  }

  async function assertSame(t: TestContext, server: RunningServer): Promise<void> {
    const program = await ensureLightClient(setup).catch((thrown: unknown) => {
      if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return undefined;
      throw thrown;
    });
    if (program === undefined) return t.skip('no Go to build the client with');
    for (const [protocol, name] of [
      ['h2', 'HTTP/2.0'],
      ['h3', 'HTTP/3.0'],
    ] as const) {
      // One client a host, as each connection is one host's.
      for (const host of [mainHost, otherHost]) {
        const ofHost = asked.filter(({ request }) => new URL(request.url).host === host);
        const input = ofHost.map(({ request }) => JSON.stringify(request)).join('\n');
        const output = execFileSync(
          program,
          ['-ask', '-protocol', protocol, '-address', `127.0.0.1:${server.port}`],
          { input, timeout: 300_000 },
        );
        const got = output
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Got);
        ofHost.forEach(({ name: what, expected }, at) =>
          assertAnswer(`${what} over ${protocol}`, got[at], expected, name),
        );
      }
    }
    assert.deepEqual((await server.ledgerSince?.(0))?.misses, []);
  }

  async function assertSameToCurl(t: TestContext, { port }: RunningServer): Promise<void> {
    const curl = await resolveClient('curl', setup).catch(messageOf);
    if (typeof curl === 'string') return t.skip(curl);
    const folder = tempFolder(t);
    const wanted = asked.filter(({ expected }) => expected.status === 200 && expected.body.length > 0);
    const protocols = await protocolsHere('curl', (line) => t.diagnostic(line));
    const http3 = protocols.includes('h3') ? ([['--http3-only', '3']] as const) : [];
    for (const [option, version] of [['--http1.1', '1.1'], ['--http2', '2'], ...http3] as const) {
      const transfers = wanted.flatMap(({ request }, at) => [
        ...(at === 0 ? [] : ['--next']),
        '--silent',
        '--show-error',
        '--insecure',
        '--max-time',
        '60',
        option,
        '--connect-to',
        `::127.0.0.1:${port}`,
        '--header',
        'accept-encoding: gzip, deflate, br, zstd',
        '--request',
        request.method,
        ...(request.body === '' ? [] : bodyOf(request.body)),
        '--write-out',
        '%{http_version}\\n',
        '--output',
        join(folder, String(at)),
        request.url,
      ]);
      const written: string = (await run(curl.executablePath, ['--disable', ...transfers])).stdout;
      assert.deepEqual(written.trim().split('\n'), Array<string>(wanted.length).fill(version));
      wanted.forEach(({ name, expected }, at) =>
        assert.ok(readFileSync(join(folder, String(at))).equals(expected.body), `${name} by ${option}`),
      );
    }
  }

  async function assertLoads(
    t: TestContext,
    workload: PreparedWorkload,
    server: RunningServer,
    protocol: 'h2' | 'h3',
  ): Promise<string[]> {
    const sinceEpochMs = Date.now();
    const order = trialOrder({
      folder: tempFolder(t),
      client,
      server,
      spkiHash: certificates.spkiHash,
      changes: { protocol },
      workload,
    });
    const { done, har } = await runTrialWorker(order);
    const ledger = await server.ledgerSince?.(sinceEpochMs);
    assert.ok(ledger);
    assert.ok((ledger.answered['exact'] ?? 0) >= 20, JSON.stringify(ledger));
    const raw = { ...done.raw, serverLog: null, ledger };
    const derived = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    assert.deepEqual([derived.status, derived.reason], ['ok', undefined]);
    assert.deepEqual(derived.metrics.protocolShare, { [protocol]: 1 });
    const lost = await deriveTrial({
      protocol,
      workload,
      har,
      frameImages: [],
      raw: { ...raw, ledger: { ...ledger, misses: [{ ...script, atEpochMs: sinceEpochMs }] } },
    });
    assert.equal(lost.status, 'invalid');
    assert.match(lost.reason ?? '', /never\.js/);
    return objectsOf(har).flatMap((object) => /\/chance\?kind=beacon&(.*)/.exec(object)?.[1] ?? []);
  }

  test('an interrupted recording ends at once and leaves nothing', async (t) => {
    const recording = await options(t, `https://${mainHost}/restless`);
    if (recording === undefined) return;
    const stop = new AbortController();
    let stoppedMs = Infinity;
    const progress = (): void => {
      setTimeout(() => {
        stoppedMs = performance.now();
        stop.abort();
      }, 700);
    };
    await assert.rejects(
      recordSite({ ...recording, progress, signal: stop.signal }),
      (error) => error instanceof H2h3Error && error.code === 'interrupted',
    );
    assert.ok(performance.now() - stoppedMs < recordingLimitMs / 2, 'long before its limit');
    assert.deepEqual(readdirSync(dirname(recording.outDir)), []);
  });

  test('an address that cannot be reached, shows no trusted certificate or answers nothing is said so, and nothing is kept', async (t) => {
    const recording = await options(t, 'https://no-such-host.invalid/');
    if (recording === undefined) return;
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    for (const [changes, reason] of [
      [{}, /cannot be loaded: no-such-host\.invalid cannot be reached/],
      [
        { urls: [`https://${mainHost}/`], insecureUpstream: false },
        /cannot be loaded: .* shows a certificate that is not trusted/,
      ],
      [{ urls: [`https://127.0.0.1:${port}/`], limitMs: 1_000 }, /answered nothing; nothing was kept/],
    ] as const)
      await assert.rejects(
        recordSite({ ...recording, ...changes }),
        (error) => error instanceof H2h3Error && error.code === 'bad-input' && reason.test(error.message),
      );
    assert.deepEqual(readdirSync(dirname(recording.outDir)), []);
    // A file next to this one has a network of its own, and there a recorder at the same port.
    const below = processTree(readProcessTable(), process.pid).map(({ commandLine }) => commandLine);
    assert.deepEqual(
      below.filter((line) => line.includes(`listen-port ${recording.proxyPort}`)),
      [],
    );
  });
});

const script = { method: 'GET', url: `https://${mainHost}/never.js`, destination: 'script' };
