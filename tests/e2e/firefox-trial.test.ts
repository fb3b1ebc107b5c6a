import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { decode } from 'jpeg-js';
import type { ClientIdentity } from '../../harness/clients/client.ts';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { caddy } from '../../harness/servers/caddy.ts';
import { serverProvider } from '../../harness/servers/server-kit.ts';
import type { RunningServer } from '../../harness/servers/server.ts';
import { openCertificateStore, type CertificateStore } from '../../harness/tools/certificates.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { alpnByProtocol } from '../../src/core/model/protocol.ts';
import { writeEverythingSite, type EverythingSite } from '../support/everything-site.ts';
import { writeManyTargetsSite, type ManyTargetsSite } from '../support/many-targets-site.ts';
import { goneLimitMs, killIfThere, processesWith, startLimitMs, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { objectsOf, runTrialWorker, startTrialWorker, trialOrder } from '../support/trial-rig.ts';
import type { OrderParts } from '../support/trial-rig.ts';
import { markedEnvironment } from '../support/test-scope.ts';

const bodyBytes = 100_000_000;
/** Workers begin late on a busy machine, where for a moment nothing is under way. */
const workersQuietMs = 1_000;

describe('a trial in Firefox', () => {
  let certificates: CertificateStore;
  let server: RunningServer;
  let everything: EverythingSite;
  let targets: ManyTargetsSite;
  let client: ClientIdentity | undefined;
  const cleanups: (() => void)[] = [];

  before(async () => {
    const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
    certificates = await openCertificateStore({ cache: setup.cache });
    const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => void) });
    const port = await choosePort(undefined);
    everything = writeEverythingSite(path.join(folder, 'everything'), port);
    targets = writeManyTargetsSite(path.join(folder, 'targets'), port, bodyBytes);
    server = await serverProvider(caddy, setup).start({
      roots: [...everything.roots, ...targets.roots],
      address: '127.0.0.1',
      port,
      certificates,
      workDir: path.join(folder, 'server'),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
    client = await resolveClient('firefox', setup).catch((thrown: unknown) => {
      if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return undefined;
      throw thrown;
    });
  });
  after(async () => {
    await server.stop();
    cleanups.forEach((cleanup) => cleanup());
  });

  function firefoxOrSkip(t: TestContext): ClientIdentity | undefined {
    if (client === undefined) t.skip('no Firefox on this machine');
    return client;
  }

  function order(t: TestContext, firefox: ClientIdentity, rest: Partial<OrderParts> = {}) {
    const { spkiHash } = certificates;
    const roots = [...everything.roots, ...targets.roots];
    return trialOrder({
      folder: tempFolder(t),
      client: firefox,
      server,
      spkiHash,
      roots,
      host: 'all.test',
      ...rest,
    });
  }

  for (const protocol of ['h1', 'h2', 'h3'] as const)
    test(`over ${protocol} every object is in the HAR with its protocol, as the server's log has it`, async (t) => {
      const firefox = firefoxOrSkip(t);
      if (firefox === undefined) return;
      const mark = await server.mark();
      const workload = { quietMs: workersQuietMs };
      const { done, har } = await runTrialWorker(order(t, firefox, { changes: { protocol }, workload }));
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      const expected = [...everything.objects, everything.missing, everything.aborted].sort();
      assert.deepEqual(objectsOf(har).sort(), expected);
      const byName = new Map(
        (har?.log.entries ?? []).map((entry, index) => [objectsOf(har)[index] ?? '', entry]),
      );
      for (const name of everything.objects) {
        const response = byName.get(name)?.response;
        assert.equal(response?.httpVersion, alpnByProtocol[protocol], name);
        assert.equal(response?.status, 200, name);
        assert.equal(response?._error, undefined, name);
        assert.ok((response?.bodySize ?? 0) > 0, name);
      }
      assert.equal(byName.get(everything.missing)?.response.status, 404);
      assert.match(byName.get(everything.aborted)?.response._error ?? '', /ABORT/);
      const logged = await server.entriesSince(mark, [...everything.objects, everything.missing]);
      const whole = logged.filter((entry) => entry.host + entry.path !== everything.aborted);
      assert.deepEqual(
        whole.map((entry) => entry.host + entry.path).sort(),
        [...everything.objects, everything.missing].sort(),
      );
      assert.ok(logged.every((entry) => entry.protocol === protocol));
    });

  test('times of page, HAR and CPU agree, and the frames show the page growing, the right way up', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const given = order(t, firefox, { changes: { protocol: 'h3' }, workload: { quietMs: workersQuietMs } });
    const { done, har } = await runTrialWorker(given);
    const { timings, cpu, frames, measuredMs } = done.raw;
    assert.ok(timings !== null && timings.loadEventEndMs > 0 && timings.nextHopProtocol === 'h3');
    assert.ok((timings.fcpMs ?? 0) > 0 && (timings.lcpMs ?? 0) > 0);
    assert.equal(har?.log.pages[0]?.pageTimings.onLoad, timings.loadEventEndMs);
    const document = har.log.entries[0];
    assert.ok(document !== undefined && (document.timings.connect ?? -1) > 0 && document.timings.wait > 0);
    assert.ok(new Set(har.log.entries.map((entry) => entry.connection)).size >= 2);
    const cpuSeconds = cpu?.reduce((sum, row) => sum + row.userSeconds + row.systemSeconds, 0) ?? 0;
    assert.ok(cpuSeconds > 0 && cpuSeconds < (measuredMs / 1000) * 64);
    assert.ok(frames !== null && frames.length >= 2);
    assert.equal(frames[0]?.tMs, 0, 'the first frame is of the empty tab');
    const files = frames.map(({ file }) => path.join(given.trialDir, 'frames', path.basename(file)));
    const [empty, shown] = [files[0] ?? '', files.at(-1) ?? ''].map((file) => decode(readFileSync(file)));
    assert.ok(empty && shown);
    assert.deepEqual(colourAt(empty, 0.25), 'white');
    assert.deepEqual([colourAt(shown, 0.25), colourAt(shown, 0.75)], ['red', 'blue']);
  });

  for (const protocol of ['h2', 'h3'] as const)
    test(`over ${protocol} objects of frames, workers and service workers are in the HAR`, async (t) => {
      const firefox = firefoxOrSkip(t);
      if (firefox === undefined) return;
      const given = order(t, firefox, {
        host: 'lab.test',
        changes: { protocol },
        workload: { quietMs: workersQuietMs },
      });
      const { done, har } = await runTrialWorker(given);
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      assert.deepEqual([...new Set(objectsOf(har))].sort(), [...targets.objects].sort());
      const entries = har?.log.entries ?? [];
      assert.deepEqual(
        [...new Set(entries.map((entry) => entry.response.httpVersion))],
        [alpnByProtocol[protocol]],
      );
      assert.deepEqual(
        entries.flatMap(({ response }) => response._error ?? []),
        [],
      );
      assert.deepEqual(readdirSync(given.tempDir), [], 'the profile is gone');
    });

  for (const protocol of ['h2', 'h3'] as const)
    test(`a download of 100 MB over ${protocol} is recorded whole`, async (t) => {
      const firefox = firefoxOrSkip(t);
      if (firefox === undefined) return;
      const workload = {
        kind: 'download',
        driver: 'session',
        deadlineMs: 180_000,
        entry: { host: 'lab.test', path: '/download.html' },
      } as const;
      const { done, har } = await runTrialWorker(order(t, firefox, { changes: { protocol }, workload }));
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      assert.ok(done.raw.session?.kind === 'download');
      assert.equal(done.raw.session.streams[0]?.bytes, bodyBytes);
      const body = har?.log.entries.find(({ request }) => request.url.endsWith('/body.bin'));
      assert.equal(body?.response.httpVersion, alpnByProtocol[protocol]);
      assert.equal(body?.response.bodySize, bodyBytes);
    });

  test('the auto arm learns of HTTP/3 from the first answer; the HAR tells which object came how', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const workload = { entry: { host: 'lab.test', path: '/until-h3.html' } };
    const { done, har } = await runTrialWorker(
      order(t, firefox, { changes: { protocol: 'auto' }, workload }),
    );
    assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
    const entries = har?.log.entries ?? [];
    assert.equal(entries[0]?.response.httpVersion, 'h2');
    assert.ok(entries.some(({ response }) => response.httpVersion === 'h3'));
  });

  test('with nothing listening on UDP an arm that forces h3 fails and fetches nothing over TCP', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const files = await certificates.filesFor('all.test');
    let requests = 0;
    const tcpOnly = createSecureServer(
      { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile), allowHTTP1: true },
      (_, response) => {
        requests += 1;
        response.end('over TCP');
      },
    );
    await new Promise<void>((resolve) => tcpOnly.listen(0, '127.0.0.1', resolve));
    t.after(() => tcpOnly.close());
    const { port } = tcpOnly.address() as AddressInfo;
    const tcpServer = { address: '127.0.0.1', port };
    const h3 = await runTrialWorker(order(t, firefox, { server: tcpServer, changes: { protocol: 'h3' } }));
    assert.equal(h3.done.raw.outcome, 'error');
    assert.match(h3.done.raw.error?.message ?? '', /QUIC/);
    assert.equal(requests, 0);
    assert.match(h3.har?.log.entries[0]?.response._error ?? '', /incomplete/);
    const h2 = await runTrialWorker(order(t, firefox, { server: tcpServer, changes: { protocol: 'h2' } }));
    assert.equal(h2.done.raw.outcome, 'completed', 'the same server does answer over TCP');
  });

  test('a live address is resolved by the machine, and its own host is asked over the forced protocol', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const setup = await createSetupContext({ projectDir: path.resolve(import.meta.dirname, '../..') });
    const local = await serverProvider(caddy, setup).start({
      roots: [{ host: 'localhost', directory: everything.roots[1]?.directory ?? '' }],
      address: '127.0.0.1',
      port: null,
      certificates,
      workDir: tempFolder(t),
      launchPrefix: [],
      environment: markedEnvironment(),
    });
    t.after(() => local.stop());
    const entry = { url: `https://localhost:${local.port}/0.svg` };
    const certificate = { subject: '', issuer: '', validTo: '', sha256: '', distrusted: 'self-signed' };
    const live = {
      remote: { url: entry.url, address: '127.0.0.1', server: null, altSvc: null, certificate },
      h3Hosts: [`localhost:${local.port}`],
      // As --insecure has it: without, Firefox refuses what nobody signed.
      acceptedKeys: [certificates.spkiHash],
      connectTo: [],
      block: [],
    };
    for (const protocol of ['h2', 'h3'] as const) {
      const given = order(t, firefox, {
        changes: { protocol, server: null },
        workload: { entry, roots: [], live },
      });
      const { done, har } = await runTrialWorker(given);
      assert.equal(done.raw.outcome, 'completed', done.raw.error?.message);
      assert.equal(har?.log.entries[0]?.response.httpVersion, alpnByProtocol[protocol]);
    }
  });

  test('a Firefox that will not start is an error with its last lines', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const broken = path.join(tempFolder(t), 'broken');
    writeFileSync(broken, '#!/bin/sh\necho "no display of any kind" >&2\nexit 7\n', { mode: 0o755 });
    const { done } = await runTrialWorker(order(t, { ...firefox, executablePath: broken }));
    assert.equal(done.raw.outcome, 'error');
    assert.match(done.raw.error?.message ?? '', /exit code 7/);
    assert.match(done.raw.error?.stderrTail ?? '', /no display/);
  });

  for (const how of ['the end of its standard input', 'SIGTERM'] as const)
    test(`after ${how} no process of the trial is left`, async (t) => {
      const firefox = firefoxOrSkip(t);
      if (firefox === undefined) return;
      const given = order(t, firefox, { workload: { quietMs: 20_000 } });
      const worker = startTrialWorker(given);
      const pids = await browserPids(worker.process.pid ?? 0);
      if (how === 'SIGTERM') worker.process.kill(how);
      else worker.process.stdin.end();
      await worker.ended;
      const living = () => readProcessTable().filter((row) => pids.includes(row.pid) && !row.zombie);
      await waitUntil('the browser is gone', goneLimitMs, () => living().length === 0);
    });

  test('a Firefox that is killed while it loads is an error, not a hang', async (t) => {
    const firefox = firefoxOrSkip(t);
    if (firefox === undefined) return;
    const given = order(t, firefox, { workload: { quietMs: 20_000 } });
    const worker = startTrialWorker(given);
    await browserPids(worker.process.pid ?? 0);
    for (const { pid } of processesWith(given.tempDir)) if (pid !== worker.process.pid) killIfThere(pid);
    await worker.ended;
    const done = worker.said.find((message) => message.type === 'done');
    assert.equal(done?.raw.outcome, 'error');
  });
});

/** Processes of the worker's browser, once its first content process runs. */
async function browserPids(workerPid: number): Promise<number[]> {
  const tree = () => processTree(readProcessTable(), workerPid).filter((row) => row.pid !== workerPid);
  await waitUntil('the browser runs', startLimitMs, () =>
    tree().some((row) => / tab\s*$/.test(row.commandLine)),
  );
  return tree().map((row) => row.pid);
}

function colourAt(image: { width: number; height: number; data: Uint8Array }, share: number): string {
  const offset = 4 * (Math.floor(image.height * share) * image.width + Math.floor(image.width * 0.9));
  const [red = 0, green = 0, blue = 0] = image.data.subarray(offset, offset + 3);
  if (red > 200 && green > 200 && blue > 200) return 'white';
  if (red > 200 && green < 60 && blue < 60) return 'red';
  if (blue > 200 && green < 60 && red < 60) return 'blue';
  return `${red},${green},${blue}`;
}
