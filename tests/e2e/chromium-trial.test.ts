import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { deriveTrial } from '../../src/analyse/derive/derive-trial.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import {
  processTree,
  readProcessTable,
  type ProcessRow,
} from '../../src/core/system/processes/process-table.ts';
import { alpnByProtocol } from '../../src/core/model/protocol.ts';
import { writeManyTargetsSite, type ManyTargetsSite } from '../support/many-targets-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, startTrialWorker, trialOrder } from '../support/trial-rig.ts';
import type { OrderParts, StartedWorker } from '../support/trial-rig.ts';
import { goneLimitMs, killIfThere, slowness, startLimitMs, waitUntil } from '../support/processes.ts';
import { markedEnvironment } from '../support/test-scope.ts';

const bodyBytes = 30_000_000;
const host = 'lab.test';

/** All that a worker has started and what that has: of the embedded browser only the first names its profile. */
function startedBy(worker: StartedWorker): ProcessRow[] {
  return processTree(readProcessTable(), worker.process.pid ?? 0).slice(1);
}

/** Command lines by process of a browser that has come as far as its first page. */
async function startedBrowser(worker: StartedWorker): Promise<ReadonlyMap<number, string>> {
  let rows = startedBy(worker);
  await waitUntil('the browser runs', startLimitMs, () => {
    rows = startedBy(worker);
    return rows.some(({ commandLine }) => commandLine.includes('--type=renderer'));
  });
  return new Map(rows.map(({ pid, commandLine }) => [pid, commandLine]));
}

describe('a trial in Chromium', () => {
  let certificates: CertificateStore;

  /** A server of `host` that nothing answers for on UDP. */
  async function serveOverTcp(t: TestContext, answer: () => string): Promise<OrderParts['server']> {
    const files = await certificates.filesFor(host);
    const server = createSecureServer(
      { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile), allowHTTP1: true },
      (_, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(answer());
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
  }

  let server: RunningServer;
  let site: ManyTargetsSite;
  const clients = new Map<string, ClientIdentity | string>();
  const cleanups: (() => void)[] = [];

  before(async () => {
    const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
    certificates = await openCertificateStore({ cache: setup.cache });
    const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    const port = await choosePort(undefined);
    site = writeManyTargetsSite(folder, port, bodyBytes);
    server = await serverProvider(caddy, setup).start({
      roots: site.roots,
      address: '127.0.0.1',
      port,
      certificates,
      workDir: path.join(folder, 'server'),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
    for (const name of ['best', 'embedded'])
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

  /** The longest that a download took here, ms. */
  let downloadMs = 0;

  function clientOrSkip(t: TestContext, name: string): ClientIdentity | undefined {
    const client = clients.get(name);
    if (typeof client === 'object') return client;
    t.skip(client ?? `no client ${name}`);
    return undefined;
  }

  function order(t: TestContext, client: ClientIdentity, rest: Partial<OrderParts> = {}) {
    const { spkiHash } = certificates;
    return trialOrder({ folder: tempFolder(t), client, server, spkiHash, roots: site.roots, host, ...rest });
  }

  for (const name of ['best', 'embedded'])
    for (const protocol of ['h2', 'h3'] as const)
      test(`${name} over ${protocol}: every object of frames, workers and service workers is in the HAR`, async (t) => {
        const client = clientOrSkip(t, name);
        if (client === undefined) return;
        // Workers begin late on a busy machine, where for a moment nothing is under way.
        const given = order(t, client, { changes: { protocol }, workload: { quietMs: 1_000 } });
        const { done, har } = await runTrialWorker(given);
        assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
        assert.deepEqual(objectsOf(har).sort(), [...site.objects].sort());
        const entries = har?.log.entries ?? [];
        assert.deepEqual(
          [...new Set(entries.map(({ response }) => response.httpVersion))],
          [alpnByProtocol[protocol]],
        );
        assert.deepEqual(
          entries.flatMap(({ response }) => response._error ?? []),
          [],
        );
        const { timings, cpu, frames, measuredMs } = done.raw;
        assert.ok(timings !== null && timings.loadEventEndMs > 0 && (timings.fcpMs ?? 0) > 0);
        const onLoadMs = har?.log.pages[0]?.pageTimings.onLoad ?? -1;
        // Two readings of one clock, between which the browser may wait for a CPU.
        assert.ok(
          Math.abs(onLoadMs - timings.loadEventEndMs) < 500 * slowness(),
          `${onLoadMs} and ${timings.loadEventEndMs}`,
        );
        const roles = new Set(cpu?.map(({ role }) => role));
        assert.ok(roles.has('network') && roles.has('renderer') && roles.has('browser'), [...roles].join());
        const cpuSeconds = cpu?.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0) ?? 0;
        assert.ok(cpuSeconds > 0 && cpuSeconds < (measuredMs / 1000) * 64);
        assert.equal(frames?.[0]?.tMs, 0, 'the first frame is of the empty tab');
        assert.ok((frames?.length ?? 0) >= 2, 'something was painted');
        assert.equal(readdirSync(path.join(given.trialDir, 'frames')).length, frames?.length);
        assert.deepEqual(readdirSync(given.tempDir), [], 'the profile is gone');
      });

  for (const protocol of ['h2', 'h3'] as const)
    test(`a download over ${protocol} is proven whole though its events are not recorded`, async (t) => {
      const client = clientOrSkip(t, 'best');
      if (client === undefined) return;
      const workload = {
        kind: 'download',
        driver: 'session',
        entry: { host, path: '/download.html' },
      } as const;
      const { done, har } = await runTrialWorker(order(t, client, { changes: { protocol }, workload }));
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      assert.ok(done.raw.session?.kind === 'download');
      assert.equal(done.raw.session.streams[0]?.bytes, bodyBytes);
      downloadMs = Math.max(downloadMs, done.raw.measuredMs);
      const body = har?.log.entries.find(({ request }) => request.url.endsWith('/body.bin'));
      assert.equal(body?.response.httpVersion, alpnByProtocol[protocol]);
      assert.equal(body?.response.content.size, bodyBytes);
      assert.equal(body?.response._error ?? null, null);
    });

  test('as shipped the browser begins over h2 and follows Alt-Svc to h3', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    const workload = { entry: { host, path: '/until-h3.html' } };
    const { done, har } = await runTrialWorker(order(t, client, { changes: { protocol: 'auto' }, workload }));
    assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
    const versions = har?.log.entries.map(({ response }) => response.httpVersion) ?? [];
    assert.equal(versions[0], 'h2');
    assert.ok(versions.includes('h3'), versions.join());
  });

  test('with nothing listening on UDP an arm that forces h3 fails and fetches nothing over TCP', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    let requests = 0;
    const tcpServer = await serveOverTcp(t, () => {
      requests += 1;
      return 'over TCP';
    });
    const h3 = await runTrialWorker(order(t, client, { server: tcpServer, changes: { protocol: 'h3' } }));
    assert.equal(h3.done.raw.outcome, 'error');
    assert.match(h3.done.raw.error?.message ?? '', /QUIC/);
    assert.equal(requests, 0);
    assert.deepEqual(h3.done.raw.warnings, [], 'the page of the error is nothing that a page led on to');
    assert.notEqual(h3.har?.log.entries[0]?.response._error ?? null, null, 'the failed object is in the HAR');
    const h2 = await runTrialWorker(order(t, client, { server: tcpServer, changes: { protocol: 'h2' } }));
    assert.equal(h2.done.raw.outcome, 'completed', 'the same server does answer over TCP');
  });

  test('a page that leads on to what cannot be reached fails, and keeps what was recorded of it', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    const leadsOn = '<meta http-equiv="refresh" content="0;url=https://unreachable.test/">';
    const server = await serveOverTcp(t, () => leadsOn);
    const { done, har } = await runTrialWorker(order(t, client, { server }));
    assert.equal(done.raw.outcome, 'error');
    assert.match(done.raw.error?.message ?? '', /led on to https:\/\/unreachable\.test\/ by itself/);
    assert.equal(done.raw.timings, null);
    const entries = har?.log.entries ?? [];
    const ofPage = entries.find(({ request }) => new URL(request.url).hostname === host);
    assert.equal(ofPage?.response.content.size, leadsOn.length);
    assert.ok(
      entries.some(
        ({ request, response }) => /unreachable/.test(request.url) && response._error !== undefined,
      ),
    );
  });

  test('an h3 arm whose browser falls back to h2 shows it in its HAR and is judged invalid', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    const wrapper = path.join(tempFolder(t), 'unforced');
    writeFileSync(
      wrapper,
      `#!/bin/sh
for word do shift; case $word in --origin-to-force*) ;; *) set -- "$@" "$word";; esac; done
exec ${client.executablePath} "$@"
`,
      { mode: 0o755 },
    );
    const given = order(t, { ...client, executablePath: wrapper }, { changes: { protocol: 'h3' } });
    const { done, har } = await runTrialWorker(given);
    assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
    assert.ok(har?.log.entries.some(({ response }) => response.httpVersion === 'h2'));
    const { protocol, workload } = given;
    const raw = { ...done.raw, serverLog: [], frames: null };
    const derived = await deriveTrial({ protocol, workload, raw, har, frameImages: [] });
    assert.equal(derived.status, 'invalid');
    assert.match(derived.reason ?? '', /h2/);
  });

  test('a session that does not end in time is a deadline with the bytes so far', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    const files = await certificates.filesFor(host);
    const stalling = createSecureServer(
      { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile) },
      (request, response) => {
        if (request.url !== '/body.bin')
          return void response.end(readFileSync(path.join(site.roots[0]?.directory ?? '', 'download.html')));
        response.setHeader('content-length', 10_000_000);
        response.write(Buffer.alloc(3_000_000));
      },
    );
    await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve));
    t.after(() => stalling.close());
    const { port } = stalling.address() as AddressInfo;
    const workload = {
      kind: 'download',
      driver: 'session',
      // Enough for what is sent, on a machine that took so long for a whole one.
      deadlineMs: Math.max(10_000, 4 * downloadMs),
      entry: { host, path: '/download.html' },
    } as const;
    const { done, har } = await runTrialWorker(
      order(t, client, { server: { address: '127.0.0.1', port }, workload }),
    );
    assert.equal(done.raw.outcome, 'deadline');
    assert.ok(done.raw.session?.kind === 'download');
    assert.equal(done.raw.session.streams[0]?.bytes, 3_000_000);
    const body = har?.log.entries.find(({ request }) => request.url.endsWith('/body.bin'));
    assert.match(body?.response._error ?? '', /incomplete/);
  });

  test('a browser that will not start is an error with its last lines', async (t) => {
    const client = clientOrSkip(t, 'best');
    if (client === undefined) return;
    const broken = path.join(tempFolder(t), 'broken');
    writeFileSync(broken, '#!/bin/sh\necho "no display of any kind" >&2\nexit 7\n', { mode: 0o755 });
    const { done } = await runTrialWorker(order(t, { ...client, executablePath: broken }));
    assert.equal(done.raw.outcome, 'error');
    assert.match(done.raw.error?.message ?? '', /exit code 7/);
    assert.match(done.raw.error?.stderrTail ?? '', /no display/);
    assert.equal(done.artifacts['har'], undefined);
  });

  for (const how of ['the end of its standard input', 'SIGTERM', 'SIGKILL'] as const)
    test(`after ${how} no process of the trial is left`, async (t) => {
      const client = clientOrSkip(t, 'best');
      if (client === undefined) return;
      const given = order(t, client, { workload: { quietMs: 20_000 } });
      const worker = startTrialWorker(given);
      const browser = await startedBrowser(worker);
      if (how === 'the end of its standard input') worker.process.stdin.end();
      else worker.process.kill(how);
      await worker.ended;
      await waitUntil('the browser is gone', goneLimitMs, () => {
        const left = readProcessTable().filter((row) => !row.zombie);
        return !left.some(
          ({ pid, commandLine }) =>
            commandLine.includes(given.tempDir) || (browser.has(pid) && commandLine === browser.get(pid)),
        );
      });
      // Nobody is left to remove the profile after SIGKILL; the run's reaper removes the folder above it.
      if (how !== 'SIGKILL') assert.ok(!existsSync(given.tempDir) || readdirSync(given.tempDir).length === 0);
    });

  for (const [when, delayMs] of [
    ['starts', 0],
    ['loads', 1000],
  ] as const)
    test(`a browser that is killed while it ${when} is an error, not a hang`, async (t) => {
      const client = clientOrSkip(t, 'best');
      if (client === undefined) return;
      const given = order(t, client, { workload: { quietMs: 20_000 } });
      const worker = startTrialWorker(given);
      await startedBrowser(worker);
      await sleep(delayMs);
      for (const { pid } of startedBy(worker)) killIfThere(pid);
      await worker.ended;
      const done = worker.said.find((message) => message.type === 'done');
      assert.equal(done?.raw.outcome, 'error');
    });
});
